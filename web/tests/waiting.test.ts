import { expect, test } from "vitest";
import { waitingFirst, waitsForMe } from "../src/home/waiting";
import type { OwnTable, SeatInfo } from "../src/protocol";

const person = (seat: number, changes: Partial<SeatInfo> = {}): SeatInfo => ({
  seat,
  kind: "person",
  name: "Bo",
  named: true,
  level: "",
  open: false,
  connected: false,
  stand_in: false,
  away_since: null,
  ...changes,
});

const table = (changes: Partial<OwnTable>): OwnTable => ({
  table: "k7m2xq",
  game: "ganz-schoen-clever",
  seats: [person(0), person(1)],
  seq: 4,
  scores: [0, 0],
  over: false,
  practice: false,
  sealing: null,
  created: 1,
  touched: 2,
  waits_for: [0],
  waiting_since: 2,
  deadline: null,
  you: [0],
  position: null,
  ...changes,
});

test("a table waits for me if other people play and I have to act", () => {
  expect(waitsForMe(table({}))).toBe(true);
  expect(waitsForMe(table({ waits_for: [1] }))).toBe(false);
  expect(waitsForMe(table({ over: true }))).toBe(false);
  expect(waitsForMe(table({ seats: [person(0)] }))).toBe(false);
  const computer = person(1, { kind: "computer", level: "strong" });
  expect(waitsForMe(table({ seats: [person(0), computer] }))).toBe(false);
  expect(waitsForMe(table({ seats: [person(0), { ...computer, stand_in: true }] }))).toBe(true);
  expect(waitsForMe(table({ seats: [person(0), person(1, { open: true })] }))).toBe(false);
  expect(waitsForMe(table({ you: [0, 1] }))).toBe(false); // both players at one screen
});

test("the longest wait is first, and all others keep their order", () => {
  const sorted = waitingFirst([
    ["last", table({ waits_for: [1] })],
    ["unanswered", null],
    ["short", table({ waiting_since: 9 })],
    ["long", table({ waiting_since: 3 })],
  ]);
  expect(sorted.map(([code]) => code)).toEqual(["long", "short", "last", "unanswered"]);
});
