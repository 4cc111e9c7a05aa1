import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SITE } from "#backend";
import { ApiError, fetchOwnTable } from "../api";
import type { IconName } from "../art/icons";
import { dateFormat, gameName, seatName } from "../format";
import { askMe } from "../me/identity";
import { forgetTable, memory, saveFinished, saveSeats, tokensOf } from "../memory";
import { tablePath } from "../paths";
import type { OpenTables as Codes, GameInfo, OwnTable } from "../protocol";
import { replayPath } from "../review/last-moment";
import { translate } from "../translate";
import { Link } from "../ui/link";
import { Section } from "../ui/section";
import { waitingFirst, waitsForMe } from "./waiting";

const STEP = 12;
/** A server answers 300 requests at once, then ten a second. */
const ANSWERED_AT_ONCE = 10 * STEP;
const PAUSE = 1500; // ms for the next requests

/** Rows of unfinished games shown at once; the page below must stay in sight. */
const SHOWN = 3;

export interface OwnTables {
  /**
   * The unfinished games: those that wait for the player first, then the one opened last; null for
   * a table that has not answered.
   */
  open: readonly (readonly [code: string, table: OwnTable | null])[];
  finished: readonly OwnTable[];
  /** Finished games that are not fetched yet. */
  finishedLeft: number;
  fetchMore: () => void;
}

/**
 * Fetch the tables of this browser and of the player's other devices. Finished ones are listed only
 * without a server; otherwise they are in the history.
 */
export function useOwnTables(): OwnTables {
  const [codes, setCodes] = useState(listCodes);
  const [tables, setTables] = useState<ReadonlyMap<string, OwnTable | null>>(new Map());
  const [finishedCount, setFinishedCount] = useState(SITE ? STEP : 0);
  /** Fetch tables, each shown when it answers; null stands for one that is gone. */
  const fetchAll = (wanted: readonly string[]): Promise<unknown> =>
    Promise.all(
      wanted.map(async (code) => {
        const found = await fetchOrForget(code);
        setTables((known) => new Map([...known, [code, found]]));
      }),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const left = new AbortController();
    let asked = 0;
    // Any of them may be unfinished.
    const fetchInSteps = async (wanted: readonly string[]): Promise<void> => {
      for (let at = 0; at < wanted.length && !left.signal.aborted; at += STEP) {
        if (asked >= ANSWERED_AT_ONCE) {
          await new Promise((resolve) => setTimeout(resolve, PAUSE));
        }
        asked += STEP;
        await fetchAll(wanted.slice(at, at + STEP));
      }
    };
    void fetchInSteps(codes.open);
    saveTablesOfOtherDevices().then(
      (found) => {
        setCodes(listCodes());
        return fetchInSteps(found);
      },
      () => undefined, // those of this browser are listed
    );
    return () => left.abort();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (finishedCount > 0) {
      void fetchAll(codes.finished.slice(finishedCount - STEP, finishedCount));
    }
  }, [finishedCount]);
  return {
    open: waitingFirst(
      codes.open.flatMap((code) => {
        const table = tables.get(code);
        return table === null || table?.over ? [] : [[code, table ?? null] as const];
      }),
    ),
    finished: SITE
      ? [...tables.values()]
          .flatMap((table) => (table?.over ? [table] : []))
          .sort((a, b) => b.touched - a.touched)
      : [],
    finishedLeft: SITE ? codes.finished.length - finishedCount : 0,
    fetchMore: () => setFinishedCount(finishedCount + STEP),
  };
}

/** Return how many tables wait for the player. */
export const countWaiting = ({ open }: OwnTables): number =>
  open.filter(([, table]) => table !== null && waitsForMe(table)).length;

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
  const waiting = countWaiting(own);
  return (
    <TableList
      icon="play"
      title={translate(waiting > 0 ? "page.home.waiting" : "page.home.continue", {
        count: waiting,
      })}
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
      tables={own.finished.map((table) => [table.table, table])}
      games={games}
      pathOf={replayPath}
    >
      {own.finishedLeft > 0 && (
        <button type="button" class="button small" onClick={own.fetchMore}>
          {translate("page.more", { count: own.finishedLeft })}
        </button>
      )}
    </TableList>
  );
}

/** Save the tables of the player's other devices, with the secret of this one; return the new ones. */
async function saveTablesOfOtherDevices(): Promise<string[]> {
  const { device, seats } = memory.get();
  if (SITE || device === "") {
    return [];
  }
  const { tables } = await askMe<Codes>("/tables");
  const found = tables.filter((code) => !Object.hasOwn(seats, code));
  for (const code of [...found].reverse()) {
    saveSeats(code, [device]);
  }
  return found;
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

/** Fetch a table, and remember whether it is finished or gone. */
async function fetchOrForget(code: string): Promise<OwnTable | null> {
  try {
    const table = await fetchOwnTable(code, tokensOf(code));
    if (table.over) {
      saveFinished([code]);
    }
    return table;
  } catch (error) {
    if (error instanceof ApiError && error.reason === "no_such_table") {
      forgetTable(code);
    }
    return null;
  }
}

interface TableListProps {
  icon: IconName;
  title: string;
  tables: OwnTables["open"];
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
  return (
    <Section icon={icon} title={title}>
      <ul class="tables">
        {tables.map(([code, table]) => (
          <li key={code}>
            <Link class="table-row" href={pathOf(code)}>
              {table ? (
                <TableRow table={table} games={games} />
              ) : (
                <span class="expected">
                  {translate("page.loading")} {code}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </Section>
  );
}

function TableRow({ table, games }: { table: OwnTable; games: readonly GameInfo[] }): JSX.Element {
  const dateTime = dateFormat(
    table.over
      ? { dateStyle: "medium", timeStyle: "short" }
      : { month: "short", day: "numeric", hour: "numeric", minute: "numeric" },
  );
  const others = table.waits_for
    .filter((seat) => !table.you.includes(seat))
    .flatMap((seat) => table.seats[seat] ?? []);
  return (
    <>
      <strong>{gameName(games, table.game)}</strong>
      <span>
        {table.seats
          .map((seat, at) => `${seatName(seat, table.you)} ${table.scores[at] ?? ""}`)
          .join(" · ")}
      </span>
      <small>
        {waitsForMe(table) ? (
          <b class="your-turn">{translate("page.home.your_turn")}</b>
        ) : (
          others.length > 0 &&
          translate("page.home.waits_for", {
            names: others.map((seat) => seatName(seat, [])).join(", "),
          })
        )}{" "}
        {dateTime.format((table.waits_for.length > 0 ? table.waiting_since : table.touched) * 1000)}{" "}
        · {table.table}
      </small>
      {table.deadline !== null && (
        <small class="until">
          {translate("page.home.until", { time: dateTime.format(table.deadline * 1000) })}
        </small>
      )}
    </>
  );
}
