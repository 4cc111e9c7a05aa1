import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useAnswer } from "../answers";
import type { Connection } from "../connection";
import type { BoardActions } from "../family";
import { formatPercent } from "../format";
import { memory } from "../memory";
import { useSelected } from "../observable";
import type { ClimbLayout, ClimbMoveView, ClimbView, MoveView } from "../protocol";
import { SheetPanel } from "../table/sheet-panel";
import { capitalise, translate } from "../translate";
import { Switch } from "../ui/settings";
import { type CardHandle, cardsByName } from "./card";
import { highlightedZones, moveInto, movesOfCard, pointsGained, zoneOf } from "./choice";
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

/** What is chosen in a state. */
interface Choice {
  at: string;
  card: string | null;
  /** The move that a second touch plays. */
  move: ClimbMoveView | null;
}

/** Return what a chosen move does, with the points it gains. */
function movePreview({ words }: ClimbMoveView, points: number): string {
  return points > 0
    ? `${capitalise(words)} · ${translate("page.preview.points", { count: points })}`
    : capitalise(words);
}

export function ClimbBoard({
  layout,
  view,
  seq,
  moves,
  actions,
  connection,
}: ClimbBoardProps): JSX.Element | null {
  const { seat, enabled, hinted, instant, onMove } = actions;
  const showsOdds = useSelected(memory, ({ odds }) => odds);
  const at = `${seq} ${seat}`;
  // In another state, or at another seat, nothing is chosen.
  const [choice, setChoice] = useState<Choice | null>(null);
  const { card: chosen = null, move: pending = null } = choice?.at === at ? choice : {};
  const setChosen = (card: string | null): void => setChoice({ at, card, move: null });
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
  // The first touch chooses a move, the second one plays it.
  const choose = (move: ClimbMoveView): void =>
    instant || pending?.id === move.id
      ? onMove(move)
      : setChoice({ at, card: zoneOf(move) ? move.card : null, move });
  const placeCard = (card: string | null, zone: string): void => {
    const move = moveInto(legal, card, zone);
    if (move && card === null) {
      choose(move);
    } else if (move) {
      onMove(move);
    }
  };
  const handleOf = (card: string): CardHandle | null => {
    const [only, ...others] = movesOfCard(legal, card);
    return only === undefined
      ? null
      : {
          onTouch: () =>
            others.length === 0 ? choose(only) : setChosen(chosen === card ? null : card),
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
      {actions.renderPrompt(
        null,
        pending && movePreview(pending, pointsGained(pending, actions.previews.value)),
        pending && { onConfirm: () => onMove(pending), onCancel: () => setChoice(null) },
      )}
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
            <Bonuses layout={layout} view={view} moves={legal} chosen={pending} onMove={choose} />
          )}
          {offer === "piles" && (
            <Piles
              layout={layout}
              view={view}
              moves={legal}
              hinted={hintedMove}
              chosen={pending}
              onMove={choose}
            />
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
