/**
 * What a player has touched so far, and what that leaves of his legal moves.
 * Dice, bonuses and places may be touched in any order; a touch that leaves one move makes it.
 */
import type { CleverMoveView } from "../protocol";

export interface Choice {
  die: number | null;
  bonus: string | null;
  area: number | null;
  cell: number | null;
}

export const NOTHING: Choice = { die: null, bonus: null, area: null, cell: null };

/** A legal move that enters something on the sheet. */
export function isEntry(move: CleverMoveView): boolean {
  return move.kind === "use" || move.kind === "bonus";
}

export function matchingMoves(moves: readonly CleverMoveView[], choice: Choice): CleverMoveView[] {
  return moves.filter(
    (move) =>
      isEntry(move) &&
      (choice.die === null || move.die === choice.die) &&
      (choice.bonus === null || move.bonus === choice.bonus) &&
      (choice.area === null || (move.area === choice.area && move.cell === choice.cell)),
  );
}

/** Adds a touch to the choice; touching the same thing again takes it back, touching a thing that no longer fits starts anew. */
export function touch(
  moves: readonly CleverMoveView[],
  choice: Choice,
  part: Partial<Choice>,
): Choice {
  const isRepeated = (Object.keys(part) as (keyof Choice)[]).every(
    (key) => choice[key] === part[key],
  );
  if (isRepeated) {
    return { ...choice, ...clear(part) };
  }
  const next = { ...choice, ...part };
  return matchingMoves(moves, next).length > 0 ? next : { ...NOTHING, ...part };
}

function clear(part: Partial<Choice>): Partial<Choice> {
  return Object.fromEntries(Object.keys(part).map((key) => [key, null]));
}

/** The bonus that must be placed when there is only one kind of them: nothing to choose there. */
export function withOnlyBonus(moves: readonly CleverMoveView[], choice: Choice): Choice {
  const bonuses = new Set(moves.filter((move) => move.kind === "bonus").map((move) => move.bonus));
  const [only] = bonuses;
  return bonuses.size === 1 && only !== undefined && choice.bonus === null
    ? { ...choice, bonus: only }
    : choice;
}

/** What lights up: everything that some move still left would touch. */
export interface Highlights {
  dice: Set<number>;
  bonuses: Set<string>;
  cells: Set<string>;
  /** Moves that differ in the number alone: the player chooses the number. */
  numbers: CleverMoveView[];
}

export function cellKey(area: number, cell: number): string {
  return `${area}:${cell}`;
}

export function highlight(moves: readonly CleverMoveView[], choice: Choice): Highlights {
  const matching = matchingMoves(moves, choice);
  // A die or bonus other than the chosen one stays touchable as long as it has any move of its own.
  const entries = moves.filter(isEntry);
  const placed =
    choice.area === null
      ? entries
      : matchingMoves(moves, { ...NOTHING, area: choice.area, cell: choice.cell });
  const numbers = isNumberChoice(matching) ? matching : [];
  return {
    dice: new Set(placed.filter((move) => move.die >= 0).map((move) => move.die)),
    bonuses: new Set(placed.filter((move) => move.kind === "bonus").map((move) => move.bonus)),
    cells: new Set(matching.map((move) => cellKey(move.area, move.cell))),
    numbers,
  };
}

function isNumberChoice(matching: readonly CleverMoveView[]): boolean {
  const [first] = matching;
  return (
    first !== undefined &&
    matching.length > 1 &&
    matching.every(
      (m) =>
        m.die === first.die &&
        m.bonus === first.bonus &&
        m.area === first.area &&
        m.cell === first.cell,
    )
  );
}

/** The move that is meant, if the touch left only one. */
export function chosenMove(
  moves: readonly CleverMoveView[],
  choice: Choice,
): CleverMoveView | null {
  const matching = matchingMoves(moves, choice);
  return matching.length === 1 ? (matching[0] ?? null) : null;
}
