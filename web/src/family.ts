/** The functions of each family of games; its components are in `drawing.tsx`. Pure. */
import { clever } from "./clever/family";
import { climb } from "./climb/family";
import type { Piles } from "./fair/witness";
import type { CardLayout, Layout, View } from "./protocol";

export interface Family<L = Layout, V = View> {
  /** Return the number of seats. */
  seatCount: (view: V) => number;
  /** Return a mark for everything new on the sheet or levels of a seat. */
  newMarks: (before: V, now: V, seat: number) => ReadonlySet<string>;
  /** Whether a mark still applies. */
  hasMark: (view: V, seat: number, mark: string) => boolean;
  /** Return the names of the situations a seat is in, for the coach, the most general first. */
  situations: (view: V, seat: number, isActing: boolean) => string[];
  /** Whether a seat has won something, for feedback. */
  gainsBonus: (before: V, view: V, seat: number) => boolean;
  /** Return the colours of the dice to roll, in the order of the notation. */
  rolledDice: (layout: L, view: V) => string[];
  /** Return colours and faces of the dice in a text such as `=ybo`. */
  tiedDice: (layout: L, view: V, text: string) => [string, number][];
  cards: (layout: L) => readonly CardLayout[];
  /** Return the letters of the dice in the order of the sheet, if rolls contain them. */
  letters: (layout: L) => string;
  /** Return the dice on the table, in the notation of rolls. */
  shownDice: (layout: L, view: V) => readonly string[];
  /** Load the card piles of fair dice, if there are cards. */
  piles: (layout: L) => Promise<Piles<V> | null>;
  /** Return the bonus of each round. */
  rewards: (layout: L) => readonly string[];
  /** Return the server's name of a die, field, card or level on the screen. */
  targetName: (layout: L, touched: HTMLElement) => string;
}

const FAMILIES: Record<Layout["kind"], Family<never, never>> = { clever, climb };

/** Return the family of a layout or view; layouts and views passed to it must be of one table. */
export function familyOf({ kind }: Pick<Layout, "kind">): Family {
  return FAMILIES[kind] as Family;
}
