import { describe, expect, it } from "vitest";
import { clever } from "../src/clever";
import type { CleverView } from "../src/protocol";
import { STATE } from "./fake-table";

const CHOOSING = STATE.view as CleverView;
const NO_DICE = "page.turn_end.no_dice";
const chosen: CleverView = {
  ...CHOOSING,
  dice: [
    { face: 5, lies: "field" },
    { face: 3, lies: "platter" },
  ],
};
/** Alone: the three lowest dice are due. */
const passive: CleverView = { ...CHOOSING, passive_turn: true, roll: 0, chance: "roll" };

describe("why a turn has ended early", () => {
  it("is shown while the others choose", () => {
    expect(clever.turnEnd(chosen, 0, CHOOSING)).toBe(NO_DICE);
    expect(clever.turnEnd(chosen, 1, CHOOSING)).toBeNull();
    expect(clever.turnEnd({ ...chosen, roll: 3 }, 0, CHOOSING)).toBeNull();
  });

  it("is shown alone, before the passive turn", () => {
    expect(clever.turnEnd(passive, 0, CHOOSING)).toBe(NO_DICE);
    expect(clever.turnEnd(passive, 0, { ...chosen, roll: 2 })).toBe(NO_DICE);
  });

  it("is not shown after the third roll, without the view before, or once dice were rolled", () => {
    expect(clever.turnEnd(passive, 0, { ...CHOOSING, roll: 3 })).toBeNull();
    expect(clever.turnEnd(passive, 0, null)).toBeNull();
    expect(clever.turnEnd({ ...passive, chance: "" }, 0, passive)).toBeNull();
  });
});
