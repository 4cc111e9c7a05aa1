import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SITE } from "#backend";
import { type ApiError, fetchTable } from "../api";
import type { IconName } from "../art/icons";
import { dateFormat, gameName } from "../format";
import { forgetTable, memory, saveFinished } from "../memory";
import { momentPath, tablePath } from "../paths";
import type { GameInfo, TableInfo } from "../protocol";
import { translate } from "../translate";
import { Link } from "../ui/link";
import { Section } from "../ui/section";

const STEP = 12;
/** A server answers 300 requests at once, then ten a second. */
const ANSWERED_AT_ONCE = 10 * STEP;
const PAUSE = 1500; // ms for the next requests

/** Rows of unfinished games shown at once; the page below must stay in sight. */
const SHOWN = 3;

export interface OwnTables {
  /** The unfinished games, the latest first. */
  open: readonly TableInfo[];
  finished: readonly TableInfo[];
  /** Finished games that are not fetched yet. */
  finishedLeft: number;
  fetchMore: () => void;
  /** The latest of them are known. */
  loaded: boolean;
}

/**
 * Fetch the tables of this browser. Finished ones are listed only without a server; otherwise they
 * are in the history.
 */
export function useOwnTables(): OwnTables {
  const [codes] = useState(listCodes);
  const [tables, setTables] = useState<TableInfo[]>([]);
  const [loaded, setLoaded] = useState(codes.open.length === 0);
  const [finishedCount, setFinishedCount] = useState(SITE ? STEP : 0);
  const add = (found: readonly TableInfo[]): void =>
    setTables((known) => [...known, ...found].sort((a, b) => b.touched - a.touched));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const left = new AbortController();
    void (async () => {
      // Any of them may be unfinished.
      for (let asked = 0; asked < codes.open.length && !left.signal.aborted; asked += STEP) {
        if (asked >= ANSWERED_AT_ONCE) {
          await new Promise((resolve) => setTimeout(resolve, PAUSE));
        }
        add(await fetchTables(codes.open.slice(asked, asked + STEP)));
        setLoaded(true);
      }
    })();
    return () => left.abort();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (finishedCount > 0) {
      void fetchTables(codes.finished.slice(finishedCount - STEP, finishedCount)).then(add);
    }
  }, [finishedCount]);
  return {
    open: tables.filter((table) => !table.over),
    finished: SITE ? tables.filter((table) => table.over) : [],
    finishedLeft: SITE ? codes.finished.length - finishedCount : 0,
    fetchMore: () => setFinishedCount(finishedCount + STEP),
    loaded,
  };
}

/** The unfinished games: the latest, and all of them on request. */
export function OpenTables({
  own,
  games,
}: {
  own: OwnTables;
  games: readonly GameInfo[];
}): JSX.Element {
  const [all, setAll] = useState(false);
  const left = all ? 0 : own.open.length - SHOWN;
  return (
    <TableList
      icon="play"
      title={translate("page.home.continue")}
      tables={left > 0 ? own.open.slice(0, SHOWN) : own.open}
      games={games}
      pathOf={tablePath}
    >
      {left > 0 && (
        <button type="button" class="button small" onClick={() => setAll(true)}>
          {translate("page.more", { count: left })}
        </button>
      )}
    </TableList>
  );
}

/** The finished games of a page without a server. */
export function FinishedTables({
  own,
  games,
}: {
  own: OwnTables;
  games: readonly GameInfo[];
}): JSX.Element {
  return (
    <TableList
      icon="list"
      title={translate("page.finished")}
      tables={own.finished}
      games={games}
      pathOf={(code) => momentPath(code, 0)}
    >
      {own.finishedLeft > 0 && (
        <button type="button" class="button small" onClick={own.fetchMore}>
          {translate("page.more", { count: own.finishedLeft })}
        </button>
      )}
    </TableList>
  );
}

/** Return the codes of the tables of this browser, the latest first. */
function listCodes(): { open: string[]; finished: string[] } {
  const { seats, finished } = memory.get();
  const codes = Object.keys(seats).reverse();
  return {
    open: codes.filter((code) => !finished.has(code)),
    finished: codes.filter((code) => finished.has(code)),
  };
}

/** Fetch tables, and remember which of them are finished or gone. */
async function fetchTables(codes: readonly string[]): Promise<TableInfo[]> {
  const found = (await Promise.all(codes.map(fetchOrForget))).filter((table) => table !== null);
  const finished = found.filter((table) => table.over).map((table) => table.table);
  if (finished.length > 0) {
    saveFinished(finished);
  }
  return found;
}

async function fetchOrForget(code: string): Promise<TableInfo | null> {
  return fetchTable(code).catch((error: ApiError) => {
    if (error.reason === "no_such_table") {
      forgetTable(code);
    }
    return null;
  });
}

interface TableListProps {
  icon: IconName;
  title: string;
  tables: readonly TableInfo[];
  games: readonly GameInfo[];
  pathOf: (code: string) => string;
  children?: ComponentChildren;
}

function TableList({
  icon,
  title,
  tables,
  games,
  pathOf,
  children,
}: TableListProps): JSX.Element | null {
  if (tables.length === 0) {
    return null;
  }
  const dateTime = dateFormat({ dateStyle: "medium", timeStyle: "short" });
  return (
    <Section icon={icon} title={title}>
      <ul class="tables">
        {tables.map((table) => (
          <li key={table.table}>
            <Link class="table-row" href={pathOf(table.table)}>
              <strong>{gameName(games, table.game)}</strong>
              <span>
                {table.seats
                  .map(
                    (seat, at) =>
                      `${seat.open ? translate("page.seat.open") : seat.name} ${table.scores[at] ?? ""}`,
                  )
                  .join(" · ")}
              </span>
              <small>
                {dateTime.format(table.touched * 1000)} · {table.table}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </Section>
  );
}
