/** What the page draws of a family of games, in one table. */
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
  /** What was there before, if it is known. */
  before: V | null;
  seq: number;
  moves: readonly MoveView[];
  actions: BoardActions;
  /** None where nothing is asked: a game looked back at. */
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
  /** Sheet or levels of a seat with all that is touched there. */
  Board: (props: BoardProps<L, V>) => JSX.Element | null;
  /** Those of another seat, to look at only. */
  Mini: (props: MiniProps<L, V>) => JSX.Element | null;
  /** What the rules speak of, drawn from what is printed. */
  Picture: (props: { layout: L }) => JSX.Element;
  sign: IconName;
}

const DRAWINGS: Record<Layout["kind"], Drawing<never, never>> = {
  clever: { Board: CleverBoard, Mini: MiniSheet, Picture: SheetPicture, sign: "fox" },
  climb: { Board: ClimbBoard, Mini: MiniLevels, Picture: CardPicture, sign: "clover" },
};

/** How the family of a layout is drawn; views come from the same table as the layout. */
export function drawingOf({ kind }: Layout): Drawing {
  return DRAWINGS[kind] as Drawing;
}
