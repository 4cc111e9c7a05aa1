/** The shown seat, its moves and its prompt. Pure. */
import { seatName } from "../format";
import type { MoveView, StateMessage } from "../protocol";

/** Return the names of all seats, as the holder of own ones reads them. */
export function namesOf({
  seats,
  you,
  resting,
}: Pick<StateMessage, "seats" | "you" | "resting">): string[] {
  return seats.map((seat) => seatName(seat, [...you, ...resting]));
}

/** Return the seats of this page that must decide or roll. */
export function busySeats(state: StateMessage): number[] {
  return state.you.filter((seat) => state.acting.includes(seat) || state.rollers.includes(seat));
}

/**
 * Return the seat to show: the chosen one, otherwise an own seat that must act, an own seat, or the
 * acting one.
 */
export function shownSeat(state: StateMessage, chosen: number | null): number {
  if (chosen !== null) {
    return chosen;
  }
  const deciding = state.you.find((seat) => state.acting.includes(seat));
  return deciding ?? busySeats(state)[0] ?? state.you[0] ?? state.acting[0] ?? 0;
}

export function movesOf(state: StateMessage, seat: number): MoveView[] {
  return state.moves.find((entry) => entry.seat === seat)?.moves ?? [];
}

/** Return the prompt of an own seat, otherwise the headline of the table. */
export function promptFor(state: StateMessage, seat: number): string {
  const own = state.you.includes(seat)
    ? state.prompts.find((prompt) => prompt.seat === seat)?.words
    : undefined;
  return own ?? state.headline;
}
