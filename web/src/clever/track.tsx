import type { JSX } from "preact";
import { type GameStyle, useGameStyle } from "../game-style";
import type { AreaLayout } from "../protocol";
import { translate } from "../translate";
import { Bonus } from "./bonus";
import { Cell } from "./cell";
import type { AreaProps } from "./sheet";

/** Fields from left to right: points above, the field itself, its bonus below. */
export function Track(props: AreaProps): JSX.Element {
  const { area, marks, won, written } = props;
  const { words } = useGameStyle();
  const points = area.scoring === "groups" ? (area.groups[0]?.points ?? []) : [];
  return (
    <ol
      class={`track-cells${area.scoring === "pairs" ? " pairs" : ""}`}
      style={{ "--fields": area.cells.length }}
    >
      {area.cells.map((cell, at) => {
        const done = (marks[at] ?? 0) > 0;
        return (
          <li key={at}>
            {points.length > 0 && (
              <span class={`step-points${done ? " past" : ""}`}>{points[at + 1]}</span>
            )}
            {area.scoring === "pairs" && (
              <span class="step-points" aria-hidden="true">
                {at % 2 === 0 ? "+" : "−"}
              </span>
            )}
            <Cell
              {...props}
              at={at}
              label={fieldLabel(area, at, words)}
              number={cell.minimum > 0 ? 0 : (written[at] ?? 0)}
              writes
            >
              {fieldPrint(area, at)}
            </Cell>
            <span class="below">
              {cell.bonus_minimum > 0 && <small class="needs">≥{cell.bonus_minimum}</small>}
              {cell.bonus !== "" && <Bonus name={cell.bonus} won={won[at] ?? false} />}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Return what is printed in a field: a minimum, a factor, or the sign of its order. */
function fieldPrint(area: AreaLayout, at: number): string {
  const cell = area.cells[at];
  if (!cell) {
    return "";
  }
  if (cell.minimum > 0) {
    return `≥${cell.minimum}`;
  }
  if (cell.factor > 1) {
    return `×${cell.factor}`;
  }
  if (at === 0 || area.order === "any") {
    return "";
  }
  return area.order === "rising" ? "<" : "≥";
}

function fieldLabel(area: AreaLayout, at: number, words: GameStyle["words"]): string {
  const cell = area.cells[at];
  const parts = [
    translate("page.sheet.field", { colour: words[area.name] ?? area.name, number: at + 1 }),
  ];
  if (cell && cell.minimum > 0) {
    parts.push(translate("page.sheet.minimum", { number: cell.minimum }));
  }
  if (cell && cell.factor > 1) {
    parts.push(translate("page.sheet.factor", { number: cell.factor }));
  }
  if (cell && cell.bonus !== "") {
    parts.push(words[cell.bonus] ?? cell.bonus);
  }
  return parts.join(", ");
}
