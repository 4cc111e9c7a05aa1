/** The family of Geht noch was?. Pure. */
import type { Family } from "../family";
import type { ClimbLayout, ClimbView, PlayerView } from "../protocol";

export const climb: Family<ClimbLayout, ClimbView> = {
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
  gainsBonus: () => false,
  rolledDice: (layout) => layout.dice,
  tiedDice: () => [],
  cards: (layout) => layout.cards,
  letters: () => "",
  shownDice: (_, { blue, red }) => (blue.length > 0 ? [`B${blue.join("")} R${red.join("")}`] : []),
  piles: async (layout) => (await import("../fair/piles")).pilesOf(layout.cards),
  rewards: () => [],
  targetName: (_, touched) =>
    touched.dataset.card ??
    `#${Number(touched.closest<HTMLElement>("[data-zone]")?.dataset.zone?.split(":")[1]) + 1}`,
};

export const activeMark = (level: number, card: string): string => `active ${level} ${card}`;
export const scoredMark = (level: number, card: string): string => `scored ${level} ${card}`;

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
