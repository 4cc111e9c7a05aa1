/** The player's mistakes, stored in this browser. */
import { update } from "../memory";

const KEPT = 40;

/** Replace the stored mistakes of a game: moves before each, and whether it is solved. */
export function saveMistakes(code: string, mistakes: [number, boolean][]): void {
  void update((kept) => {
    const { [code]: _, ...others } = kept.mistakes;
    const all = Object.entries(mistakes.length > 0 ? { ...others, [code]: mistakes } : others);
    return { mistakes: Object.fromEntries(all.slice(-KEPT)) };
  });
}

/** Return the tables with unsolved mistakes and their number, the latest first. */
export function unsolvedMistakes(
  kept: Record<string, [number, boolean][]>,
): { code: string; count: number }[] {
  const left = Object.entries(kept).map(([code, list]) => ({
    code,
    count: list.filter(([, done]) => !done).length,
  }));
  return left.filter(({ count }) => count > 0).reverse();
}
