import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { Bonus } from "../clever/bonus";
import type { Connection } from "../connection";
import { Seal } from "../fair/seal";
import { familyOf } from "../family";
import { requestNotifications } from "../feedback";
import { remember } from "../memory";
import { HOME } from "../paths";
import type { Layout, StateMessage } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { IconButton, Select } from "../ui/forms";
import { HomeLink } from "../ui/page-bar";
import { LanguageChoice, Switch, ThemeChoice } from "../ui/settings";

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
        <IconButton tooltip icon="book" label={translate("page.rules")} onClick={onRules} />
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
        <Settings
          connection={connection}
          state={state}
          onInvite={
            onInvite &&
            (() => {
              setSettings(false);
              onInvite();
            })
          }
          onSeats={
            onSeats &&
            (() => {
              setSettings(false);
              onSeats();
            })
          }
          onClose={() => setSettings(false)}
        />
      )}
    </header>
  );
}

/** The round track with the reward of each round. */
function Rounds({ layout, state }: { layout: Layout; state: StateMessage }): JSX.Element {
  const { round, rounds } = state.view;
  const rewards = familyOf(layout).rewards(layout);
  return (
    <ol class="rounds" aria-label={translate("common.round", { round, rounds })}>
      {Array.from({ length: rounds }, (_, at) => {
        const reward = rewards[at] ?? "";
        return (
          <li
            key={at}
            data-of={rounds}
            class={at + 1 === round ? "now" : at + 1 < round ? "past" : ""}
            aria-current={at + 1 === round ? "step" : undefined}
          >
            {at + 1}
            {reward !== "" && <Bonus name={reward} />}
          </li>
        );
      })}
    </ol>
  );
}

const PACES = [0, 300, 900, 1800, 3500] as const;

function Settings({
  connection,
  state,
  onInvite,
  onSeats,
  onClose,
}: {
  connection: Connection;
  state: StateMessage;
  onInvite: (() => void) | null;
  onSeats: (() => void) | null;
  onClose: () => void;
}): JSX.Element {
  const pace = PACES.reduce((best, candidate) =>
    Math.abs(candidate - state.pace) < Math.abs(best - state.pace) ? candidate : best,
  );
  return (
    <Dialog title={translate("page.settings")} onClose={onClose}>
      <div class="settings">
        <LanguageChoice onChange={(language) => connection.send({ type: "language", language })} />
        <ThemeChoice />
        <Switch name="sound" />
        <Switch name="motion" />
        <Switch
          name="notify"
          onToggle={async (wanted) => wanted && (await requestNotifications())}
        />
        {state.seats.some((seat) => seat.kind === "computer") && state.you.length > 0 && (
          <label class="choice">
            <Icon name="robot" label={translate("page.pace")} />
            <Select
              value={String(pace)}
              options={PACES.map((value, at) => [String(value), translate(`page.pace.${at}`)])}
              onChange={(value) => {
                const chosen = Number(value);
                remember({ pace: chosen });
                connection.send({ type: "pace", pace: chosen });
              }}
            />
          </label>
        )}
        <div class="invite">
          <strong>{translate("page.table.code", { code: state.table.toUpperCase() })}</strong>
          {onInvite && (
            <button type="button" class="button" onClick={onInvite}>
              <Icon name="link" /> {translate("page.invite")}
            </button>
          )}
          {onSeats && (
            <button type="button" class="button" onClick={onSeats}>
              <Icon name="people" /> {translate("page.setup.seats")}
            </button>
          )}
        </div>
        {state.spectators > 0 && (
          <p class="hint-line">{translate("page.table.spectators", { count: state.spectators })}</p>
        )}
        <p class="hint-line shortcuts">{translate("page.shortcuts")}</p>
        <button type="button" class="button wide" onClick={() => go(HOME)}>
          {translate("page.home.back")}
        </button>
      </div>
    </Dialog>
  );
}
