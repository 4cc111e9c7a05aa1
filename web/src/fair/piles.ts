/** What cards are drawn from: the page counts along what lies on the table, so that no server can leave one out. Pure; fetched for games that have cards. */
import type { CardLayout, ClimbView, LogEntry } from "../protocol";
import type { Left, Piles, Seen } from "./witness";

/** Cards of a game, as far as the page must know them to count along. */
type Deck = readonly Pick<CardLayout, "name" | "colour" | "start">[];

const CARD = "card ";
const SEATS_OF_COPY = 4;
const SETS = "ABCD";
const SMALLEST_GROUP = 3;
const LARGEST_GROUP = 4;

/** The piles of a game with these cards. */
export function pilesOf(deck: Deck): Piles<ClimbView> {
  const played = (players: number): Deck =>
    deck.filter(({ name }) => players > SEATS_OF_COPY || !name.endsWith("b"));
  const ofColour = (colour: string, players: number): Deck =>
    played(players).filter((card) => card.colour === colour);
  const leftOf = (left: Left, colour: string, players: number): readonly string[] =>
    left[colour] ?? freshPile(ofColour(colour, players), players);
  return {
    drawnFrom: (text, told, players, left, seen) => {
      const colour = deck.find(({ name }) => CARD + name === text)?.colour ?? "";
      const cards = ofColour(colour, players).map(({ name }) => name);
      const pile = leftOf(left, colour, players);
      // Of a pile used up out of sight only the cards that lie on the table afterwards can be counted.
      const names =
        pile.length > 0
          ? pile
          : seen
            ? newPile(cards, colour, seen)
            : cards.filter((name) => told?.includes(CARD + name));
      const from = names.map((name) => CARD + name);
      return told === null || told.join() === from.join()
        ? { from, left: { ...left, [colour]: names.filter((name) => CARD + name !== text) } }
        : null;
    },
    addUp: (view, left, log) => {
      const players = view.players.length;
      const under = view.piles.flatMap((pile) => pile.under);
      const lying = view.players.flatMap(({ waiting, levels }) => [
        ...waiting,
        ...levels.flatMap(({ active, scored }) => [...active, ...scored]).map(({ card }) => card),
      ]);
      const shuffled = view.piles.flatMap(({ colour }) => leftOf(left, colour, players));
      const all = played(players).map(({ name }) => name);
      return (
        [...under, ...lying, ...shuffled].sort().join() === all.sort().join() &&
        under.every((name) => cameUnder(name, log))
      );
    },
  };
}

/** A pile nobody has drawn from: all cards but those everybody begins with. */
function freshPile(cards: Deck, players: number): string[] {
  const dealt = ({ name, start }: Deck[number]): boolean =>
    start !== "" && SETS.indexOf(start) + (name.endsWith("b") ? SEATS_OF_COPY : 0) < players;
  return cards.filter((card) => !dealt(card)).map(({ name }) => name);
}

/** A pile without shuffled cards: the known one comes up, or it is built anew of scored cards in groups, of which one stays with a marker. */
function newPile(
  cards: readonly string[],
  colour: string,
  { view, mover }: Seen<ClimbView>,
): readonly string[] {
  const under = view.piles.find((pile) => pile.colour === colour)?.under ?? [];
  if (under.length > 0) {
    return under.slice(0, 1);
  }
  const given: string[] = [];
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
        given.push(...plain.splice(0, LARGEST_GROUP).slice(1));
      }
    }
  }
  return cards.filter((name) => given.includes(name));
}

const byNumber = (a: string, b: string): number =>
  parseInt(a, 10) - parseInt(b, 10) || a.length - b.length;

/** A card that lies under its pile was drawn and not wanted, or turned in; one that was scored last can only have been shuffled. */
function cameUnder(name: string, log: readonly LogEntry[]): boolean {
  const last = log.findLast(({ text }) =>
    [CARD, "turn in ", "score ", "lift "].some((deed) => text === deed + name),
  );
  return last !== undefined && !/^[sl]/.test(last.text);
}
