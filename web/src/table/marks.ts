/** What each player's last move changed on his sheet or his levels. Pure. */
import { freshCells } from "../clever/fresh";
import type { PlayerView, View } from "../protocol";

export type Marks = readonly ReadonlySet<string>[];

/** The marks after a new view: of players who moved the new ones, of all others those that still stand. */
export function marksAfter(marks: Marks, before: View, now: View): Marks {
  const count = now.kind === "clever" ? now.sheets.length : now.players.length;
  return Array.from({ length: count }, (_, seat) => {
    const fresh = changes(before, now, seat);
    return fresh.size > 0 ? fresh : new Set([...(marks[seat] ?? [])].filter((key) => stands(now, seat, key)));
  });
}

/** What is new on the sheet or the levels of a player. */
export function changes(before: View, now: View, seat: number): ReadonlySet<string> {
  if (before.kind === "clever" && now.kind === "clever") {
    const sheet = now.sheets[seat];
    return sheet ? freshCells(before.sheets[seat], sheet) : new Set();
  }
  if (before.kind === "climb" && now.kind === "climb") {
    const earlier = cardPlaces(before.players[seat]);
    return new Set([...cardPlaces(now.players[seat])].filter((place) => !earlier.has(place)));
  }
  return new Set();
}

function stands(now: View, seat: number, key: string): boolean {
  if (now.kind === "climb") {
    return cardPlaces(now.players[seat]).has(key);
  }
  const [area = 0, cell = 0] = key.split(":").map(Number);
  return (now.sheets[seat]?.marks[area]?.[cell] ?? 0) > 0;
}

export const activePlace = (level: number, card: string): string => `active ${level} ${card}`;
export const scoredPlace = (level: number, card: string): string => `scored ${level} ${card}`;

function cardPlaces(player: PlayerView | undefined): Set<string> {
  return new Set((player?.levels ?? []).flatMap((level, at) => [
    ...level.active.map(({ card, marker }) => activePlace(at, card) + (marker === "" ? "" : " marked")),
    ...level.scored.map(({ card }) => scoredPlace(at, card)),
  ]));
}
