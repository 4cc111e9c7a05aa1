/** The card and the zone of each move: either can be chosen first. Pure. */
import type { CardLayout, ClimbLayout, ClimbMoveView, Preview } from "../protocol";

type Zone = `active:${number}` | `scored:${number}`;

/** Return the zone a move puts its card into; null for moves made on the card itself. */
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

/** Return the moves made by clicking or dragging a card. */
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

/**
 * Return the move into a zone, if there is only one for the chosen card or, without one, at all.
 */
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

/** Return the points of a move; 0 until its preview has arrived. */
export function pointsGained(move: ClimbMoveView | null, previews: readonly Preview[]): number {
  return previews.find((preview) => preview.id === move?.id)?.points ?? 0;
}

/** Return the zones that can be chosen. */
export function highlightedZones(
  moves: readonly ClimbMoveView[],
  card: string | null,
): Set<string> {
  const zones = moves.map(zoneOf).filter((zone) => zone !== null);
  return new Set(zones.filter((zone) => moveInto(moves, card, zone) !== null));
}

/** Return the card that a text in notation names, as `card 33`. */
export function cardOf(text: string, layout: ClimbLayout): CardLayout | null {
  const name = /^card (\d+b?)$/.exec(text)?.[1];
  return layout.cards.find((card) => card.name === name) ?? null;
}
