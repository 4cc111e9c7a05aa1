import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  asMinute,
  asTime,
  callMe,
  changeCalls,
  fetchCalls,
  type Obstacle,
  obstacle,
  stopCalls,
} from "../me/calls";
import type { CallSettings, Calls } from "../protocol";
import { translate } from "../translate";
import { Select } from "../ui/forms";
import { Failure } from "../ui/notices";
import { Webhooks } from "./webhooks";

const REMINDERS = [0, 1, 6, 24, 72] as const; // hours

/** How a server that sends notifications calls people to a table. */
export function CallMeChoice({ table }: { table: string }): JSX.Element | null {
  const [calls, setCalls] = useState<Calls | null>(null);
  useEffect(() => void fetchCalls().then(setCalls, () => undefined), []);
  if (calls === null || calls.key === "") {
    return null; // the server sends no notifications
  }
  return (
    <>
      <DeviceChoice table={table} calls={calls} onChange={setCalls} />
      <Webhooks table={table} calls={calls} onChange={setCalls} />
    </>
  );
}

/** The switch that calls this device to a table, with reminder and quiet hours. */
function DeviceChoice({
  table,
  calls,
  onChange,
}: {
  table: string;
  calls: Calls;
  onChange: (calls: Calls) => void;
}): JSX.Element {
  const [blocked, setBlocked] = useState<Obstacle>(obstacle);
  const [busy, setBusy] = useState(false);
  /** What the player has chosen, until the server answers. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  if (blocked !== null) {
    return <p class="hint-line">{translate(`page.call.${blocked}`)}</p>;
  }
  const run = (request: Promise<Calls | Obstacle>): void => {
    setBusy(true);
    setFailure(null);
    request
      .then((answer) =>
        answer !== null && typeof answer === "object" ? onChange(answer) : setBlocked(answer),
      )
      .catch((error: unknown) =>
        setFailure(
          error instanceof DOMException
            ? new Error(translate("page.call.failed"))
            : (error as Error),
        ),
      )
      .finally(() => {
        setBusy(false);
        setWanted(null);
      });
  };
  const isOn = calls.tables.includes(table);
  const change = (changes: Partial<CallSettings>): void =>
    run(changeCalls({ ...calls.settings, ...changes }));
  return (
    <div class="call-me">
      <label class="switch">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state by itself
          role="switch"
          checked={wanted ?? isOn}
          disabled={busy}
          onChange={() => {
            setWanted(!isOn);
            run(isOn ? stopCalls(table) : callMe(table, calls));
          }}
        />{" "}
        {translate("page.call")}
      </label>
      <p class="hint-line">{translate("page.call.how")}</p>
      {isOn && <CallTimes settings={calls.settings} onChange={change} />}
      {calls.tables.length > (isOn ? 1 : 0) && (
        <button type="button" class="button small" disabled={busy} onClick={() => run(stopCalls())}>
          {translate("page.call.stop_all", { count: calls.tables.length })}
        </button>
      )}
      <Failure text={failure?.message} />
    </div>
  );
}

function CallTimes({
  settings,
  onChange,
}: {
  settings: CallSettings;
  onChange: (changes: Partial<CallSettings>) => void;
}): JSX.Element {
  const field = (name: "quiet_from" | "quiet_until"): JSX.Element => (
    <input
      type="time"
      aria-label={translate(`page.call.${name}`)}
      value={asTime(settings[name])}
      onChange={({ currentTarget: { value } }) => {
        const minute = asMinute(value);
        if (minute !== null) {
          onChange({ [name]: minute });
        }
      }}
    />
  );
  return (
    <>
      <label class="choice">
        {translate("page.call.remind")}{" "}
        <Select
          value={String(settings.remind)}
          options={REMINDERS.map((hours) => [
            String(hours),
            hours === 0
              ? translate("page.call.remind.never")
              : translate("page.call.remind.after", { count: hours }),
          ])}
          onChange={(value) => onChange({ remind: Number(value) })}
        />
      </label>
      <p class="choice">
        {translate("page.call.quiet")} {field("quiet_from")} – {field("quiet_until")}
      </p>
    </>
  );
}
