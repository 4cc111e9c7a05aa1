import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SITE } from "#backend";
import { type ApiError, fetchTable } from "../api";
import { Icon, type IconName } from "../art/icons";
import { dates } from "../dates";
import { forgetTable, memory } from "../memory";
import { momentPath, tablePath } from "../paths";
import type { GameInfo, TableInfo } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";

const STEP = 12;

/** Games of this browser, the one touched last first. Finished ones are a server's to list, where there is one. */
export function Continue({
  games,
  onKnown,
}: {
  games: readonly GameInfo[];
  onKnown: () => void;
}): JSX.Element {
  const [codes] = useState(() => Object.keys(memory.get().seats).reverse());
  const [asked, setAsked] = useState(STEP);
  const [tables, setTables] = useState<TableInfo[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    void Promise.all(codes.slice(asked - STEP, asked).map(find)).then((found) => {
      setTables(
        [...tables, ...found.filter((table) => table !== null)].sort(
          (a, b) => b.touched - a.touched,
        ),
      );
      onKnown();
    });
  }, [asked]);
  const finished = SITE ? tables.filter((table) => table.over) : [];
  return (
    <>
      <Tables
        icon="again"
        title={translate("page.home.continue")}
        tables={tables.filter((table) => !table.over)}
        games={games}
        to={tablePath}
      />
      <Tables
        icon="list"
        title={translate("page.finished")}
        tables={finished}
        games={games}
        to={(code) => momentPath(code, 0)}
      >
        {codes.length > asked && (
          <button type="button" class="button small" onClick={() => setAsked(asked + STEP)}>
            {translate("page.more", { count: codes.length - asked })}
          </button>
        )}
      </Tables>
    </>
  );
}

async function find(code: string): Promise<TableInfo | null> {
  return fetchTable(code).catch((error: ApiError) => {
    if (error.reason === "no_such_table") {
      forgetTable(code);
    }
    return null;
  });
}

interface TablesProps {
  icon: IconName;
  title: string;
  tables: readonly TableInfo[];
  games: readonly GameInfo[];
  to: (code: string) => string;
  children?: ComponentChildren;
}

function Tables({ icon, title, tables, games, to, children }: TablesProps): JSX.Element | null {
  if (tables.length === 0) {
    return null;
  }
  const when = dates({ dateStyle: "medium", timeStyle: "short" });
  return (
    <section class="panel">
      <h2>
        <Icon name={icon} /> {title}
      </h2>
      <ul class="tables">
        {tables.map((table) => (
          <li key={table.table}>
            <button type="button" class="table-row" onClick={() => go(to(table.table))}>
              <strong>{games.find((game) => game.key === table.game)?.name ?? table.game}</strong>
              <span>
                {table.seats
                  .map(
                    (seat, at) =>
                      `${seat.open ? translate("page.seat.open") : seat.name} ${table.scores[at] ?? ""}`,
                  )
                  .join(" · ")}
              </span>
              <small>
                {when.format(table.touched * 1000)} · {table.table}
              </small>
            </button>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
