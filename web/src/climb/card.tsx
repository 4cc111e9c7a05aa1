import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { formatPercent } from "../format";
import { draggable } from "../input";
import type { CardLayout, ClimbLayout } from "../protocol";
import { capitalise, translate } from "../translate";
import { Condition } from "./condition";

export type Cards = ReadonlyMap<string, CardLayout>;

export function cardsByName(layout: ClimbLayout): Cards {
  return new Map(layout.cards.map((card) => [card.name, card]));
}

interface CardProps {
  card: CardLayout;
  marker?: "" | "black" | "luck";
  times?: number;
  met?: boolean;
  reachable?: boolean;
  small?: boolean;
  chance?: number | undefined;
  chosen?: boolean;
  offered?: boolean;
  hinted?: boolean;
  fresh?: boolean;
  handle?: CardHandle | null;
}

/** Handlers of a card that has moves. */
export interface CardHandle {
  onTouch: () => void;
  onLift: () => void;
  onDrop: (zone: string) => void;
}

export function Card({
  card,
  marker = "",
  times = 1,
  met = false,
  reachable = false,
  small = false,
  chance,
  chosen = false,
  offered = false,
  hinted = false,
  fresh = false,
  handle = null,
}: CardProps): JSX.Element {
  const states = [
    marker !== "" && translate(`page.card.${marker}`),
    met && translate("page.card.met"),
    times > 1 && `×${times}`,
  ].filter(Boolean);
  const label = [capitalise(card.words), ...states].join(", ");
  const classes = [
    "card",
    `k-${card.colour}`,
    small && "small",
    met && "met",
    reachable && "reachable",
    handle && "lit",
    offered && "offered",
    hinted && "hinted",
    fresh && "fresh",
    marker !== "" && "marked",
  ]
    .filter(Boolean)
    .join(" ");
  const inside = (
    <>
      <Condition terms={card.terms} />
      <span class="card-foot" aria-hidden="true">
        <b>{card.points}</b>
        {times > 1 && <b class="times">×{times}</b>}
        {chance !== undefined && <span class="chance">{formatPercent(chance, 1)}</span>}
      </span>
      {marker !== "" && (
        <span class={`marker ${marker}`}>{marker === "luck" && <Icon name="clover" />}</span>
      )}
    </>
  );
  return handle ? (
    <button
      type="button"
      class={classes}
      title={label}
      aria-label={label}
      aria-pressed={chosen}
      data-act
      data-card={card.name}
      onClick={handle.onTouch}
      {...draggable(handle.onDrop, handle.onLift)}
    >
      {inside}
    </button>
  ) : (
    <span class={classes} title={label} role="img" aria-label={label} data-card={card.name}>
      {inside}
    </span>
  );
}
