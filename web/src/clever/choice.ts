/**
 * What a player has chosen so far, and the legal moves that match. Dice, bonuses and fields can be
 * chosen in any order; a second touch plays the move that is left.
 */
import type { CleverMoveView } from "../protocol";

export interface Choice {
  die: number | null;
  bonus: string | null;
  area: number | null;
  cell: number | null;
}

export const NOTHING: Choice = { die: null, bonus: null, area: null, cell: null };

/** Whether a move enters something on the sheet. */
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

/** Add to the choice. Choosing the same again removes it; what fits no move starts a new choice. */
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

/**
 * Return the move that a touch plays, if any. The first touch only chooses: the second one, of the
 * same or of another part of the move, plays it.
 */
export function playedMove(
  moves: readonly CleverMoveView[],
  touched: Choice,
  part: Partial<Choice>,
): CleverMoveView | null {
  const keys = Object.keys(part) as (keyof Choice)[];
  const isSame = keys.every((key) => touched[key] === part[key]);
  const adds = hasChoice(touched) && keys.every((key) => touched[key] === null);
  const next = { ...touched, ...part };
  return isSame || adds ? chosenMove(moves, withOnlyBonus(moves, next)) : null;
}

/** Whether anything is chosen. */
export function hasChoice({ die, bonus, area }: Choice): boolean {
  return die !== null || bonus !== null || area !== null;
}

function clear(part: Partial<Choice>): Partial<Choice> {
  return Object.fromEntries(Object.keys(part).map((key) => [key, null]));
}

/** Choose the bonus if all bonuses are of one kind. */
export function withOnlyBonus(moves: readonly CleverMoveView[], choice: Choice): Choice {
  const bonuses = new Set(moves.filter((move) => move.kind === "bonus").map((move) => move.bonus));
  const [only] = bonuses;
  return bonuses.size === 1 && only !== undefined && choice.bonus === null
    ? { ...choice, bonus: only }
    : choice;
}

/** Everything that a matching move uses. */
interface Highlights {
  dice: Set<number>;
  bonuses: Set<string>;
  cells: Set<string>;
  /** Moves that differ only in the number: the player chooses it. */
  numbers: CleverMoveView[];
}

export function cellKey(area: number, cell: number): string {
  return `${area}:${cell}`;
}

export function highlight(moves: readonly CleverMoveView[], choice: Choice): Highlights {
  const matching = matchingMoves(moves, choice);
  // Other dice and bonuses with moves stay selectable.
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

/** Return the move if only one matches. */
export function chosenMove(
  moves: readonly CleverMoveView[],
  choice: Choice,
): CleverMoveView | null {
  const matching = matchingMoves(moves, choice);
  return matching.length === 1 ? (matching[0] ?? null) : null;
}
