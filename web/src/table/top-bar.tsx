import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Connection } from "../connection";
import { Seal } from "../fair/seal";
import { familyOf } from "../family";
import type { Layout, StateMessage } from "../protocol";
import { translate, withMoreTexts } from "../translate";
import { IconButton } from "../ui/forms";
import { LazyDialog } from "../ui/lazy";
import { HomeLink } from "../ui/page-bar";

const loadSettings = withMoreTexts(async () => (await import("./dialogs")).SettingsDialog);

interface TopBarProps {
  connection: Connection;
  title: string;
  layout: Layout;
  state: StateMessage;
  onRules: () => void;
  onLog: () => void;
  onResult: (() => void) | null;
  onInvite: (() => void) | null;
  onSeats: (() => void) | null;
}

export function TopBar({
  connection,
  title,
  layout,
  state,
  onRules,
  onLog,
  onResult,
  onInvite,
  onSeats,
}: TopBarProps): JSX.Element {
  const [settings, setSettings] = useState(false);
  const leaveSettings = (next: () => void): void => {
    setSettings(false);
    next();
  };
  return (
    <header class="top-bar">
      <HomeLink />
      <span class="top-title">{title}</span>
      <Rounds layout={layout} state={state} />
      <Seal witness={connection.witness} code={connection.code} />
      <span class="top-buttons">
        {onResult && (
          <IconButton tooltip icon="trophy" label={translate("page.result")} onClick={onResult} />
        )}
        <IconButton tooltip icon="help" label={translate("page.rules")} onClick={onRules} />
        <span class="only-narrow">
          <IconButton tooltip icon="list" label={translate("page.log")} onClick={onLog} />
        </span>
        <IconButton
          tooltip
          icon="menu"
          label={translate("page.settings")}
          onClick={() => setSettings(true)}
        />
      </span>
      {settings && (
        <LazyDialog
          load={loadSettings}
          props={{
            connection,
            state,
            onInvite: onInvite && (() => leaveSettings(onInvite)),
            onSeats: onSeats && (() => leaveSettings(onSeats)),
            onClose: () => setSettings(false),
          }}
        />
      )}
    </header>
  );
}

/** The round track with the reward of each round. */
function Rounds({ layout, state }: { layout: Layout; state: StateMessage }): JSX.Element {
  const { round, rounds } = state.view;
  const { Reward } = familyOf(layout);
  return (
    <ol class="rounds" aria-label={translate("common.round", { round, rounds })}>
      {Array.from({ length: rounds }, (_, at) => (
        <li
          key={at}
          data-of={rounds}
          class={at + 1 === round ? "now" : at + 1 < round ? "past" : ""}
          aria-current={at + 1 === round ? "step" : undefined}
        >
          {at + 1}
          <Reward layout={layout} round={at + 1} />
        </li>
      ))}
    </ol>
  );
}
