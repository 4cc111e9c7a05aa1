import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useAnswer } from "../answers";
import type { Connection } from "../connection";
import type { BoardActions } from "../family";
import { formatPercent } from "../format";
import { memory } from "../memory";
import { useSelected } from "../observable";
import type { ClimbLayout, ClimbView, MoveView } from "../protocol";
import { SheetPanel } from "../table/sheet-panel";
import { translate } from "../translate";
import { Switch } from "../ui/settings";
import { type CardHandle, cardsByName } from "./card";
import { highlightedZones, moveInto, movesOfCard, pointsGained } from "./choice";
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
}

const ODDS_DELAY = 120;

export function ClimbBoard({
  layout,
  view,
  seq,
  moves,
  actions,
  connection,
}: ClimbBoardProps): JSX.Element | null {
  const { seat, enabled, hinted, onMove } = actions;
  const showsOdds = useSelected(memory, ({ odds }) => odds);
  const at = `${seq} ${seat}`;
  // In another state, or at another seat, nothing is chosen.
  const [choice, setChoice] = useState<{ at: string; card: string | null } | null>(null);
  const chosen = choice?.at === at ? choice.card : null;
  const setChosen = (card: string | null): void => setChoice({ at, card });
  const cards = useMemo(() => cardsByName(layout), [layout]);
  const rolling = view.phase === "rolling";
  const odds = useAnswer(
    connection,
    showsOdds && rolling && !view.over ? { type: "odds", seat } : null,
    ODDS_DELAY,
  ).value.answer;
  const player = view.players[seat];
  if (!player) {
    return null;
  }
  const legal = enabled ? moves.filter((move) => move.family === "climb") : [];
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
  const hintedMove = hinted?.family === "climb" ? hinted : null;
  const zones = highlightedZones(legal, chosen);
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
            {odds && translate("page.odds.fail", { chance: formatPercent(odds.fail, 1) })}
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
                pointsGained(moveInto(legal, chosen, zone), actions.previews.value),
              ]),
            )
          }
          chosen={chosen}
          rolling={rolling}
          odds={odds}
          hinted={hintedMove}
          handleOf={handleOf}
          onZone={(zone) => placeCard(chosen, zone)}
        />
      </SheetPanel>
    </>
  );
}
