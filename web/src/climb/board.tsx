import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Connection } from "../connection";
import type { BoardActions } from "../drawing";
import { formatPercent } from "../format";
import { memory } from "../memory";
import { useObservable } from "../observable";
import type { ClimbLayout, ClimbMoveView, ClimbView, MoveView, OddsMessage } from "../protocol";
import { SheetPanel } from "../table/sheet-panel";
import { translate } from "../translate";
import { Switch } from "../ui/settings";
import { type CardHandle, cardsByName } from "./card";
import { highlightedZones, isClimbMove, moveInto, movesOfCard, pointsGained } from "./choice";
import { Dice } from "./dice";
import { Levels } from "./levels";
import { Bonuses, Piles, Resources, WaitingCards } from "./side";

interface ClimbBoardProps {
  layout: ClimbLayout;
  view: ClimbView;
  seq: number;
  moves: readonly MoveView[];
  actions: BoardActions;
  /** Null in a review, which sends no requests. */
  connection: Connection | null;
  odds: OddsMessage | null;
}

const ODDS_DELAY = 120;

export function ClimbBoard({
  layout,
  view,
  seq,
  moves,
  actions,
  connection,
  odds,
}: ClimbBoardProps): JSX.Element | null {
  const { seat, enabled, hinted, onMove } = actions;
  const { odds: showsOdds } = useObservable(memory);
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useLayoutEffect(() => setChosen(null), [seq, seat]);
  const cards = useMemo(() => cardsByName(layout), [layout]);
  const rolling = view.phase === "rolling";
  const requestsOdds = showsOdds && rolling && !view.over && connection !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    // Other players may move quickly: ask only when the position is stable.
    const timer = requestsOdds
      ? setTimeout(() => connection?.send({ type: "odds", seq, seat }), ODDS_DELAY)
      : 0;
    return () => clearTimeout(timer);
  }, [requestsOdds, seq, seat]);
  const player = view.players[seat];
  if (!player) {
    return null;
  }
  const legal: ClimbMoveView[] = enabled ? moves.filter(isClimbMove) : [];
  const placeCard = (card: string | null, zone: string): void => {
    const move = moveInto(legal, card, zone);
    if (move) {
      onMove(move);
    }
  };
  const handleOf = (card: string): CardHandle | null => {
    const [only, ...others] = movesOfCard(legal, card);
    return only === undefined
      ? null
      : {
          onTouch: () =>
            others.length === 0 ? onMove(only) : setChosen(chosen === card ? null : card),
          onLift: () => setChosen(card),
          onDrop: (zone) => placeCard(card, zone),
        };
  };
  const hintedMove = hinted && isClimbMove(hinted) ? hinted : null;
  const zones = highlightedZones(legal, chosen);
  const shownOdds = requestsOdds && odds?.seat === seat ? odds : null;
  const offer = legal.some((move) => move.kind === "bonus")
    ? "bonuses"
    : view.phase === "buying" || (player.waiting.length === 0 && view.phase !== "placing")
      ? "piles"
      : "cards";
  return (
    <>
      {actions.renderPrompt(null)}
      <section
        class={`dice-panel ${view.roll > 0 || view.phase === "rolling" ? "with-dice" : "with-goods"}`}
        aria-label={translate("page.dice")}
      >
        <div class="dice-head">
          <h2 class="dice-heading">
            {translate(view.over ? "common.over" : `page.phase.${view.phase}`)}
            {rolling && view.roll > 0 && ` · ${translate("page.climb.roll", { roll: view.roll })}`}
          </h2>
          <span class="fail-odds">
            {shownOdds && translate("page.odds.fail", { chance: formatPercent(shownOdds.fail, 1) })}
          </span>
          {connection && <Switch name="odds" label={translate("page.odds")} />}
        </div>
        <Dice
          dice={layout.dice}
          faces={[...view.blue, ...view.red]}
          roll={`${view.round}.${view.roll}`}
          onRoll={actions.onRoll}
        />
        <div class={`goods ${offer}`}>
          {offer === "bonuses" && (
            <Bonuses layout={layout} view={view} moves={legal} onMove={onMove} />
          )}
          {offer === "piles" && (
            <Piles layout={layout} view={view} moves={legal} hinted={hintedMove} onMove={onMove} />
          )}
          <WaitingCards
            cards={cards}
            waiting={player.waiting}
            offered={player.offered}
            chosen={chosen}
            hinted={hintedMove?.card ?? ""}
            handleOf={handleOf}
          />
        </div>
        <Resources layout={layout} view={view} player={player} />
      </section>
      <SheetPanel label={translate("page.climb.layout", { name: actions.name(seat) })}>
        <header class="sheet-head">
          <strong class="owner">{actions.name(seat)}</strong>
          <span class="fairy">
            {view.players.length > 1 &&
              view.round > 0 &&
              !view.over &&
              translate("page.climb.fairy", { name: actions.name(view.fairy) })}
          </span>
          {view.solo_rules && (
            <span class="total">{translate("page.climb.sets", { points: player.sets })}</span>
          )}
          <strong class="total sum">{translate("common.points", { count: player.total })}</strong>
        </header>
        <Levels
          levels={player.levels}
          marks={actions.marks}
          cards={cards}
          room={layout.room}
          zones={zones}
          gains={
            new Map(
              [...zones].map((zone) => [
                zone,
                pointsGained(moveInto(legal, chosen, zone), actions.previews),
              ]),
            )
          }
          chosen={chosen}
          rolling={rolling}
          odds={shownOdds}
          hinted={hintedMove}
          handleOf={handleOf}
          onZone={(zone) => placeCard(chosen, zone)}
        />
      </SheetPanel>
    </>
  );
}
