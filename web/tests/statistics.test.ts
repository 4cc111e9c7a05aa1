import { expect, test } from "vitest";
import { deviceName } from "../src/me/api";
import {
  batches,
  distribution,
  opponents,
  parseGamesFile,
  parsePuzzles,
  partMeans,
  records,
  reviewMeans,
  streaks,
  summary,
  trend,
} from "../src/me/statistics";
import type { FinishedGame } from "../src/protocol";

const DAY = 86_400;

function game(score: number, day: number, part: Partial<FinishedGame> = {}): FinishedGame {
  return {
    id: `${day}`,
    at: day * DAY + 100,
    game: "g",
    variant: 0,
    dice: "sealed",
    seat: 0,
    names: ["Ada"],
    levels: [""],
    scores: [score],
    places: [1],
    parts: { blue: score },
    table: null,
    review: null,
    ...part,
  };
}

const WITH_BO = { names: ["Ada", "Bo"], levels: ["", ""] };

test("mean, best, spread and places", () => {
  const games = [
    game(100, 1),
    game(200, 2, { ...WITH_BO, scores: [200, 150], places: [1, 2] }),
    game(150, 3, { ...WITH_BO, scores: [150, 180], places: [2, 1] }),
  ];
  expect(summary(games)).toMatchObject({
    games: 3,
    mean: 150,
    best: 200,
    contests: 2,
    wins: 1,
    meanPlace: 1.5,
  });
  expect(summary(games).spread).toBeCloseTo(40.8, 1);
  expect(summary([])).toMatchObject({ games: 0, mean: 0, best: 0, spread: 0 });
});

test("bins count every game once", () => {
  const bins = distribution([101, 109, 110, 199, 230]);
  expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(5);
  expect(bins[0]).toEqual({ from: 100, to: 119, count: 3 });
  expect(distribution([])).toEqual([]);
  expect(distribution([-3, 4]).reduce((sum, bin) => sum + bin.count, 0)).toBe(2);
});

test("the trend is the mean of the last games", () => {
  expect(trend([10, 20, 30], 2)).toEqual([10, 15, 25]);
});

test("parts are averaged over all games", () => {
  expect(partMeans([game(10, 1), game(20, 1, { parts: { blue: 20, fox: 4 } })])).toEqual([
    ["blue", 15],
    ["fox", 2],
  ]);
});

test("successive days, up to today or yesterday", () => {
  const games = [1, 2, 3, 7, 8].map((day) => game(1, day));
  expect(streaks(games, 8 * DAY + 5)).toEqual({ longest: 3, current: 2 });
  expect(streaks(games, 9 * DAY + 5)).toEqual({ longest: 3, current: 2 });
  expect(streaks(games, 10 * DAY + 5)).toEqual({ longest: 3, current: 0 });
  expect(streaks([], 0)).toEqual({ longest: 0, current: 0 });
});

test("wins and losses against opponents", () => {
  const won = game(2, 1, { ...WITH_BO, scores: [2, 1], places: [1, 2] });
  const robot = game(2, 1, {
    names: ["Ada", ""],
    levels: ["", "easy"],
    scores: [1, 2],
    places: [2, 1],
  });
  const brought = { ...robot, names: ["Ada", "Computer 2"] };
  expect(opponents([won, won, robot])).toEqual([
    { name: "Bo", games: 2, won: 2, lost: 0 },
    { name: "easy", games: 1, won: 0, lost: 1 },
  ]);
  expect(opponents([robot, brought])).toEqual([{ name: "easy", games: 2, won: 0, lost: 2 }]);
});

