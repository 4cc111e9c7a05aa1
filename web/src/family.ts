/** What the page asks of a family of games, in one table. What it draws of one stands in `drawing.tsx`. Pure. */
import { clever } from "./clever/family";
import { climb } from "./climb/family";
import type { Piles } from "./fair/witness";
import type { CardLayout, Layout, View } from "./protocol";

export interface Family<L = Layout, V = View> {
  /** How many sit at the table. */
  seatCount: (view: V) => number;
  /** What is new on the sheet or the levels of a seat, a mark each. */
  newMarks: (before: V, now: V, seat: number) => ReadonlySet<string>;
  /** Whether such a mark is still true. */
  hasMark: (view: V, seat: number, mark: string) => boolean;
  /** What the table looks like to a seat that must learn it, and that may be asked to act: names of situations, the most general first. */
  situations: (view: V, seat: number, isActing: boolean) => string[];
  /** Whether a seat has got something, so that it may be heard. */
  gainsBonus: (before: V, view: V, seat: number) => boolean;
  /** The colours of the dice that are rolled now, in the order in which their faces are written. */
  rolledDice: (layout: L, view: V) => string[];
  /** The dice that a text such as `=ybo` names by their letters: colours and faces. */
  tiedDice: (layout: L, view: V, text: string) => [string, number][];
  cards: (layout: L) => readonly CardLayout[];
  /** The letters of the dice in the order of the sheet, where rolls are written with them. */
  letters: (layout: L) => string;
  /** The dice that are shown, as rolls write them. */
  shownDice: (layout: L, view: V) => readonly string[];
  /** What sealed cards are drawn from, if there are cards. */
  piles: (layout: L) => Promise<Piles<V> | null>;
  /** The bonus that each round brings. */
  rewards: (layout: L) => readonly string[];
  /** How the server calls a die, a field, a card or a level on the screen. */
  targetName: (layout: L, touched: HTMLElement) => string;
}

const FAMILIES: Record<Layout["kind"], Family<never, never>> = { clever, climb };

/** The family that a layout or a view is of; whoever asks it about both took both from the same table. */
export function familyOf({ kind }: Pick<Layout, "kind">): Family {
  return FAMILIES[kind] as Family;
}
