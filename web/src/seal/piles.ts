/** What cards, ties and lots are drawn from: the page counts along, so that no server can leave something out. Pure. */
import type { CardLayout } from "../protocol";

/** Cards of a game, as far as the page must know them to count along. */
export type Deck = readonly Pick<CardLayout, "name" | "colour" | "start">[];

export interface Draw {
  text: string;
  /** As the server tells it, if it does. */
  told: readonly string[] | null;
  players: number;
  deck: Deck;
  /** Draws before this one, the first one first. */
  before: readonly string[];
  /** What is left of piles that were told before. */
  left: readonly (readonly string[])[];
}

const SERVED = 3;
const SEATS_OF_COPY = 4;
const SETS = "ABCD";

/** What a draw can be; null if what the server tells cannot be right. A roll needs none of it. */
export function drawnFrom({ text, told, players, deck, before, left }: Draw): readonly string[] | null {
  if (told === null) {
    return left.find((pile) => pile.includes(text)) ?? null;
  }
  const expected = text.startsWith("begins ") ? lots(players) : text.startsWith("=") ? platters(before.at(-1) ?? "") : freshPile(text, deck, players, before);
  const right = expected ? told.join() === expected.join() : isOldPile(told, text, deck, players, before);
  return right ? told : null;
}

/** The piles after a draw. */
export function leftAfter(left: Draw["left"], from: readonly string[], text: string): Draw["left"] {
  return [...left.filter((pile) => !pile.some((one) => from.includes(one))), from.filter((one) => one !== text)];
}

const lots = (players: number): string[] => Array.from({ length: players }, (_, seat) => `begins ${seat + 1}`);

/** In which ways tied dice of a roll can be among the three lowest, in the order of the rules. */
export function platters(roll: string): string[] {
  const dice = [...roll.matchAll(/([a-z])(\d)/g)].map(([, letter = "", face = ""]) => ({ letter, face: Number(face) }));
  const third = dice.map(({ face }) => face).sort((a, b) => a - b)[SERVED - 1] ?? 0;
  const ways: string[] = [];
  for (let mask = 0; mask < 2 ** dice.length; mask += 1) {
    const served = dice.filter((_, at) => (mask >> at) & 1);
    const lowest = dice.every(({ face }, at) => (face < third ? (mask >> at) & 1 : true));
    if (served.length === SERVED && lowest && served.every(({ face }) => face <= third)) {
      ways.push(`=${served.map(({ letter }) => letter).join("")}`);
    }
  }
  return ways;
}

const cardText = ({ name }: Deck[number]): string => `card ${name}`;

/** The cards of the colour of this one that are played with. */
function colourOf(text: string, deck: Deck, players: number): Deck {
  const colour = deck.find((card) => cardText(card) === text)?.colour;
  return deck.filter((card) => card.colour === colour && (players > SEATS_OF_COPY || !card.name.endsWith("b")));
}

/** A pile nobody has drawn from: all cards but those everybody begins with; null for one that was drawn from before. */
function freshPile(text: string, deck: Deck, players: number, before: readonly string[]): string[] | null {
  const cards = colourOf(text, deck, players);
  if (cards.some((card) => before.includes(cardText(card)))) {
    return null;
  }
  const dealt = ({ name, start }: Deck[number]): boolean => start !== "" && SETS.indexOf(start) + (name.endsWith("b") ? SEATS_OF_COPY : 0) < players;
  return cards.filter((card) => !dealt(card)).map(cardText);
}

/** A pile that was used up holds cards that were in play, each once; which of them only the rules know. */
function isOldPile(told: readonly string[], text: string, deck: Deck, players: number, before: readonly string[]): boolean {
  const known = colourOf(text, deck, players).filter((card) => card.start !== "" || before.includes(cardText(card))).map(cardText);
  return new Set(told).size === told.length && told.every((one) => known.includes(one));
}
