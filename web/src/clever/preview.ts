/**
 * Shows what moves would do, in a sentence and in faint entries. All figures come from the server.
 * Pure except for the texts.
 */
import type {
  CleverLayout,
  CleverMoveView,
  CleverPreview,
  Preview,
  PreviewCell,
} from "../protocol";
import { capitalise, translate } from "../translate";
import { cellKey } from "./choice";

export interface MovePreview {
  words: string;
  /** The entry of each field: a number, or 0 for a cross. */
  ghosts: ReadonlyMap<string, number>;
  /** Dice that would go to the platter. */
  leaving: ReadonlySet<number>;
}

/** Return the preview of one move, or what several moves have in common. */
export function previewMoves(
  layout: CleverLayout,
  moves: readonly CleverMoveView[],
  previews: readonly Preview[],
): MovePreview | null {
  const known = previews.filter((preview) => preview.family === "clever");
  const matching = moves
    .map((move) => known.find((preview) => preview.id === move.id))
    .filter((preview) => preview !== undefined);
  const [first] = matching;
  if (!first) {
    return null;
  }
  const targets = moves.map((move) =>
    matching
      .find((preview) => preview.id === move.id)
      ?.cells.find((cell) => cell.area === move.area && cell.cell === move.cell),
  );
  const shownCells =
    matching.length === 1 ? first.cells : targets.filter((cell) => cell !== undefined);
  const platter = first.platter.filter((die) =>
    matching.every((preview) => preview.platter.includes(die)),
  );
  return {
    words: [
      ...(matching.length === 1
        ? singleText(layout, moves[0], first)
        : severalText(moves, matching)),
      ...platterText(layout, platter),
    ].join(" · "),
    ghosts: new Map(
      shownCells.map(({ area, cell, value }) => [
        cellKey(area, cell),
        isCross(layout, area, cell) ? 0 : value,
      ]),
    ),
    leaving: new Set(platter),
  };
}

/** Whether an entry is a cross: on grids, and on tracks whose fields have a minimum. */
function isCross(layout: CleverLayout, area: number, cell: number): boolean {
  return (layout.areas[area]?.cells[cell]?.minimum ?? 0) > 0;
}

function singleText(
  layout: CleverLayout,
  move: CleverMoveView | undefined,
  preview: CleverPreview,
): string[] {
  const target = preview.cells.find((cell) => cell.area === move?.area && cell.cell === move.cell);
  const others = preview.cells.filter((cell) => cell !== target);
  const bonuses =
    preview.bonuses.length === 0
      ? []
      : [
          translate("page.preview.bonus", {
            names: preview.bonuses.map((bonus) => layout.words[bonus]).join(", "),
          }),
        ];
  return [
    ...(target ? [entryText(layout, target)] : []),
    ...bonuses,
    ...others.map((cell) => entryText(layout, cell)),
    pointsText(preview.points),
  ];
}

/**
 * Return the number of fields, of dice for one field, or of numbers for one die, and the points.
 */
function severalText(
  moves: readonly CleverMoveView[],
  matching: readonly CleverPreview[],
): string[] {
  const fields = new Set(moves.map((move) => cellKey(move.area, move.cell))).size;
  const dice = new Set(moves.map((move) => move.die)).size;
  const choice =
    fields > 1
      ? translate("page.preview.fields", { count: fields })
      : dice > 1
        ? translate("page.preview.dice", { count: dice })
        : translate("page.preview.numbers", { count: moves.length });
  const points = matching.map((preview) => preview.points);
  const [least, most] = [Math.min(...points), Math.max(...points)];
  return [
    choice,
    least === most ? pointsText(least) : translate("page.preview.range", { least, most }),
  ];
}

function pointsText(points: number): string {
  return translate(points < 0 ? "page.preview.less" : "page.preview.points", {
    count: Math.abs(points),
  });
}

/** Return for example "Orange: 4 × 2 = 8", "Yellow 3" or "Green: field 5". */
function entryText(layout: CleverLayout, { area, cell, value }: PreviewCell): string {
  const printed = layout.areas[area];
  const field = printed?.cells[cell];
  const colour = capitalise(layout.words[printed?.name ?? ""] ?? "");
  if (!printed || !field || printed.kind === "grid") {
    return translate("page.preview.cross", { colour, number: field?.number ?? 0 });
  }
  if (field.minimum > 0) {
    return translate("page.preview.next", { colour, number: cell + 1 });
  }
  const { factor } = field;
  return factor > 1
    ? translate("page.preview.times", { colour, factor, value: value / factor, number: value })
    : translate("page.preview.write", { colour, number: value });
}

function platterText(layout: CleverLayout, dice: readonly number[]): string[] {
  const names = dice.map((die) => layout.words[layout.dice[die]?.name ?? ""]).join(", ");
  return dice.length === 0 ? [] : [translate("page.preview.platter", { names })];
}
