/** Own results of finished games, kept in this browser. */
import { memory, remember } from "../memory";

const KEPT = 200;

export interface Standing {
  games: number;
  best: number;
  average: number;
}

/** Keeps a result once for each table, and tells how it stands with this game so far. */
export function noteResult(game: string, players: number, table: string, points: number): Standing {
  const key = `${game} ${players}`;
  const all = memory.get().results;
  const known = all[key] ?? [];
  const results = known.some(([code]) => code === table)
    ? known
    : [...known, [table, points] as [string, number]].slice(-KEPT);
  if (results !== known) {
    remember({ results: { ...all, [key]: results } });
  }
  const totals = results.map(([, total]) => total);
  return {
    games: totals.length,
    best: Math.max(...totals),
    average: totals.reduce((sum, total) => sum + total, 0) / totals.length,
  };
}
