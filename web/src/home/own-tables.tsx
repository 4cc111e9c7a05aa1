import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SITE } from "#backend";
import { type ApiError, fetchTable } from "../api";
import type { IconName } from "../art/icons";
import { dateFormat, gameName } from "../format";
import { forgetTable, memory } from "../memory";
import { momentPath, tablePath } from "../paths";
import type { GameInfo, TableInfo } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";
import { Section } from "../ui/section";

const STEP = 12;

/**
 * The tables of this browser, the latest first. Finished ones are listed only without a server;
 * otherwise they are in the history.
 */
export function OwnTables({
  games,
  onLoaded,
}: {
  games: readonly GameInfo[];
  onLoaded: () => void;
}): JSX.Element {
  const [codes] = useState(() => Object.keys(memory.get().seats).reverse());
  const [requested, setRequested] = useState(STEP);
  const [tables, setTables] = useState<TableInfo[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    void Promise.all(codes.slice(requested - STEP, requested).map(fetchOrForget)).then((found) => {
      setTables(
        [...tables, ...found.filter((table) => table !== null)].sort(
          (a, b) => b.touched - a.touched,
        ),
      );
      onLoaded();
    });
  }, [requested]);
  const finished = SITE ? tables.filter((table) => table.over) : [];
  return (
    <>
      <TableList
        icon="again"
        title={translate("page.home.continue")}
        tables={tables.filter((table) => !table.over)}
        games={games}
        pathOf={tablePath}
      />
      <TableList
        icon="list"
        title={translate("page.finished")}
        tables={finished}
        games={games}
        pathOf={(code) => momentPath(code, 0)}
      >
        {codes.length > requested && (
          <button type="button" class="button small" onClick={() => setRequested(requested + STEP)}>
            {translate("page.more", { count: codes.length - requested })}
          </button>
        )}
      </TableList>
    </>
  );
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
            <button type="button" class="table-row" onClick={() => go(pathOf(table.table))}>
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
            </button>
          </li>
        ))}
      </ul>
      {children}
    </Section>
  );
}
