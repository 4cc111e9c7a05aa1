import { describe, expect, it } from "vitest";
import type { SeatInfo, StateMessage } from "../src/protocol";
import { busySeats, namesOf, promptFor, shownSeat } from "../src/table/shown-seat";

function state(part: Partial<StateMessage>): StateMessage {
  return {
    you: [0, 2],
    acting: [],
    rollers: [],
    prompts: [],
    headline: "wait",
    moves: [],
    ...part,
  } as StateMessage;
}

describe("the shown seat", () => {
  it("is an own seat that must decide, before one that must roll", () => {
    expect(shownSeat(state({ acting: [1, 2], rollers: [0] }), null)).toBe(2);
    expect(shownSeat(state({ rollers: [2] }), null)).toBe(2);
  });

  it("is an own seat while others act, and the acting one for spectators", () => {
    expect(shownSeat(state({ acting: [1] }), null)).toBe(0);
    expect(shownSeat(state({ you: [], acting: [1] }), null)).toBe(1);
  });

  it("is the chosen one", () => {
    expect(shownSeat(state({ acting: [0] }), 3)).toBe(3);
  });
});

it("shows the prompt of own seats and the headline for others", () => {
  const waiting = state({
    acting: [1, 2],
    prompts: [
      { seat: 1, words: "one" },
      { seat: 2, words: "two" },
    ],
  });
  expect(promptFor(waiting, 2)).toBe("two");
  expect(promptFor(waiting, 1)).toBe("wait");
  expect(busySeats(waiting)).toEqual([2]);
});

describe("the names of the seats", () => {
  const seat = (number: number, name: string, named: boolean): SeatInfo =>
    ({ seat: number, name, named, open: false }) as SeatInfo;
  const seats = [seat(0, "Player 1", false), seat(1, "Bo", true)];

  it("call the only own seat You, unless a name was entered", () => {
    expect(namesOf({ seats, you: [0], resting: [] })).toEqual(["page.seat.me", "Bo"]);
    expect(namesOf({ seats, you: [1], resting: [] })).toEqual(["Player 1", "Bo"]);
    expect(namesOf({ seats, you: [], resting: [0] })).toEqual(["page.seat.me", "Bo"]);
  });

  it("keep several players at one screen apart", () => {
    expect(namesOf({ seats, you: [0, 1], resting: [] })).toEqual(["Player 1", "Bo"]);
  });
});
