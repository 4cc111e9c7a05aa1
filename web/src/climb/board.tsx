import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Connection } from "../connection";
import { memory, remember } from "../memory";
import { useObservable } from "../observable";
import type { ClimbLayout, ClimbMoveView, ClimbView, MoveView, OddsMessage } from "../protocol";
import type { BoardActions } from "../table/table";
import { say } from "../words";
import { type CardHandle, percent } from "./card";
import { isClimbMove, litZones, moveInto, movesOfCard } from "./choice";
import { Dice } from "./dice";
import { Levels } from "./levels";
import { Belongings, Bonuses, Offer, Piles, Waiting } from "./side";

interface ClimbBoardProps {
  layout: ClimbLayout;
  view: ClimbView;
  seq: number;
  moves: readonly MoveView[];
  actions: BoardActions;
  connection: Connection;
  odds: OddsMessage | null;
}

const SETTLED = 120;

export function ClimbBoard({ layout, view, seq, moves, actions, connection, odds }: ClimbBoardProps): JSX.Element | null {
  const { seat, enabled, onMove } = actions;
  const { odds: wanted } = useObservable(memory);
  const [chosen, setChosen] = useState<number | null>(null);
  useEffect(() => setChosen(null), [seq, seat]);
  const panel = useRef<HTMLElement>(null);
  // On a small screen the lowest level, where most begins, may be out of sight.
  useEffect(() => [...(panel.current?.querySelectorAll("[data-act]") ?? [])].at(-1)?.scrollIntoView({ block: "nearest" }), [seq, enabled]);
  const cards = useMemo(() => new Map(layout.cards.map((card) => [card.number, card])), [layout]);
  const rolling = view.phase === "rolling";
  const asks = wanted && rolling && !view.over;
  useEffect(() => {
    // Others move quickly: ask when the position has stood for a moment.
    const timer = asks ? setTimeout(() => connection.send({ type: "odds", seq, seat }), SETTLED) : 0;
    return () => clearTimeout(timer);
  }, [asks, seq, seat]);
  const player = view.players[seat];
  if (!player) {
    return null;
  }
  const legal: ClimbMoveView[] = enabled ? moves.filter(isClimbMove) : [];
  const put = (card: number | null, zone: string): void => {
    const move = moveInto(legal, card, zone);
    if (move) {
      onMove(move);
    }
  };
  const handleOf = (card: number): CardHandle | null => {
    const [only, ...others] = movesOfCard(legal, card);
    return only === undefined ? null : {
      onTouch: () => (others.length === 0 ? onMove(only) : setChosen(chosen === card ? null : card)),
      onLift: () => setChosen(card),
      onDrop: (zone) => put(card, zone),
    };
  };
  const shownOdds = asks && odds?.seat === seat ? odds : null;
  return (
    <>
      <section class={`dice-panel phase-${view.phase}`} aria-label={say("page.dice")}>
        <div class="dice-head">
          <h2 class="dice-heading">{say(`page.phase.${view.phase}`)}{rolling && view.roll > 0 && ` · ${say("page.climb.roll", { roll: view.roll })}`}</h2>
          {shownOdds && <span class="fail-odds">{say("page.odds.fail", { chance: percent(shownOdds.fail) })}</span>}
          <label class="switch"><input type="checkbox" role="switch" checked={wanted} onChange={(event) => remember({ odds: event.currentTarget.checked })} /> {say("page.odds")}</label>
        </div>
        <Dice blue={view.blue} red={view.red} roll={`${view.round}.${view.roll}`} onRoll={actions.onRoll} />
        <Belongings layout={layout} view={view} player={player} />
        <Bonuses layout={layout} view={view} moves={legal} onMove={onMove} />
        <Offer cards={cards} offered={player.offered} />
        <Waiting cards={cards} waiting={player.waiting} chosen={chosen} handleOf={handleOf} />
        <Piles layout={layout} view={view} player={player} moves={legal} onMove={onMove} />
      </section>
      <section class="sheet-panel" ref={panel} aria-label={say("page.climb.layout", { name: actions.name(seat) })}>
        <Levels
          levels={player.levels}
          cards={cards}
          room={layout.room}
          zones={litZones(legal, chosen)}
          chosen={chosen}
          rolling={rolling}
          odds={shownOdds}
          handleOf={handleOf}
          onZone={(zone) => put(chosen, zone)}
        />
        <footer class="totals">
          <span class="total">{say("page.climb.luck", { count: player.luck })}</span>
          {view.solo_rules && <span class="total">{say("page.climb.sets", { points: player.sets })}</span>}
          <strong class="total sum">{say("page.sheet.total", { count: player.total })}</strong>
        </footer>
      </section>
    </>
  );
}
