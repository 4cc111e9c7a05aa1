/** Which seat a page shows when it holds several, and what may be done for it. Pure. */
import type { MoveView, StateMessage } from "../protocol";

/** The seats of this device that have something to do: decide or roll. */
export function busySeats(state: StateMessage): number[] {
  return state.you.filter((seat) => state.acting.includes(seat) || state.rollers.includes(seat));
}

/** The chosen seat as long as it is free to choose; else the own one that is to act, else the own one, else who acts. */
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

/** What the shown seat is told: its own prompt if it has one, else what the table waits for. */
export function promptFor(state: StateMessage, seat: number): string {
  const own = state.you.includes(seat)
    ? state.prompts.find((prompt) => prompt.seat === seat)?.words
    : undefined;
  return own ?? state.headline;
}
