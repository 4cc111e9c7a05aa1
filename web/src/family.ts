/**
 * The families of games. Each is one folder that is loaded with its first table: boards, styles,
 * and what the rest of the page must know about its moves, dice and elements.
 */
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { IconName } from "./art/icons";
import { cleverArt } from "./clever/art";
import { climbArt } from "./climb/art";
import type { Connection } from "./connection";
import type { Piles } from "./fair/witness";
import type { GameArt } from "./game-style";
import type { Layout, MoveView, Preview, View } from "./protocol";

/** What a board needs besides layout and view. */
export interface BoardActions {
  seat: number;
  /** False while a request is pending, and for other players' seats. */
  enabled: boolean;
  name: (seat: number) => string;
  onMove: (move: MoveView) => void;
  onRoll: (() => void) | null;
  /** Marks of what the last move of the shown player changed. */
  marks: ReadonlySet<string>;
  /** Previews of the moves, empty until they arrive; a board that shows none does not read them. */
  previews: ReadonlySignal<readonly Preview[]>;
  /** The hinted move. */
  hinted: MoveView | null;
  /** Play the only move left at once, instead of after a second tap. */
  instant: boolean;
  /**
   * Render the prompt with further buttons of the board and, if given, another text and the move to
   * confirm.
   */
  renderPrompt: (
    choices: ComponentChildren,
    words?: string | null,
    pending?: PendingMove | null,
  ) => JSX.Element;
}

/** A move that was chosen and not played yet. */
export interface PendingMove {
  onConfirm: () => void;
  onCancel: () => void;
}

interface BoardProps<L, V> {
  layout: L;
  view: V;
  /** The previous view, if known. */
  before: V | null;
  seq: number;
  moves: readonly MoveView[];
  actions: BoardActions;
  /** Null in a review, which sends no requests. */
  connection: Connection | null;
}

interface MiniProps<L, V> {
  layout: L;
  view: V;
  seat: number;
  owner: string;
  marks: ReadonlySet<string> | undefined;
}

export interface Family<L = Layout, V = View> {
  /** The interactive sheet or levels of a seat. */
  Board: (props: BoardProps<L, V>) => JSX.Element | null;
  /** The same without interaction, for other seats. */
  Mini: (props: MiniProps<L, V>) => JSX.Element | null;
  /** The picture of the rules. */
  Picture: (props: { layout: L }) => JSX.Element;
  /** What a round gives at its start. */
  Reward: (props: { layout: L; round: number }) => JSX.Element | null;
  /** A possible outcome, as a button of the entry of real dice shows it. */
  Outcome: (props: { layout: L; view: V; text: string }) => JSX.Element;
  sign: IconName;
  /** Icons of the kinds of moves that need no die, card or field: they have buttons. */
  moveIcons: Readonly<Record<string, IconName>>;
  /** Kinds of moves to confirm if there is another one. */
  confirmedMoves: ReadonlySet<string>;
  /** Kinds of moves that cannot be undone: dice roll or a card is drawn. */
  finalMoves: ReadonlySet<string>;
  /** Kinds of moves after which the player rolls, without another click. */
  rollingMoves: ReadonlySet<string>;
  /** Selects the elements that explain themselves when they are clicked in vain. */
  explainable: string;
  /** Return the server's name of such an element. */
  targetName: (layout: L, touched: HTMLElement) => string;
  /** Return the number of seats. */
  seatCount: (view: V) => number;
  /** Return a mark for everything new on the sheet or levels of a seat. */
  newMarks: (before: V, now: V, seat: number) => ReadonlySet<string>;
  /** Whether a mark still applies. */
  hasMark: (view: V, seat: number, mark: string) => boolean;
  /** Return the names of the situations a seat is in, for the coach, the most general first. */
  situations: (view: V, seat: number, isActing: boolean) => string[];
  /** Selects what the coach points at in a situation; it is scrolled into view. */
  coachTargets: Readonly<Record<string, string>>;
  /** Return the key of why the turn of a seat has ended early, if that needs to be said. */
  turnEnd: (view: V, seat: number, before: V | null) => string | null;
  /** Whether a seat has won something, for feedback. */
  gainsBonus: (before: V, view: V, seat: number) => boolean;
  /** Return the colours of the dice to roll, in the order of the notation. */
  rolledDice: (layout: L, view: V) => string[];
  /** Return the letters of the dice in the order of the sheet, if rolls contain them. */
  letters: (layout: L) => string;
  /** Return the dice on the table, in the notation of rolls. */
  shownDice: (layout: L, view: V) => readonly string[];
  /** Return the card piles of fair dice, if there are cards. */
  piles: (layout: L) => Piles<V> | null;
}

type Kind = Layout["kind"];

interface Registered {
  load: () => Promise<Family<never, never>>;
  /** The start page shows it, so it is not loaded later. */
  art: GameArt;
}

/** All families. */
const FAMILIES: Record<Kind, Registered> = {
  clever: { load: async () => (await import("./clever")).clever, art: cleverArt },
  climb: { load: async () => (await import("./climb")).climb, art: climbArt },
};
const isKind = (kind: string): kind is Kind => Object.hasOwn(FAMILIES, kind);
const loaded = new Map<Kind, Family>();

/** Load a family; what needs one is drawn afterwards. */
export async function loadFamily(kind: Kind): Promise<Family> {
  const family = loaded.get(kind) ?? ((await FAMILIES[kind].load()) as Family);
  loaded.set(kind, family);
  return family;
}

/** Start to load a family that a table will need. */
export function preloadFamily(kind: string): void {
  if (isKind(kind)) {
    loadFamily(kind).catch(() => undefined); // reported when it is needed
  }
}

export const artOf = (kind: string): GameArt => (isKind(kind) ? FAMILIES[kind].art : cleverArt);

/**
 * Return the loaded family of a layout or view; layouts and views passed to it must be of one
 * table.
 */
export function familyOf({ kind }: Pick<Layout, "kind">): Family {
  const family = loaded.get(kind);
  if (!family) {
    throw new Error(`the family ${kind} is not loaded`);
  }
  return family;
}
