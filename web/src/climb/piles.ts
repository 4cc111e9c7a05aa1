/**
 * Tracks the card piles, so that no server can remove a card from a draw.
 * Pure.
 */

import type { Piles, RemainingCards, TableBefore } from "../fair/witness";
import type { CardLayout, ClimbView, LogEntry } from "../protocol";

/** The cards of a game, with what is needed to track them. */
type Cards = readonly Pick<CardLayout, "name" | "colour" | "start">[];

const CARD = "card ";
const SEATS_OF_COPY = 4;
const SETS = "ABCD";
const SMALLEST_GROUP = 3;
const LARGEST_GROUP = 4;

/** Return the piles of a game with these cards. */
export function pilesOf(deck: Cards): Piles<ClimbView> {
  const cardsInGame = (players: number): Cards =>
    deck.filter(({ name }) => players > SEATS_OF_COPY || !name.endsWith("b"));
  const ofColour = (colour: string, players: number): Cards =>
    cardsInGame(players).filter((card) => card.colour === colour);
  const remainingOf = (left: RemainingCards, colour: string, players: number): readonly string[] =>
    left[colour] ?? initialPile(ofColour(colour, players), players);
  return {
    drawCandidates: (text, announced, players, left, before) => {
      const colour = deck.find(({ name }) => CARD + name === text)?.colour ?? "";
      const cards = ofColour(colour, players).map(({ name }) => name);
      const pile = remainingOf(left, colour, players);
      // If the pile ran out in a state this page never saw, only the server's list is known.
      const names =
        pile.length > 0
          ? pile
          : before
            ? rebuiltPile(cards, colour, before)
            : cards.filter((name) => announced?.includes(CARD + name));
      const from = names.map((name) => CARD + name);
      return announced === null || announced.join() === from.join()
        ? { from, left: { ...left, [colour]: names.filter((name) => CARD + name !== text) } }
        : null;
    },
    isComplete: (view, left, log) => {
      const players = view.players.length;
      const under = view.piles.flatMap((pile) => pile.under);
      const onTable = view.players.flatMap(({ waiting, levels }) => [
        ...waiting,
        ...levels.flatMap(({ active, scored }) => [...active, ...scored]).map(({ card }) => card),
      ]);
      const shuffled = view.piles.flatMap(({ colour }) => remainingOf(left, colour, players));
      const all = cardsInGame(players).map(({ name }) => name);
      return (
        [...under, ...onTable, ...shuffled].sort().join() === all.sort().join() &&
        under.every((name) => wasReturned(name, log))
      );
    },
  };
}

/** Return a pile before the first draw: all cards except those dealt at the start. */
function initialPile(cards: Cards, players: number): string[] {
  const isDealt = ({ name, start }: Cards[number]): boolean =>
    start !== "" && SETS.indexOf(start) + (name.endsWith("b") ? SEATS_OF_COPY : 0) < players;
  return cards.filter((card) => !isDealt(card)).map(({ name }) => name);
}

/**
 * Return the next cards of an empty pile: the known one under it, or a pile rebuilt from groups of
 * scored cards, of which one card each stays with a multiplier.
 */
function rebuiltPile(
  cards: readonly string[],
  colour: string,
  { view, mover }: TableBefore<ClimbView>,
): readonly string[] {
  const under = view.piles.find((pile) => pile.colour === colour)?.under ?? [];
  if (under.length > 0) {
    return under.slice(0, 1);
  }
  const returned: string[] = [];
  let markers = view.multipliers;
  for (const at of view.players.keys()) {
    for (const { scored } of [
      ...(view.players[(mover + at) % view.players.length]?.levels ?? []),
    ].reverse()) {
      const plain = scored
        .filter(({ card, times }) => times === 1 && cards.includes(card))
        .map(({ card }) => card)
        .sort(byNumber);
      for (; plain.length >= SMALLEST_GROUP && markers > 0; markers -= 1) {
        returned.push(...plain.splice(0, LARGEST_GROUP).slice(1));
      }
    }
  }
  return cards.filter((name) => returned.includes(name));
}

const byNumber = (a: string, b: string): number =>
  parseInt(a, 10) - parseInt(b, 10) || a.length - b.length;

/** Whether a card may be under its pile: it was exchanged or turned in, not scored, last. */
function wasReturned(name: string, log: readonly LogEntry[]): boolean {
  const last = log.findLast(({ text }) =>
    [CARD, "turn in ", "score ", "lift "].some((prefix) => text === prefix + name),
  );
  return last !== undefined && !/^[sl]/.test(last.text);
}
