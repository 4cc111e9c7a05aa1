import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ClimbLayout, ClimbView } from "../protocol";
import { cardsByName } from "./card";
import { Levels } from "./levels";

const NOTHING: ReadonlySet<string> = new Set();
const NO_GAINS: ReadonlyMap<string, number> = new Map();

/** Another player's levels, without interaction. */
export function MiniLevels({
  layout,
  view,
  seat,
  marks = NOTHING,
}: {
  layout: ClimbLayout;
  view: ClimbView;
  seat: number;
  marks?: ReadonlySet<string> | undefined;
}): JSX.Element | null {
  const cards = useMemo(() => cardsByName(layout), [layout]);
  const player = view.players[seat];
  return player ? (
    <Levels
      levels={player.levels}
      marks={marks}
      cards={cards}
      room={layout.room}
      zones={NOTHING}
      gains={NO_GAINS}
      chosen={null}
      rolling={false}
      odds={null}
      hinted={null}
      handleOf={() => null}
      onZone={() => undefined}
    />
  ) : null;
}
