import { expect, test } from "vitest";
import { type Read, rollText, unread, withFace } from "../src/companion/faces";
import { familyOf } from "../src/family";
import type { ClimbLayout, ClimbView } from "../src/protocol";

const NOTHING: Read = { faces: [0, 0, 0], at: 0 };

test("each touch sets one die and goes on to the next that is open", () => {
  const read = [3, 2].reduce(withFace, NOTHING);
  expect(read).toEqual({ faces: [3, 2, 0], at: 2 });
  expect(rollText(withFace(read, 6).faces)).toBe("326");
  expect(withFace(withFace(read, 6), 4)).toEqual({ faces: [3, 2, 4], at: 2 }); // the roll did not arrive, and is sent again
});

test("a die that was set again leads back to the open one", () => {
  const read = [3, 2].reduce(withFace, NOTHING);
  expect(withFace({ ...read, at: 0 }, 5)).toEqual({ faces: [5, 2, 0], at: 2 });
});

test("one step back opens the die before", () => {
  expect(unread([3, 2].reduce(withFace, NOTHING))).toEqual({ faces: [3, 0, 0], at: 1 });
  expect(unread(NOTHING)).toEqual(NOTHING);
});

test("all dice that are printed are rolled where none is ever set aside", () => {
  const layout = { kind: "climb", dice: ["blue", "blue", "red"] } as ClimbLayout;
  expect(familyOf(layout).rolledDice(layout, { kind: "climb" } as ClimbView)).toEqual([
    "blue",
    "blue",
    "red",
  ]);
});
