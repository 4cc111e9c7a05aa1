import type { JSX } from "preact";
import type { CardLayout, ClimbMoveView, LevelView, OddsMessage } from "../protocol";
import { say } from "../words";
import { Card } from "./card";
import { litZones, movesOfCard } from "./choice";

interface LevelsProps {
  levels: readonly LevelView[];
  cards: ReadonlyMap<number, CardLayout>;
  room: number;
  moves: readonly ClimbMoveView[];
  chosen: number | null;
  rolling: boolean;
  odds: OddsMessage | null;
  onCard: (card: number) => void;
  onZone: (zone: string) => void;
  onDrop: (card: number, zone: string) => void;
}

/** The strip with its levels, the highest on top: active cards at the left, scored ones at the right. */
export function Levels({ levels, ...rest }: LevelsProps): JSX.Element {
  const zones = litZones(rest.moves, rest.chosen);
  return (
    <ol class="levels" reversed>
      {levels.map((level, at) => <Level key={at} level={level} at={at} zones={zones} {...rest} />).reverse()}
    </ol>
  );
}

function Level({ level, at, zones, cards, room, moves, chosen, rolling, odds, onCard, onZone, onDrop }: Omit<LevelsProps, "levels"> & { level: LevelView; at: number; zones: ReadonlySet<string> }): JSX.Element {
  const touching = (card: number): { chosen: boolean; onTouch: (() => void) | undefined; onDrop: ((zone: string) => void) | undefined } => {
    const can = movesOfCard(moves, card).length > 0;
    return { chosen: chosen === card, onTouch: can ? () => onCard(card) : undefined, onDrop: can ? (zone) => onDrop(card, zone) : undefined };
  };
  return (
    <li class="level" aria-label={say("page.level", { level: at + 1, factor: level.factor })}>
      <ZoneBox zone={`active:${at}`} lit={zones.has(`active:${at}`)} label={say("page.zone.active", { level: at + 1 })} onZone={onZone}>
        {level.active.map((active) => {
          const card = cards.get(active.card);
          return card && (
            <Card
              key={active.card}
              card={card}
              marker={active.marker}
              met={rolling && active.met}
              reachable={rolling && active.reachable}
              chance={odds?.cards.find((one) => one.card === active.card)?.probability}
              {...touching(active.card)}
            />
          );
        })}
        {Array.from({ length: Math.max(0, room - level.active.length) }, (_, empty) => <span key={`e${empty}`} class="card-space" aria-hidden="true" />)}
      </ZoneBox>
      <span class="factor" title={say("page.level", { level: at + 1, factor: level.factor })}><span class="factor-number"><small>×</small>{level.factor}</span><span class="level-name">{say("page.level.short", { level: at + 1 })}</span></span>
      <ZoneBox zone={`scored:${at}`} lit={zones.has(`scored:${at}`)} label={say("page.zone.scored", { level: at + 1 })} onZone={onZone}>
        {level.scored.map((scored) => {
          const card = cards.get(scored.card);
          return card && <Card key={scored.card} card={card} times={scored.times} small {...touching(scored.card)} />;
        })}
        {level.points > 0 && <b class="level-points">{level.points}<span class="sr"> {say("page.points")}</span></b>}
      </ZoneBox>
    </li>
  );
}

function ZoneBox({ zone, lit, label, onZone, children }: { zone: string; lit: boolean; label: string; onZone: (zone: string) => void; children: JSX.Element | (JSX.Element | null | undefined | false | JSX.Element[] | (JSX.Element | undefined)[])[] }): JSX.Element {
  return (
    <div class={`zone ${zone.split(":")[0]}${lit ? " lit" : ""}`} data-zone={zone} role="group" aria-label={label}>
      {children}
      {lit && <button type="button" class="zone-button" data-act data-target={zone} aria-label={label} onClick={() => onZone(zone)} />}
    </div>
  );
}
