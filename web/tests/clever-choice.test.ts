import { describe, expect, it } from "vitest";
import {
  cellKey,
  chosenMove,
  highlight,
  matchingMoves,
  NOTHING,
  playedMove,
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

describe("playedMove", () => {
  const only = move({ die: YELLOW, area: 0, cell: 0 });

  it("plays nothing by a first touch, of a die or a field", () => {
    expect(playedMove([only], NOTHING, { die: YELLOW })).toBeNull();
    expect(playedMove([only], NOTHING, { area: 0, cell: 0 })).toBeNull();
  });

  it("plays by a second touch of the same or of the other part", () => {
    const die = { ...NOTHING, die: YELLOW };
    expect(playedMove([only], die, { die: YELLOW })).toBe(only);
    expect(playedMove([only], die, { area: 0, cell: 0 })).toBe(only);
    const field = { ...NOTHING, area: 0, cell: 0 };
    expect(playedMove([only], field, { area: 0, cell: 0 })).toBe(only);
    expect(playedMove([only], field, { die: YELLOW })).toBe(only);
  });

  it("plays nothing by a touch that chooses something else", () => {
    const moves = [only, move({ die: WHITE, area: 2, cell: 0 })];
    expect(playedMove(moves, { ...NOTHING, die: WHITE }, { die: YELLOW })).toBeNull();
    expect(playedMove(moves, { ...NOTHING, area: 2, cell: 0 }, { area: 0, cell: 0 })).toBeNull();
    expect(playedMove(twoPlaces, { ...NOTHING, die: YELLOW }, { die: YELLOW })).toBeNull();
  });

  it("chooses a bonus that is the only one before it plays", () => {
    const bonus = move({ kind: "bonus", bonus: "blue x", area: 1, cell: 3 });
    expect(playedMove([bonus], NOTHING, { bonus: "blue x" })).toBeNull();
    expect(playedMove([bonus], NOTHING, { area: 1, cell: 3 })).toBeNull();
    expect(playedMove([bonus], { ...NOTHING, area: 1, cell: 3 }, { area: 1, cell: 3 })).toBe(bonus);
  });
});
