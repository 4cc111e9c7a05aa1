import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <ol class="log" ref={list} tabIndex={0} aria-label={translate("page.log")}>
      {log.slice(-SHOWN).map((entry) => (
        <li key={entry.index} class={entry.seat < 0 ? "by-chance" : `by-player p-${entry.seat}`}>
          {entry.seat >= 0 && <b>{name(entry.seat)}:</b>} <span>{entry.words}</span>
        </li>
      ))}
    </ol>
  );
}
