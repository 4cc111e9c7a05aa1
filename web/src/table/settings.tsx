import type { JSX } from "preact";
import { SITE } from "#backend";
import { Icon } from "../art/icons";
import type { Connection } from "../connection";
import { requestNotifications } from "../feedback";
import { memory, remember } from "../memory";
import { HOME } from "../paths";
import type { StateMessage } from "../protocol";
import { translate, withMoreTexts } from "../translate";
import { Dialog } from "../ui/dialog";
import { Select } from "../ui/forms";
import { Lazy } from "../ui/lazy";
import { Link } from "../ui/link";
import { LanguageChoice, Switch, ThemeChoice } from "../ui/settings";

const loadCalls = withMoreTexts(async () => (await import("./call-me")).CallMeChoice);
const PACES = [0, 300, 900, 1800, 3500] as const;

/** The settings of the page and of the table. */
export function SettingsDialog({
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
        <Switch name="distinct" />
        <Switch name="instant" />
        <Switch name="sound" />
        <Switch name="motion" />
        <Switch
          name="notify"
          onToggle={async (wanted) => wanted && (await requestNotifications())}
        />
        {!SITE && !state.over && state.you.length > 0 && state.seats.length > 1 && (
          <Lazy load={loadCalls} kind="unseen" props={{ table: state.table }} />
        )}
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
          <p class="hint-line">
            {translate("page.table.spectators", { count: state.spectators })}
            {state.watchers.length > 0 && `: ${state.watchers.join(", ")}`}
          </p>
        )}
        {!SITE && state.you.length + state.resting.length === 0 && (
          <WatchingAs connection={connection} />
        )}
        <p class="hint-line shortcuts">{translate("page.shortcuts")}</p>
        <Link class="button wide" href={HOME}>
          {translate("page.home.back")}
        </Link>
      </div>
    </Dialog>
  );
}

/** The name that the players of a watched game see. */
function WatchingAs({ connection }: { connection: Connection }): JSX.Element {
  return (
    <label class="field">
      <span>{translate("page.watching.name")}</span>
      <input
        type="text"
        maxLength={24}
        autocomplete="nickname"
        value={memory.get().watchingAs}
        onChange={(event) => {
          const name = event.currentTarget.value.trim();
          remember({ watchingAs: name });
          connection.send({ type: "watch", name });
        }}
      />
    </label>
  );
}
