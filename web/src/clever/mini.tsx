import type { JSX } from "preact";
import type { CleverLayout, CleverView } from "../protocol";
import { Sheet } from "./sheet";

const NOTHING: ReadonlySet<string> = new Set();
const NO_GHOSTS: ReadonlyMap<string, number> = new Map();
const ignore = (): void => undefined;

/** Another player's sheet, without interaction. */
export function MiniSheet({
  layout,
  view,
  seat,
  owner,
  marks = NOTHING,
}: {
  layout: CleverLayout;
  view: Pick<CleverView, "sheets">;
  seat: number;
  owner: string;
  marks?: ReadonlySet<string> | undefined;
}): JSX.Element | null {
  const sheet = view.sheets[seat];
  return sheet ? (
    <Sheet
      layout={layout}
      sheet={sheet}
      owner={owner}
      lit={NOTHING}
      fresh={marks}
      hinted=""
      chosen=""
      ghosts={NO_GHOSTS}
      onCell={ignore}
      onHover={ignore}
    />
  ) : null;
}
