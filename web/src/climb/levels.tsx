import type { ComponentChildren, JSX } from "preact";
import { useGameStyle } from "../game-style";
import type { ClimbMoveView, LevelView, OddsMessage } from "../protocol";
import { capitalise, translate } from "../translate";
import { Card, type CardHandle, type Cards } from "./card";
import { zoneOf } from "./choice";

/** Names of what changed, see `Family.newMarks`. */
export const activeMark = (level: number, card: string): string => `active ${level} ${card}`;
export const scoredMark = (level: number, card: string): string => `scored ${level} ${card}`;

interface LevelsProps {
  levels: readonly LevelView[];
  cards: Cards;
  room: number;
  /** Marks of the cards that the player's last move changed. */
  marks: ReadonlySet<string>;
  /** Zones that a card can be put into. */
  zones: ReadonlySet<string>;
  /** Points gained by putting the card into each zone. */
  gains: ReadonlyMap<string, number>;
  chosen: string | null;
  rolling: boolean;
  odds: OddsMessage | null;
  /** The hinted move. */
  hinted: ClimbMoveView | null;
  handleOf: (card: string) => CardHandle | null;
  onZone: (zone: string) => void;
}

/** The levels, the highest on top: active cards at the left, scored ones at the right. */
export function Levels({ levels, ...rest }: LevelsProps): JSX.Element {
  return (
    <ol class="levels" reversed>
      {levels.map((level, at) => <Level key={at} level={level} at={at} {...rest} />).reverse()}
    </ol>
  );
}

function Level({
  level,
  at,
  zones,
  gains,
  cards,
  room,
  marks,
  chosen,
  rolling,
  odds,
  hinted,
  handleOf,
  onZone,
}: Omit<LevelsProps, "levels"> & { level: LevelView; at: number }): JSX.Element {
  const { words } = useGameStyle();
  const zoneProps = (kind: "active" | "scored"): Omit<ZoneBoxProps, "children"> => {
    const zone = `${kind}:${at}` as const;
    return {
      zone,
      lit: zones.has(zone),
      gain: gains.get(zone) ?? 0,
      hinted: hinted !== null && zoneOf(hinted) === zone,
      label: translate(`page.zone.${kind}`, { level: at + 1 }),
      onZone,
    };
  };
  const label = translate("page.level", { level: at + 1, factor: level.factor });
  return (
    <li class="level" aria-label={label}>
      <ZoneBox {...zoneProps("active")}>
        {level.active.map((active) => {
          const card = cards.get(active.card);
          return (
            card && (
              <Card
                key={active.card}
                card={card}
                marker={active.marker}
                met={rolling && active.met}
                reachable={rolling && active.reachable}
                chance={odds?.cards.find((chance) => chance.card === active.card)?.probability}
                chosen={chosen === active.card}
                fresh={
                  marks.has(activeMark(at, active.card)) ||
                  marks.has(`${activeMark(at, active.card)} marked`)
                }
                hinted={hinted?.card === active.card}
                handle={handleOf(active.card)}
              />
            )
          );
        })}
        {Array.from({ length: Math.max(0, room - level.active.length) }, (_, empty) => (
          <span key={`e${empty}`} class="card-space" aria-hidden="true" />
        ))}
      </ZoneBox>
      <span class="factor" title={label}>
        <span class="factor-number">
          <small>×</small>
          {level.factor}
        </span>
        <span class="level-name long">{capitalise(words[`level${at + 1}`] ?? "")}</span>
        <span class="level-name short" aria-hidden="true">
          {at + 1}
        </span>
      </span>
      <ZoneBox {...zoneProps("scored")}>
        {level.scored.map((scored) => {
          const card = cards.get(scored.card);
          return (
            card && (
              <Card
                key={scored.card}
                card={card}
                times={scored.times}
                small
                fresh={marks.has(scoredMark(at, scored.card))}
                chosen={chosen === scored.card}
                hinted={hinted?.card === scored.card}
                handle={handleOf(scored.card)}
              />
            )
          );
        })}
        {level.points > 0 && (
          <b class="level-points">
            {level.points}
            <span class="sr"> {translate("page.points")}</span>
          </b>
        )}
      </ZoneBox>
    </li>
  );
}

interface ZoneBoxProps {
  zone: string;
  lit: boolean;
  gain: number;
  hinted: boolean;
  label: string;
  onZone: (zone: string) => void;
  children: ComponentChildren;
}

function ZoneBox({ zone, lit, gain, hinted, label, onZone, children }: ZoneBoxProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
    <div
      class={`zone ${zone.split(":")[0]}${lit ? " lit" : ""}${hinted ? " hinted" : ""}`}
      data-zone={zone}
      role="group"
      aria-label={label}
    >
      {children}
      {lit && (
        <button
          type="button"
          class="zone-button"
          data-act
          data-target={zone}
          aria-label={label}
          onClick={() => onZone(zone)}
        />
      )}
      {lit && gain !== 0 && (
        <span class="gain">
          {gain > 0 ? "+" : "−"}
          {Math.abs(gain)}
        </span>
      )}
    </div>
  );
}
