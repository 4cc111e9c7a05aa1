/** What is shown beside the levels: resources, bonuses to choose, waiting cards and piles. */
import type { JSX } from "preact";
import { Icon } from "../art/icons";
import type { ClimbLayout, ClimbMoveView, ClimbView, PlayerView } from "../protocol";
import { capitalise, translate } from "../translate";
import { Card, type CardHandle, type Cards } from "./card";

type OnMove = (move: ClimbMoveView) => void;

/** Luck markers, black markers, income, and whether the player is still in the round. */
export function Resources({
  layout,
  view,
  player,
}: {
  layout: ClimbLayout;
  view: ClimbView;
  player: PlayerView;
}): JSX.Element {
  const income = translate("page.climb.income", { count: player.income });
  return (
    <div class="belongings">
      <Markers
        kind="luck"
        count={player.luck}
        room={layout.clover}
        label={translate("climb.luck", { count: player.luck })}
        icon={<Icon name="clover" />}
      />
      <Markers
        kind="blacks"
        count={player.black}
        room={layout.black_markers}
        label={translate("page.climb.black", { count: player.black })}
      />
      {view.phase === "rolling" && (
        <span class={`in-out ${player.in_round ? "in" : "out"}`}>
          {capitalise(translate(player.in_round ? "climb.in" : "climb.out"))}
        </span>
      )}
      <span class="income" title={income}>
        <Icon name="coin" /> {view.phase === "buying" ? player.money : player.income}
        <span class="sr"> {income}</span>
      </span>
    </div>
  );
}

/** Spaces for markers, of which some are filled. */
function Markers({
  kind,
  count,
  room,
  label,
  icon,
}: {
  kind: string;
  count: number;
  room: number;
  label: string;
  icon?: JSX.Element;
}): JSX.Element {
  return (
    <span class={kind} role="img" aria-label={label} title={label}>
      {Array.from({ length: room }, (_, at) => (
        <i key={at} class={at < count ? "full" : ""}>
          {icon}
        </i>
      ))}
    </span>
  );
}

export function Bonuses({
  layout,
  view,
  moves,
  chosen,
  onMove,
}: {
  layout: ClimbLayout;
  view: ClimbView;
  moves: readonly ClimbMoveView[];
  chosen: ClimbMoveView | null;
  onMove: OnMove;
}): JSX.Element {
  const offers = moves.filter((move) => move.kind === "bonus");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
    <div class="bonus-choice" role="group" aria-label={translate("page.phase.bonus")}>
      {offers.map((move) => {
        const bonus = layout.bonuses[view.round - 1]?.[move.option];
        return (
          <button
            key={move.id}
            type="button"
            class="bonus-button"
            data-act
            data-move={move.text}
            aria-label={move.words}
            aria-pressed={chosen?.id === move.id}
            onClick={() => onMove(move)}
          >
            <span class="bonus-drawing" aria-hidden="true">
              {Array.from({ length: bonus?.luck ?? 0 }, (_, at) => (
                <i key={at} class="luck-coin">
                  <Icon name="clover" />
                </i>
              ))}
              {bonus && bonus.card !== "" && <i class={`card-back k-${bonus.card}`} />}
            </span>
            {move.words}
          </button>
        );
      })}
    </div>
  );
}

interface WaitingCardsProps {
  cards: Cards;
  waiting: readonly string[];
  /** The card just bought that can be exchanged; its buttons are in the prompt. */
  offered: string;
  chosen: string | null;
  hinted: string;
  handleOf: (card: string) => CardHandle | null;
}

/** Cards that are not built yet. */
export function WaitingCards({
  cards,
  waiting,
  offered,
  chosen,
  hinted,
  handleOf,
}: WaitingCardsProps): JSX.Element | null {
  if (waiting.length === 0) {
    return null;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
    <div class="waiting-cards" role="group" aria-label={translate("page.climb.waiting")}>
      {waiting.map((name, at) => {
        const card = cards.get(name);
        const last = at === waiting.length - 1;
        return (
          card && (
            <Card
              key={`${name}.${at}`}
              card={card}
              offered={last && offered === name}
              hinted={hinted === name}
              chosen={chosen === name}
              handle={handleOf(name)}
            />
          )
        );
      })}
    </div>
  );
}

export function Piles({
  layout,
  view,
  moves,
  hinted,
  chosen,
  onMove,
}: {
  layout: ClimbLayout;
  view: ClimbView;
  moves: readonly ClimbMoveView[];
  hinted: ClimbMoveView | null;
  chosen: ClimbMoveView | null;
  onMove: OnMove;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
    <div class="piles" role="group" aria-label={translate("page.climb.piles")}>
      {view.piles.map((pile) => {
        const count = pile.shuffled + pile.under.length;
        const cost = layout.colours.find((colour) => colour.name === pile.colour)?.cost ?? 0;
        const label = translate("page.climb.pile", {
          colour: capitalise(layout.words[pile.colour] ?? pile.colour),
          count,
          cost,
        });
        const buy = moves.find((move) => move.kind === "buy" && move.colour === pile.colour);
        const hintClass = hinted?.kind === "buy" && hinted.colour === pile.colour ? " hinted" : "";
        const inside = (
          <>
            <i class={`card-back k-${pile.colour}`} />
            <span class="pile-count">{count}</span>
            <span class="pile-cost">
              <Icon name="coin" />
              {cost}
            </span>
          </>
        );
        return buy ? (
          <button
            key={pile.colour}
            type="button"
            class={`pile lit${hintClass}`}
            data-act
            data-move={buy.text}
            aria-label={`${buy.words}, ${label}`}
            title={label}
            aria-pressed={chosen?.id === buy.id}
            onClick={() => onMove(buy)}
          >
            {inside}
          </button>
        ) : (
          <span
            key={pile.colour}
            class={`pile${hintClass}`}
            role="img"
            aria-label={label}
            title={label}
          >
            {inside}
          </span>
        );
      })}
    </div>
  );
}
