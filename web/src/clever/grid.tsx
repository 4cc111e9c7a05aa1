import type { CSSProperties, JSX } from "preact";
import { Sign } from "../art/pips";
import { type GameStyle, useGameStyle } from "../game-style";
import type { AreaLayout } from "../protocol";
import { translate } from "../translate";
import { Bonus } from "./bonus";
import { Cell } from "./cell";
import type { AreaProps } from "./sheet";

/** Numbers in rows and columns; row bonuses at the right, column bonuses and points below. */
export function Grid(props: AreaProps): JSX.Element {
  const { area, marks, won, written } = props;
  const { words } = useGameStyle();
  const place = (row: number, column: number): CSSProperties => ({
    gridRow: row + 1,
    gridColumn: `calc(${column + 1} + var(--names, 0))`,
  });
  return (
    <>
      <div
        class={`grid-cells${area.row_names.length > 0 ? " named" : ""}`}
        style={{ "--columns": area.columns, "--rows": area.rows }}
      >
        {area.row_names.map((name, row) => (
          <span key={name} class={`row-name c-${name}`} style={{ gridRow: row + 1, gridColumn: 1 }}>
            <Sign colour={name} />
          </span>
        ))}
        {area.printed.map(([row = 0, column = 0]) => (
          <span
            key={`x${row}-${column}`}
            class="cell printed"
            style={place(row, column)}
            aria-hidden="true"
          >
            ×
          </span>
        ))}
        {area.cells.map((cell, at) => (
          <Cell
            key={at}
            {...props}
            at={at}
            label={cellLabel(area, at, words)}
            number={written[at] ?? 0}
            kind={area.row_names[cell.row] === undefined ? "" : `c-${area.row_names[cell.row]}`}
            writes={false}
            style={place(cell.row, cell.column)}
          >
            {cell.number}
          </Cell>
        ))}
        {rowLetters(area).map(
          (letter, row) =>
            letter !== "" && (
              <span key={letter} class="row-letter" style={place(row, 0)} aria-hidden="true">
                {letter}
              </span>
            ),
        )}
        {area.lines.map((line, at) => {
          const first = area.cells[line.cells[0] ?? 0];
          const row = line.side === "row" ? (first?.row ?? 0) : area.rows;
          const column = line.side === "column" ? (first?.column ?? 0) : area.columns;
          return (
            <span
              key={at}
              class={`line-end ${line.side}`}
              style={place(row, column)}
              role="img"
              aria-label={bonusLabel(area, at, won[at] ?? false, words)}
            >
              <Bonus name={line.bonus} won={won[at] ?? false} />
            </span>
          );
        })}
        <GroupPoints area={area} marks={marks} place={place} />
      </div>
      {area.groups.length === 1 && (
        <Scale points={area.groups[0]?.points ?? []} reached={countCrosses(area, 0, marks)} />
      )}
    </>
  );
}

/** The points of columns below them, of rows at their right. */
function GroupPoints({
  area,
  marks,
  place,
}: {
  area: AreaLayout;
  marks: readonly number[];
  place: (row: number, column: number) => CSSProperties;
}): JSX.Element | null {
  if (area.groups.length < 2) {
    return null;
  }
  return (
    <>
      {area.groups.map((group, at) => {
        const cells = group.cells.map((cell) => area.cells[cell]);
        const [first] = cells;
        const isColumn = cells.every((cell) => cell?.column === first?.column);
        const reached = group.points[countCrosses(area, at, marks)] ?? 0;
        const most = group.points.at(-1) ?? 0;
        const style = isColumn
          ? place(area.rows, first?.column ?? 0)
          : place(first?.row ?? 0, area.columns);
        return (
          <span
            key={at}
            class={`group-points${reached === most ? " won" : ""}`}
            style={style}
            title={translate("page.points")}
          >
            {isColumn ? (
              most
            ) : (
              <>
                <Sign colour={area.row_names[first?.row ?? 0] ?? area.name} />
                <span>
                  {reached}
                  <small>/{most}</small>
                </span>
              </>
            )}
          </span>
        );
      })}
    </>
  );
}

function countCrosses(area: AreaLayout, group: number, marks: readonly number[]): number {
  return (area.groups[group]?.cells ?? []).filter((cell) => marks[cell] === 2).length;
}

/** Number of further steps of a scale shown on small screens. */
const AHEAD = 4;

function Scale({ points, reached }: { points: readonly number[]; reached: number }): JSX.Element {
  return (
    <ol class="scale" aria-label={translate("page.sheet.scale")}>
      {points.slice(1).map((value, at) => (
        <li
          key={at}
          class={`${at + 1 === reached ? "here" : at + 1 < reached ? "past" : ""}${at + 1 < reached || at + 1 > Math.max(reached, 1) + AHEAD ? " far" : ""}`}
        >
          {value}
        </li>
      ))}
    </ol>
  );
}

/** Return the letters of the rows, for areas that have a number in several rows. */
function rowLetters(area: AreaLayout): string[] {
  return Array.from(
    { length: area.row_names.length > 0 ? 0 : area.rows },
    (_, row) => area.cells.find((cell) => cell.row === row)?.name.replace(/\d+/, "") ?? "",
  );
}

/** Return the name of a row: its letter, its die, or its number. */
function rowName(area: AreaLayout, row: number, words: GameStyle["words"]): string {
  const die = area.row_names[row];
  if (die !== undefined) {
    return words[die] ?? die;
  }
  const letter = rowLetters(area)[row] ?? "";
  return translate("page.sheet.row", { row: letter === "" ? row + 1 : letter });
}

function bonusLabel(area: AreaLayout, at: number, won: boolean, words: GameStyle["words"]): string {
  const line = area.lines[at];
  const first = area.cells[line?.cells[0] ?? 0];
  const name = {
    row: () => rowName(area, first?.row ?? 0, words),
    column: () => translate("page.sheet.column", { column: (first?.column ?? 0) + 1 }),
    diagonal: () => translate("page.sheet.diagonal"),
  }[line?.side ?? "row"]();
  const bonus = words[line?.bonus ?? ""] ?? line?.bonus ?? "";
  return translate(won ? "page.sheet.bonus.won" : "page.sheet.bonus", { line: name, bonus });
}

function cellLabel(area: AreaLayout, at: number, words: GameStyle["words"]): string {
  const cell = area.cells[at];
  const where = rowName(area, cell?.row ?? 0, words);
  return translate("page.sheet.cell", {
    colour: words[area.name] ?? area.name,
    number: cell?.number ?? 0,
    where,
  });
}
