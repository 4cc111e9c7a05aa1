/** The components of each family of games. */
import type { ComponentChildren, JSX } from "preact";
import type { IconName } from "./art/icons";
import { CleverBoard } from "./clever/board";
import { MiniSheet } from "./clever/mini";
import { SheetPicture } from "./clever/picture";
import { ClimbBoard } from "./climb/board";
import { MiniLevels } from "./climb/mini";
import { CardPicture } from "./climb/picture";
import type { Connection } from "./connection";
import type { Layout, MoveView, OddsMessage, Preview, View } from "./protocol";

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
  /** Previews of the moves; empty until they arrive. */
  previews: readonly Preview[];
  /** The hinted move. */
  hinted: MoveView | null;
  /** Render the prompt with further buttons of the board and, if given, another text. */
  renderPrompt: (choices: ComponentChildren, words?: string | null) => JSX.Element;
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
  odds: OddsMessage | null;
}

interface MiniProps<L, V> {
  layout: L;
  view: V;
  seat: number;
  owner: string;
  marks: ReadonlySet<string> | undefined;
}

interface Drawing<L = Layout, V = View> {
  /** The interactive sheet or levels of a seat. */
  Board: (props: BoardProps<L, V>) => JSX.Element | null;
  /** The same without interaction, for other seats. */
  Mini: (props: MiniProps<L, V>) => JSX.Element | null;
  /** The picture of the rules. */
  Picture: (props: { layout: L }) => JSX.Element;
  sign: IconName;
}

const DRAWINGS: Record<Layout["kind"], Drawing<never, never>> = {
  clever: { Board: CleverBoard, Mini: MiniSheet, Picture: SheetPicture, sign: "fox" },
  climb: { Board: ClimbBoard, Mini: MiniLevels, Picture: CardPicture, sign: "clover" },
};

/** Return the components of a layout's family; views must be of the same table. */
export function drawingOf({ kind }: Layout): Drawing {
  return DRAWINGS[kind] as Drawing;
}