test("files are transcripts or exports", () => {
  expect(parseGamesFile("Fox & Clover transcript 1\n...")).toHaveLength(1);
  expect(
    parseGamesFile(JSON.stringify({ foxclover: 1, games: [{ transcript: "x", at: 1, seat: 0 }] })),
  ).toHaveLength(1);
  const out = (part: object): string =>
    JSON.stringify({ foxclover: 1, games: [{ transcript: "x", ...part }] });
  for (const damaged of [
    out({ at: -1 }),
    out({ at: "now" }),
    out({ seat: 8 }),
    out({ seat: 0.5 }),
    out({ transcript: "x".repeat(60_001) }),
    `Fox & Clover transcript 1${"x".repeat(60_000)}`,
    "",
    "{",
    "null",
    "[]",
    '{"foxclover": 2, "games": []}',
    '{"foxclover": 1, "games": [7]}',
    '{"foxclover": 1}',
  ]) {
    expect(parseGamesFile(damaged)).toBe(null);
  }
});

test("an export contains results in puzzles", () => {
  const own = { game: "ganz-schoen-clever", results: "", attempts: [] };
  expect(parsePuzzles(JSON.stringify({ foxclover: 1, games: [], puzzles: [own] }))).toEqual([own]);
  for (const without of ["", "null", '{"foxclover": 1}', '{"foxclover": 2, "puzzles": [{}]}']) {
    expect(parsePuzzles(without)).toEqual([]);
  }
});

test("dice luck and losses are means of the reviewed games", () => {
  const review = { luck: 4, loss: 6, adjusted: 90, decisions: 30, best: 20 };
  expect(reviewMeans([game(10, 1)])).toBe(null);
  expect(
    reviewMeans([
      game(10, 1),
      game(20, 2, { review }),
      game(30, 3, { review: { ...review, luck: -2, loss: 0, decisions: 10, best: 10 } }),
    ]),
  ).toEqual({ games: 2, luck: 1, loss: 3, adjusted: 90, best: 0.75 });
});

test("records are of the first game that reached them", () => {
  const won = game(30, 3, {
    ...WITH_BO,
    scores: [30, 12],
    places: [1, 2],
    parts: { blue: 5, fox: 8 },
  });
  const lost = game(50, 4, {
    ...WITH_BO,
    scores: [50, 90],
    places: [2, 1],
    review: { luck: -3, loss: 2, adjusted: 50, decisions: 9, best: 5 },
  });
  const found = records([game(50, 5), lost, won, game(8, 1)]).map(
    ({ kind, part, value, game: { id } }) => [kind, part, value, id],
  );
  expect(found).toEqual([
    ["score", "", 50, "4"],
    ["win", "", 18, "3"],
    ["part", "blue", 50, "4"],
    ["part", "fox", 8, "3"],
    ["loss", "", 2, "4"],
  ]);
});

test("a long history is split into small requests", () => {
  const short = Array.from({ length: 25 }, (_, at) => ({
    transcript: "x",
    at,
    seat: 1,
    review: null,
  }));
  expect(batches(short).map((batch) => batch.length)).toEqual([10, 10, 5]);
  expect(batches(short)[0]?.[3]).toEqual({ transcript: "x", at: 3, seat: 1 });
  expect(
    batches(Array.from({ length: 9 }, () => ({ transcript: "x".repeat(60_000) }))).map(
      (batch) => batch.length,
    ),
  ).toEqual([6, 3]);
  expect(batches([])).toEqual([]);
});

test("a device is named after its browser and system", () => {
  expect(deviceName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe(
    "Firefox, Linux",
  );
  expect(
    deviceName(
      "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    ),
  ).toBe("Chrome, Android");
  expect(
    deviceName(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    ),
  ).toBe("Safari, iPhone");
  expect(deviceName("something else")).toBe("");
});

test("what would be shown as 0 is no record", () => {
  const review = { luck: 0.04, loss: 2, adjusted: 50, decisions: 9, best: 5 };
  const kinds = (found: ReturnType<typeof records>): string[] =>
    found.map(({ kind, part }) => kind + part);
  expect(kinds(records([game(9, 1, { parts: { blue: 9, fox: 0 }, review })]))).toEqual([
    "score",
    "partblue",
    "loss",
  ]);
});
