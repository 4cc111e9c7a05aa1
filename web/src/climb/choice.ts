/** Which card and which place belong to a move, so that either can be touched first. Pure. */
import type { ClimbMoveView, MoveView, Preview } from "../protocol";

export type Zone = `active:${number}` | `scored:${number}`;

export function isClimbMove(move: MoveView): move is ClimbMoveView {
  return "card" in move;
}

/** Where a card is put by a move; null for moves that are made on the card itself. */
export function zoneOf(move: ClimbMoveView): Zone | null {
  switch (move.kind) {
    case "build":
    case "push":
      return `active:${move.level}`;
    case "score":
    case "lift":
      return `scored:${move.level}`;
    default:
      return null;
  }
}

/** Moves made by touching a card or carrying it somewhere. */
export function movesOfCard(moves: readonly ClimbMoveView[], card: string): ClimbMoveView[] {
  return card === "" ? [] : moves.filter((move) => move.card === card && CARD_MOVES.has(move.kind));
}

const CARD_MOVES: ReadonlySet<ClimbMoveView["kind"]> = new Set([
  "build",
  "push",
  "score",
  "lift",
  "turn_in",
  "fulfil",
]);

/** The one move that a place means, for the chosen card or, with none chosen, for whatever card fits alone. */
export function moveInto(
  moves: readonly ClimbMoveView[],
  card: string | null,
  zone: string,
): ClimbMoveView | null {
  const matching = moves.filter(
    (move) => zoneOf(move) === zone && (card === null || move.card === card),
  );
  return matching.length === 1 ? (matching[0] ?? null) : null;
}

/** Points that a move brings at once, as the server has told; 0 until then. */
export function pointsGained(move: ClimbMoveView | null, previews: readonly Preview[]): number {
  return previews.find((preview) => preview.id === move?.id)?.points ?? 0;
}

/** Places that light up. */
export function highlightedZones(
  moves: readonly ClimbMoveView[],
  card: string | null,
): Set<string> {
  const zones = new Set(moves.map(zoneOf).filter((zone) => zone !== null));
  return new Set(
    [...zones].filter((zone) =>
      card === null ? moveInto(moves, null, zone) !== null : moveInto(moves, card, zone) !== null,
    ),
  );
}
