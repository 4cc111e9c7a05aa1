/** What the table looks like to somebody who must learn it: names of situations, the most general first. Pure. */
import type { StateMessage } from "../protocol";

export function situation(state: StateMessage, seat: number): string[] {
  if (state.over) {
    return ["end"];
  }
  const found = ["welcome"];
  const { view } = state;
  if (state.rollers.includes(seat)) {
    found.push("roll");
  }
  if (view.kind === "clever") {
    const sheet = view.sheets[seat];
    if (sheet && sheet.heap.length > 0) {
      found.push("bonus");
    } else if (sheet && state.acting.includes(seat)) {
      found.push(sheet.stage);
    }
    if (view.active === seat && view.roll > 0 && view.dice.some((die) => die.lies === "platter")) {
      found.push("platter");
    }
    if (sheet && sheet.actions.some((action) => action.unlocked > action.used)) {
      found.push("actions");
    }
    return found;
  }
  const player = view.players[seat];
  if (player && state.acting.includes(seat)) {
    found.push(player.stage);
  }
  return found;
}
