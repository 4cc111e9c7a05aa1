/** The player's daily challenges, stored in this browser. */
import { type Settings, update } from "../memory";

const DAY = 86_400_000;
const MOST_DAYS = 400;

/** Return the UTC day of a time in milliseconds. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Store the points of a finished daily challenge once. */
export function recordDaily(game: string, day: string, points: number): void {
  void update(({ dailies }) => {
    const stored = dailies[game] ?? [];
    return stored.some(([known]) => known === day)
      ? {}
      : {
          dailies: {
            ...dailies,
            [game]: [...stored, [day, points] as [string, number]].slice(-MOST_DAYS),
          },
        };
  });
}

/** Return the points of a game on a day, or null. */
export function dailyPoints(
  { dailies }: Pick<Settings, "dailies">,
  game: string,
  day: string,
): number | null {
  return dailies[game]?.find(([known]) => known === day)?.[1] ?? null;
}

/** Return how many days in a row, up to today or yesterday, have a finished challenge. */
export function dailyStreak({ dailies }: Pick<Settings, "dailies">, now: number): number {
  const days = new Set(Object.values(dailies).flatMap((played) => played.map(([day]) => day)));
  let time = days.has(dayOf(now)) ? now : now - DAY;
  let count = 0;
  while (days.has(dayOf(time))) {
    count += 1;
    time -= DAY;
  }
  return count;
}
