import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dateFormat } from "../format";
import type { LogEntry } from "../protocol";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";

interface LogProps {
  log: readonly LogEntry[];
  name: (seat: number) => string;
  onClose?: () => void;
}

/** The game log: beside the table, or in a drawer on small screens. */
export function Log({ log, name, onClose }: LogProps): JSX.Element {
  if (onClose) {
    return (
      <Dialog title={translate("page.log")} kind="drawer" onClose={onClose}>
        <Entries log={log} name={name} />
      </Dialog>
    );
  }
  return (
    <>
      <h2>{translate("page.log")}</h2>
      <Entries log={log} name={name} />
    </>
  );
}

const SHOWN = 200;

function Entries({
  log,
  name,
}: {
  log: readonly LogEntry[];
  name: (seat: number) => string;
}): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [log.length]);
  const shown = log.slice(-SHOWN);
  const times = timesOf(shown.map(({ at }) => at));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <ol class="log" ref={list} tabIndex={0} aria-label={translate("page.log")}>
      {shown.map((entry, place) => (
        <li key={entry.index} class={entry.seat < 0 ? "by-chance" : `by-player p-${entry.seat}`}>
          {times[place] && (
            <time dateTime={new Date(entry.at * 1000).toISOString()}>{times[place]}</time>
          )}
          {entry.seat >= 0 && <b>{name(entry.seat)}:</b>} <span>{entry.words}</span>
        </li>
      ))}
    </ol>
  );
}

/**
 * Return when each move was made, in seconds since 1970: the day where a new one starts, the time
 * where it differs from the line before, else nothing. The day is left out while all moves are of today.
 */
export function timesOf(moments: readonly number[], now = Date.now()): string[] {
  const day = dateFormat({ weekday: "short", day: "numeric", month: "short" });
  const minute = dateFormat({ hour: "numeric", minute: "2-digit" });
  const onlyToday = moments.every((at) => day.format(at * 1000) === day.format(now));
  let lastDay = onlyToday ? day.format(now) : "";
  let lastTime = "";
  return moments.map((at) => {
    const [itsDay, itsTime] = [day.format(at * 1000), minute.format(at * 1000)];
    const parts = [
      itsDay === lastDay ? "" : itsDay,
      itsDay === lastDay && itsTime === lastTime ? "" : itsTime,
    ];
    [lastDay, lastTime] = [itsDay, itsTime];
    return parts.filter((part) => part !== "").join(", ");
  });
}
