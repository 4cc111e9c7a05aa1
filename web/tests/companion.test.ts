import { expect, test } from "vitest";
import { addFace, removeLastFace, rollText, type TypedRoll } from "../src/companion/faces";
import { loadFamily } from "../src/family";
import type { ClimbLayout, ClimbView } from "../src/protocol";

const NOTHING: TypedRoll = { faces: [0, 0, 0], at: 0 };

test("each face sets one die and selects the next open one", () => {
  const typedRoll = [3, 2].reduce(addFace, NOTHING);
  expect(typedRoll).toEqual({ faces: [3, 2, 0], at: 2 });
  expect(rollText(addFace(typedRoll, 6).faces)).toBe("326");
  // The roll was lost and is sent again.
  expect(addFace(addFace(typedRoll, 6), 4)).toEqual({ faces: [3, 2, 4], at: 2 });
});

test("correcting a die selects the open one again", () => {
  const typedRoll = [3, 2].reduce(addFace, NOTHING);
  expect(addFace({ ...typedRoll, at: 0 }, 5)).toEqual({ faces: [5, 2, 0], at: 2 });
});

test("one step back clears the previous die", () => {
  expect(removeLastFace([3, 2].reduce(addFace, NOTHING))).toEqual({ faces: [3, 0, 0], at: 1 });
  expect(removeLastFace(NOTHING)).toEqual(NOTHING);
});

test("Geht noch was? always rolls all dice", async () => {
  const climb = await loadFamily("climb");
  const layout = { kind: "climb", dice: ["blue", "blue", "red"] } as ClimbLayout;
  expect(climb.rolledDice(layout, { kind: "climb" } as ClimbView)).toEqual(["blue", "blue", "red"]);
});
