/** The player's results, stored in this browser. */
import { memory, type Settings, update } from "../memory";

const MOST_RESULTS = 200;

interface PersonalRecord {
  games: number;
  best: number;
  average: number;
  /** Better than all earlier games. */
  isNewBest: boolean;
}

/** Store the result of a table once; return the player's record in this game. */
export function recordResult(
  game: string,
  players: number,
  table: string,
  points: number,
): PersonalRecord {
  const key = `${game} ${players}`;
  const add = ({ results }: Settings): Settings["results"] => {
    const stored = results[key] ?? [];
    return stored.some(([code]) => code === table)
      ? results
      : {
          ...results,
          [key]: [...stored, [table, points] as [string, number]].slice(-MOST_RESULTS),
        };
  };
  void update((settings) => ({ results: add(settings) }));
  const stored = add(memory.get())[key] ?? [];
  const totals = stored.map(([, total]) => total);
  const earlier = stored.slice(
    0,
    stored.findIndex(([code]) => code === table),
  );
  return {
    isNewBest: earlier.every(([, total]) => total < points),
    games: totals.length,
    best: Math.max(...totals),
    average: totals.reduce((sum, total) => sum + total, 0) / totals.length,
  };
}
