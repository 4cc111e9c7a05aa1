import { expect, test, vi } from "vitest";
import type { ReviewedDecision, ReviewedSeat } from "../src/protocol";
import { unsolvedMistakes } from "../src/review/mistakes";
import {
  gameInLink,
  gameLink,
  isPosition,
  readableLink,
  transcriptUpTo,
} from "../src/review/position-link";
import {
  accuracy,
  gridLines,
  mistakesOf,
  mistakeVerdicts,
  pointsCurve,
  winningCurve,
} from "../src/review/review";

const decision = (
  at: number,
  loss: number,
  verdict: ReviewedDecision["verdict"],
): ReviewedDecision => ({
  at,
  round: 1,
  move: 1,
  best: { id: 2 } as ReviewedDecision["best"],
  expected: 90 - loss,
  loss,
  error: 0,
  verdict,
  win_loss: 0,
});

const SEAT: ReviewedSeat = {
  seat: 0,
  score: 80,
  start: 100,
  luck: -5,
  loss: 12,
  rest: -3,
  adjusted: 84,
  percentile: 0.3,
  decisions: [decision(1, 2, "inaccuracy"), decision(3, 9, "blunder"), decision(4, 0.5, "good")],
  chances: [
    { at: 0, round: 1, luck: -5, expected: 95 },
    { at: 2, round: 1, luck: 0, expected: 90 },
  ],
  winning: [
    [0, 0.5],
    [1, 0.4],
    [6, 1],
  ],
  rounds: [],
  parts: [],
};

test("mistakes are sorted, the worst first, without good decisions", () => {
  expect(mistakesOf(SEAT).map(({ at }) => at)).toEqual([3, 1]);
});

test("a win probability of 1 % counts as much as a point", () => {
  const lost = { ...decision(5, 0, "blunder"), win_loss: 0.12 };
  expect(mistakesOf({ ...SEAT, decisions: [...SEAT.decisions, lost] }).map(({ at }) => at)).toEqual(
    [5, 3, 1],
  );
});

test("the curve has rolls and decisions in order, from the start value to the score", () => {
  const curve = pointsCurve(SEAT, 6);
  expect(curve.map(({ by }) => by)).toEqual([
    "start",
    "roll",
    "decision",
    "roll",
    "decision",
    "decision",
    "end",
  ]);
  expect([curve[0]?.value, curve.at(-1)?.value]).toEqual([100, 80]);
  expect(winningCurve(SEAT, 6).map(({ value }) => value)).toEqual([50, 40, 100]);
});

test("lines of a chart have round values", () => {
  expect(gridLines(131, 268, 5)).toEqual([150, 200, 250]);
  expect(gridLines(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
});

const TRANSCRIPT =
  "Fox & Clover transcript 1\ngame: ganz-schoen-clever\nplayers: Ada\ndice: typed\n\n# round 1\nchance: y1\n1: w>y3a\n# round 2\nchance: y2\n# Ada 3\n";

test("a transcript is cut after a move, not after its comments", () => {
  expect(transcriptUpTo(TRANSCRIPT, 2).endsWith("\n# round 1\nchance: y1\n1: w>y3a\n")).toBe(true);
  expect(transcriptUpTo(TRANSCRIPT, 0).trimEnd().endsWith("dice: typed")).toBe(true);
});

test("salts and secrets of fair dice are no moves", () => {
  const sealed = TRANSCRIPT.replaceAll("chance:", "salt 1: 00ff\nseal: ff00\nchance:");
  expect(
    transcriptUpTo(sealed, 2).endsWith("\nsalt 1: 00ff\nseal: ff00\nchance: y1\n1: w>y3a\n"),
  ).toBe(true);
});

test("a link contains a game; damaged links contain none", async () => {
  const link = await gameLink("http://here/look", TRANSCRIPT);
  expect(await gameInLink(link)).toBe(TRANSCRIPT);
  expect(await gameInLink(`${link.slice(0, -20)}A`)).toBeNull();
  expect(await gameInLink("http://here/look")).toBeNull();
});

test("a position is readable in its link, and found in it", async () => {
  const position = "doppelt-so-clever round:2 phase:rolling roll:1 hand:s3 / y:(3a),6a bonus:y?";
  const link = readableLink("http://here/look", position);
  expect(link).toBe(
    "http://here/look#doppelt-so-clever_round:2_phase:rolling_roll:1_hand:s3_/_y:%283a%29,6a_bonus:y%3f",
  );
  expect(await gameInLink(link)).toBe(position);
  expect(await gameInLink(`http://here/look#${encodeURIComponent(position)}`)).toBe(position);
  expect(await gameInLink("http://here/look#ganz_round:1%")).toBeNull();
  expect(isPosition(` \n${position.toUpperCase()}`)).toBe(true);
  expect(isPosition("Fox & Clover transcript 1\ngame: ganz-schoen-clever")).toBe(false);
});

test("solved mistakes are not counted", () => {
  expect(
    unsolvedMistakes({
      old: [[1, true]],
      one: [
        [3, false],
        [4, true],
      ],
      two: [
        [5, false],
        [6, false],
      ],
    }),
  ).toEqual([
    { code: "two", count: 2 },
    { code: "one", count: 1 },
  ]);
});

test("a link is not unpacked to more than a transcript can have", async () => {
  const link = await gameLink("http://here/look", "x".repeat(20_000_000));
  expect(link.length).toBeLessThan(50_000);
  const cancel = vi.spyOn(ReadableStreamDefaultReader.prototype, "cancel");
  expect(await gameInLink(link)).toBeNull();
  expect(cancel).toHaveBeenCalledOnce();
});

test("mistakes have their signs in the log, other decisions count as accurate", () => {
  expect([...mistakeVerdicts([SEAT])]).toEqual([
    [1, "inaccuracy"],
    [3, "blunder"],
  ]);
  expect(accuracy(SEAT)).toBeCloseTo(1 / 3);
});
