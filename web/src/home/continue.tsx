import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, fetchTable } from "../api";
import { Icon } from "../art/icons";
import { forgetTable, memory } from "../memory";
import type { GameInfo, TableInfo } from "../protocol";
import { tablePath } from "../paths";
import { go } from "../route";
import { say, spoken } from "../words";

const SHOWN = 6;

/** Unfinished games of this browser, the one touched last first. */
export function Continue({ games }: { games: readonly GameInfo[] }): JSX.Element | null {
  const [tables, setTables] = useState<TableInfo[]>([]);
  useEffect(() => {
    const codes = Object.keys(memory.get().seats).reverse().slice(0, SHOWN * 2);
    const known = codes.map((code) =>
      fetchTable(code).catch((error: ApiError) => {
        if (error.reason === "no_such_table") {
          forgetTable(code);
        }
        return null;
      }),
    );
    void Promise.all(known).then((found) => {
      const open = found.filter((table): table is TableInfo => table !== null && !table.over);
      setTables(open.sort((a, b) => b.touched - a.touched).slice(0, SHOWN));
    });
  }, []);
  if (tables.length === 0) {
    return null;
  }
  const when = new Intl.DateTimeFormat(spoken.get().language, { dateStyle: "medium", timeStyle: "short" });
  return (
    <section class="panel">
      <h2><Icon name="again" /> {say("page.home.continue")}</h2>
      <ul class="tables">
        {tables.map((table) => (
          <li key={table.table}>
            <button type="button" class="table-row" onClick={() => go(tablePath(table.table))}>
              <strong>{games.find((game) => game.key === table.game)?.name ?? table.game}</strong>
              <span>{table.seats.map((seat, at) => `${seat.open ? say("page.seat.open") : seat.name} ${table.scores[at] ?? 0}`).join(" · ")}</span>
              <small>{when.format(table.touched * 1000)} · {table.table}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
