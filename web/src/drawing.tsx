/** The components of each family of games. */
import type { JSX } from "preact";
import type { IconName } from "./art/icons";
import { CleverBoard } from "./clever/board";
import { MiniSheet } from "./clever/mini";
import { SheetPicture } from "./clever/picture";
import { ClimbBoard } from "./climb/board";
import { MiniLevels } from "./climb/mini";
import { CardPicture } from "./climb/picture";
import type { Connection } from "./connection";
import type { Layout, MoveView, OddsMessage, View } from "./protocol";
import type { BoardActions } from "./table/table";

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
