/** The family of the Clever games. */
import { DieFace } from "../art/die";
import type { IconName } from "../art/icons";
import type { Family } from "../family";
import type { CleverLayout, CleverMoveView, CleverView, SheetView } from "../protocol";
import { CleverBoard } from "./board";
import { Bonus } from "./bonus";
import { cellKey } from "./choice";
import "./clever.css";
import { MiniSheet } from "./mini";
import { SheetPicture } from "./picture";

type Kind = CleverMoveView["kind"];

const MOVE_ICONS: Partial<Record<Kind, IconName>> = {
  reroll: "reroll",
  pass: "pass",
  done: "check",
};

const ROLLS = 3;
const USABLE_DICE = ".dice-panel button.die.lit";

export const clever: Family<CleverLayout, CleverView> = {
  Board: CleverBoard,
  Mini: MiniSheet,
  Picture: SheetPicture,
  Reward: ({ layout, round }) => {
    const reward = layout.rewards[round - 1] ?? "";
    return reward === "" ? null : <Bonus name={reward} />;
  },
  // Tied dice, as `=ybo`.
  Outcome: ({ layout, view, text }) => (
    <>
      {layout.dice.map(
        ({ name, letter }, at) =>
          text.includes(letter) && (
            <DieFace key={letter} colour={name} face={view.dice[at]?.face ?? 0} />
          ),
      )}
      <span class="sr">{text}</span>
    </>
  ),
  sign: "fox",
  moveIcons: MOVE_ICONS,
  confirmedMoves: new Set(),
  finalMoves: new Set<Kind>(["reroll"]),
  rollingMoves: new Set<Kind>(["reroll"]),
  explainable: ".dice-panel span[data-die], .sheet-panel span.cell", // not on the small sheets
  seatCount: (view) => view.sheets.length,
  newMarks: (before, now, seat) => {
    const sheet = now.sheets[seat];
    return sheet ? newCells(before.sheets[seat], sheet) : new Set();
  },
  hasMark: (view, seat, mark) => {
    const [area = 0, cell = 0] = mark.split(":").map(Number);
    return (view.sheets[seat]?.marks[area]?.[cell] ?? 0) > 0;
  },
  situations: (view, seat, isActing) => {
    const sheet = view.sheets[seat];
    if (!sheet) {
      return [];
    }
    const found: string[] = sheet.heap.length > 0 ? ["bonus"] : isActing ? [sheet.stage] : [];
    if (view.active === seat && view.roll > 0 && view.dice.some((die) => die.lies === "platter")) {
      found.push("platter");
    }
    return sheet.actions.some((action) => action.unlocked > action.used)
      ? [...found, "actions"]
      : found;
  },
  coachTargets: {
    welcome: ".sheet-frame",
    choose: USABLE_DICE,
    platter: ".tray.platter",
    bonus: ".heap",
    take: USABLE_DICE,
    extra: USABLE_DICE,
    follow: USABLE_DICE,
    return: USABLE_DICE,
    actions: ".sheet-panel .actions",
  },
  turnEnd: (view, seat, before) => {
    // Alone, the three lowest dice are due at once: only the view before shows how it ended.
    const isNext = view.passive_turn && view.chance === "roll";
    const turn = isNext ? before : view;
    return turn !== null &&
      turn.active === seat &&
      turn.roll > 0 &&
      turn.roll < ROLLS &&
      !turn.passive_turn &&
      (isNext || turn.dice.every((die) => die.lies !== "hand"))
      ? "page.turn_end.no_dice"
      : null;
  },
  gainsBonus: (before, view, seat) =>
    (view.sheets[seat]?.heap.length ?? 0) > (before.sheets[seat]?.heap.length ?? 0) ||
    (view.sheets[seat]?.foxes ?? 0) > (before.sheets[seat]?.foxes ?? 0),
  rolledDice: (layout, view) =>
    layout.dice.flatMap((die, at) => (view.dice[at]?.lies === "hand" ? [die.name] : [])),
  letters: (layout) => layout.dice.map((die) => die.letter).join(""),
  shownDice: (layout, view) =>
    layout.dice.flatMap(({ letter }, at) =>
      view.dice[at]?.face ? [letter + view.dice[at].face] : [],
    ),
  piles: () => null,
  targetName: (layout, { dataset: { die, area, cell } }) => {
    const index = Number(area);
    const letter =
      layout.dice[
        die === undefined
          ? layout.dice.findIndex((candidate) => candidate.area === index)
          : Number(die)
      ]?.letter ?? "";
    return area === undefined
      ? letter
      : letter + (layout.areas[index]?.cells[Number(cell)]?.name || `#${Number(cell) + 1}`);
  },
};

/** Return the fields marked since the previous view. */
function newCells(before: SheetView | undefined, now: SheetView): Set<string> {
  return new Set(
    now.marks.flatMap((marks, area) =>
      marks.flatMap((mark, cell) =>
        before && mark > (before.marks[area]?.[cell] ?? 0) ? [cellKey(area, cell)] : [],
      ),
    ),
  );
}
