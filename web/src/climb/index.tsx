/** The family of Geht noch was?. */
import type { IconName } from "../art/icons";
import type { Family } from "../family";
import type { ClimbLayout, ClimbMoveView, ClimbView, PlayerView } from "../protocol";
import { ClimbBoard } from "./board";
import { Card } from "./card";
import { cardOf } from "./choice";
import "./climb.css";
import { activeMark, scoredMark } from "./levels";
import { MiniLevels } from "./mini";
import { CardPicture } from "./picture";
import { pilesOf } from "./piles";

type Kind = ClimbMoveView["kind"];

const MOVE_ICONS: Partial<Record<Kind, IconName>> = {
  done: "check",
  keep: "check",
  exchange: "exchange",
  pay: "clover",
  fail: "fail",
  stay: "stay",
  out: "leave",
};

const CHOICES = ".sheet-panel button.card.lit";

export const climb: Family<ClimbLayout, ClimbView> = {
  Board: ClimbBoard,
  Mini: MiniLevels,
  Picture: CardPicture,
  Reward: () => null,
  Outcome: ({ layout, text }) => {
    const card = cardOf(text, layout);
    return card ? (
      <>
        <b class="entry-number">{card.name}</b>
        <Card card={card} small />
      </>
    ) : (
      <span>{text}</span>
    );
  },
  sign: "clover",
  moveIcons: MOVE_ICONS,
  confirmedMoves: new Set<Kind>(["fail"]),
  finalMoves: new Set<Kind>(["exchange"]),
  rollingMoves: new Set(),
  explainable: [
    ".sheet-panel .level .card:not(button)",
    ".sheet-panel .levels:has(.zone.lit) .zone:not(.lit) .card-space",
  ].join(),
  seatCount: (view) => view.players.length,
  newMarks: (before, now, seat) => {
    const earlier = cardMarks(before.players[seat]);
    return new Set([...cardMarks(now.players[seat])].filter((mark) => !earlier.has(mark)));
  },
  hasMark: (view, seat, mark) => cardMarks(view.players[seat]).has(mark),
  situations: (view, seat, isActing) => {
    const player = view.players[seat];
    return player && isActing ? [player.stage] : [];
  },
  coachTargets: {
    welcome: ".sheet-frame",
    place: ".waiting-cards button.card",
    bonus: ".bonus-button",
    buy: "button.pile",
    exchange: ".move-keep, .move-exchange",
    build: ".waiting-cards button.card",
    decide: CHOICES,
    leave: ".move-stay, .move-out",
    push: CHOICES,
    lift: CHOICES,
  },
  turnEnd: () => null,
  gainsBonus: () => false,
  rolledDice: (layout) => layout.dice,
  letters: () => "",
  shownDice: (_, { blue, red }) => (blue.length > 0 ? [`B${blue.join("")} R${red.join("")}`] : []),
  piles: (layout) => pilesOf(layout.cards),
  targetName: (_, touched) =>
    touched.dataset.card ??
    `#${Number(touched.closest<HTMLElement>("[data-zone]")?.dataset.zone?.split(":")[1]) + 1}`,
};

function cardMarks(player: PlayerView | undefined): Set<string> {
  return new Set(
    (player?.levels ?? []).flatMap((level, at) => [
      ...level.active.map(
        ({ card, marker }) => activeMark(at, card) + (marker === "" ? "" : " marked"),
      ),
      ...level.scored.map(({ card }) => scoredMark(at, card)),
    ]),
  );
}
