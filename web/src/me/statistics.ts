/** Statistics of finished games, and files with games. Pure. */
import type { FinishedGame, GameReview, ImportedGame, OwnPuzzles } from "../protocol";

const DAY = 86_400;

export interface Summary {
  games: number;
  mean: number;
  best: number;
  /** Standard deviation. */
  spread: number;
  /** Games with opponents, and how many of them were won. */
  contests: number;
  wins: number;
  meanPlace: number;
}

export const ownScore = (game: FinishedGame): number => game.scores[game.seat] ?? 0;

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

export function summary(games: readonly FinishedGame[]): Summary {
  const all = games.map(ownScore);
  const average = mean(all);
  const contests = games
    .filter((game) => game.scores.length > 1)
    .map((game) => game.places[game.seat] ?? 0);
  return {
    games: games.length,
    mean: average,
    best: Math.max(0, ...all),
    spread: Math.sqrt(mean(all.map((score) => (score - average) ** 2))),
    contests: contests.length,
    wins: contests.filter((place) => place === 1).length,
    meanPlace: mean(contests),
  };
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Count scores in at most a dozen bins of a round width. */
export function distribution(numbers: readonly number[]): Bin[] {
  if (numbers.length === 0) {
    return [];
  }
  const lowest = Math.min(...numbers);
  const highest = Math.max(...numbers);
  const width = [1, 2, 5, 10, 20, 50, 100].find((size) => (highest - lowest) / size <= 12) ?? 200;
  const first = Math.floor(lowest / width);
  const bins = Array.from({ length: Math.floor(highest / width) - first + 1 }, (_, at) => ({
    from: (first + at) * width,
    to: (first + at + 1) * width - 1,
    count: 0,
  }));
  for (const number of numbers) {
    const bin = bins[Math.floor(number / width) - first];
    if (bin) {
      bin.count += 1;
    }
  }
  return bins;
}

/** Return the mean of the last games after each game, the oldest first. */
export function trend(numbers: readonly number[], window = 10): number[] {
  return numbers.map((_, at) => mean(numbers.slice(Math.max(0, at + 1 - window), at + 1)));
}

/** Return the mean of each part of the score. */
export function partMeans(games: readonly FinishedGame[]): [string, number][] {
  const names = [...new Set(games.flatMap((game) => Object.keys(game.parts)))];
  return names.map((name) => [name, mean(games.map((game) => game.parts[name] ?? 0))]);
}

/** Return the longest and the current number of successive days with a finished game. */
export function streaks(
  games: readonly FinishedGame[],
  now: number,
): { longest: number; current: number } {
  const days = [...new Set(games.map((game) => Math.floor(game.at / DAY)))].sort((a, b) => a - b);
  const today = Math.floor(now / DAY);
  let [longest, run] = [0, 0];
  days.forEach((day, at) => {
    run = day - 1 === days[at - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  });
  return { longest, current: (days.at(-1) ?? 0) >= today - 1 ? run : 0 };
}

interface ReviewMeans {
  /** Number of reviewed games; the other figures are means per game. */
  games: number;
  luck: number;
  loss: number;
  adjusted: number;
  /** Share of decisions without a loss. */
  best: number;
}

const reviewsOf = (games: readonly FinishedGame[]): GameReview[] =>
  games.flatMap((game) => game.review ?? []);

/** Return the means of all reviews; null without a review. */
export function reviewMeans(games: readonly FinishedGame[]): ReviewMeans | null {
  const reviews = reviewsOf(games);
  const decisions = reviews.reduce((sum, review) => sum + review.decisions, 0);
  return reviews.length === 0
    ? null
    : {
        games: reviews.length,
        luck: mean(reviews.map((review) => review.luck)),
        loss: mean(reviews.map((review) => review.loss)),
        adjusted: mean(reviews.map((review) => review.adjusted)),
        best: reviews.reduce((sum, review) => sum + review.best, 0) / Math.max(1, decisions),
      };
}

interface BestGame {
  /** What the game is best in: "part" is a part of the score. */
  kind: "score" | "win" | "luck" | "loss" | "part";
  part: string;
  value: number;
  game: FinishedGame;
}

/** Return the best games; among equal ones the oldest. */
export function records(games: readonly FinishedGame[]): BestGame[] {
  const oldestFirst = [...games].sort((a, b) => a.at - b.at);
  const parts = [...new Set(games.flatMap((game) => Object.keys(game.parts)))];
  const found = [
    best(oldestFirst, "score", "", ownScore),
    best(oldestFirst, "win", "", winBy),
    ...parts.map((part) => best(oldestFirst, "part", part, (game) => positive(game.parts[part]))),
    best(oldestFirst, "luck", "", (game) => positive(game.review?.luck)),
    best(oldestFirst, "loss", "", (game) => game.review?.loss ?? null, -1),
  ];
  return found.filter((record) => record !== null);
}

/** Less is shown as 0. */
const LEAST_SHOWN = 0.05;

/** No points and no luck are no record. */
const positive = (value: number | undefined): number | null =>
  value !== undefined && value >= LEAST_SHOWN ? value : null;

function best(
  games: readonly FinishedGame[],
  kind: BestGame["kind"],
  part: string,
  measure: (game: FinishedGame) => number | null,
  sign = 1,
): BestGame | null {
  let found: BestGame | null = null;
  for (const game of games) {
    const value = measure(game);
    if (value !== null && (found === null || sign * value > sign * found.value)) {
      found = { kind, part, value, game };
    }
  }
  return found;
}

/** Return the lead over the second player, in a game that was won. */
function winBy(game: FinishedGame): number | null {
  const others = game.scores.filter((_, at) => at !== game.seat);
  return others.length > 0 && game.places[game.seat] === 1
    ? ownScore(game) - Math.max(...others)
    : null;
}

interface Opponent {
  name: string;
  games: number;
  won: number;
  lost: number;
}

/**
 * Return the opponents, the most frequent first, with games won and lost against each. Computer
 * players count by their strength.
 */
export function opponents(games: readonly FinishedGame[]): Opponent[] {
  const found = new Map<string, Opponent>();
  for (const { names, levels, places, seat } of games) {
    names.forEach((name, at) => {
      const key = levels[at] || name;
      if (at === seat || key === "") {
        return;
      }
      const rival = found.get(key) ?? { name: key, games: 0, won: 0, lost: 0 };
      const [own = 0, other = 0] = [places[seat], places[at]];
      found.set(key, {
        name: key,
        games: rival.games + 1,
        won: rival.won + Number(own < other),
        lost: rival.lost + Number(own > other),
      });
    });
  }
  return [...found.values()].sort((a, b) => b.games - a.games);
}

const AT_ONCE = 10;
const MOST_CHARACTERS = 400_000;

/** Split games into requests that are small enough for proxies. */
export function batches(games: readonly ImportedGame[]): ImportedGame[][] {
  const found: ImportedGame[][] = [];
  let room = 0;
  for (const { transcript, at, seat } of games) {
    const game: ImportedGame = {
      transcript,
      ...(at === undefined ? {} : { at }),
      ...(seat === undefined ? {} : { seat }),
    };
    const last = found.at(-1);
    if (last && last.length < AT_ONCE && transcript.length <= room) {
      last.push(game);
      room -= transcript.length;
    } else {
      found.push([game]);
      room = MOST_CHARACTERS - transcript.length;
    }
  }
  return found;
}

/** The server's limit; no game is that long. */
const LONGEST_TEXT = 60_000;
const SEATS = 8;

const isCount = (value: unknown, below: number): boolean =>
  value === undefined ||
  (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < below);

/** Whether an entry of a file is a game. */
const isGame = (game: Partial<ImportedGame> | null): game is ImportedGame =>
  typeof game?.transcript === "string" &&
  game.transcript.length <= LONGEST_TEXT &&
  isCount(game.at, Number.MAX_SAFE_INTEGER) &&
  isCount(game.seat, SEATS);

/** Read the results in puzzles of an export; the server checks them. */
export function parsePuzzles(content: string): OwnPuzzles[] {
  try {
    const read = JSON.parse(content) as { foxclover?: unknown; puzzles?: OwnPuzzles[] } | null;
    return read?.foxclover === 1 && Array.isArray(read.puzzles) ? read.puzzles : [];
  } catch {
    return [];
  }
}

/** Read the games of a file: a transcript or an export; null for anything else. */
export function parseGamesFile(content: string): ImportedGame[] | null {
  if (content.startsWith("Fox & Clover transcript") || content.startsWith("\uFEFFFox")) {
    return content.length <= LONGEST_TEXT ? [{ transcript: content }] : null;
  }
  try {
    const read = JSON.parse(content) as {
      foxclover?: unknown;
      games?: (Partial<ImportedGame> | null)[];
    } | null;
    return read?.foxclover === 1 && Array.isArray(read.games) && read.games.every(isGame)
      ? read.games
      : null;
  } catch {
    return null;
  }
}
