import { describe, expect, it } from "vitest";
import {
  cellKey,
  chosenMove,
  highlight,
  matchingMoves,
  NOTHING,
  touch,
  withOnlyBonus,
} from "../src/clever/choice";
import type { CleverMoveView } from "../src/protocol";

let nextId = 0;

function move(part: Partial<CleverMoveView>): CleverMoveView {
  nextId += 1;
  return {
    family: "clever",
    id: nextId,
    text: `m${nextId}`,
    words: "",
    kind: "use",
    die: -1,
    area: -1,
    cell: -1,
    value: 0,
    bonus: "",
    ...part,
  };
}

const YELLOW = 0;
const WHITE = 5;
const twoPlaces = [
  move({ die: YELLOW, area: 0, cell: 0 }),
  move({ die: YELLOW, area: 0, cell: 9 }),
];
const whitePlaces = [
  move({ die: WHITE, area: 0, cell: 9 }),
  move({ die: WHITE, area: 2, cell: 0 }),
];
const roll = [...twoPlaces, ...whitePlaces, move({ kind: "reroll" })];

describe("choosing a die first", () => {
  it("highlights only its fields", () => {
    const choice = touch(roll, NOTHING, { die: YELLOW });
    expect(highlight(roll, choice).cells).toEqual(new Set([cellKey(0, 0), cellKey(0, 9)]));
    expect(chosenMove(roll, choice)).toBeNull();
  });

  it("makes the move when there is one field", () => {
    const single = [move({ die: 2, area: 1, cell: 4 }), ...whitePlaces];
    expect(chosenMove(single, touch(single, NOTHING, { die: 2 }))).toBe(single[0]);
  });

  it("clears the choice when the die is clicked again", () => {
    const chosen = touch(roll, NOTHING, { die: YELLOW });
    expect(touch(roll, chosen, { die: YELLOW })).toEqual(NOTHING);
  });

  it("can change to another die", () => {
    const chosen = touch(roll, NOTHING, { die: YELLOW });
    expect(highlight(roll, chosen).dice).toEqual(new Set([YELLOW, WHITE]));
    expect(touch(roll, chosen, { die: WHITE }).die).toBe(WHITE);
  });
});

describe("choosing a field first", () => {
  it("makes the move when one die fits", () => {
    expect(chosenMove(roll, touch(roll, NOTHING, { area: 2, cell: 0 }))).toBe(whitePlaces[1]);
  });

  it("waits for the die when several fit", () => {
    const place = touch(roll, NOTHING, { area: 0, cell: 9 });
    expect(chosenMove(roll, place)).toBeNull();
    expect(highlight(roll, place).dice).toEqual(new Set([YELLOW, WHITE]));
    expect(chosenMove(roll, touch(roll, place, { die: WHITE }))).toBe(whitePlaces[0]);
  });

  it("starts a new choice when the field does not fit the chosen die", () => {
    const chosen = touch(roll, NOTHING, { die: YELLOW });
    expect(touch(roll, chosen, { area: 2, cell: 0 })).toEqual({ ...NOTHING, area: 2, cell: 0 });
  });
});

describe("bonuses", () => {
  const numbers = [1, 2, 3].map((value) =>
    move({ kind: "bonus", bonus: "pink ?", area: 4, cell: 2, value }),
  );

  it("are chosen automatically when all are of one kind", () => {
    expect(withOnlyBonus(numbers, NOTHING).bonus).toBe("pink ?");
    const mixed = [
      ...numbers,
      move({ kind: "bonus", bonus: "green ?", area: 3, cell: 0, value: 1 }),
    ];
    expect(withOnlyBonus(mixed, NOTHING).bonus).toBeNull();
  });

  it("offer the numbers when only the number is open", () => {
    expect(highlight(numbers, NOTHING).numbers).toEqual(numbers);
    expect(highlight(roll, NOTHING).numbers).toEqual([]);
  });
});

it("excludes moves that have buttons", () => {
  expect(matchingMoves(roll, NOTHING)).toHaveLength(4);
});
