/** Mistakes of own games, kept on this device. */
import { remember } from "../memory";

const KEPT = 40;

/** Keeps the mistakes of a game, in the place of those kept of it before: how many moves came before each, and whether it was made better. */
export function saveMistakes(code: string, mistakes: [number, boolean][]): void {
  remember((kept) => {
    const { [code]: _, ...others } = kept.mistakes;
    const all = Object.entries(mistakes.length > 0 ? { ...others, [code]: mistakes } : others);
    return { mistakes: Object.fromEntries(all.slice(-KEPT)) };
  });
}

/** The tables with mistakes that are still to be made better, the last one first, and how many there are. */
export function unsolvedMistakes(
  kept: Record<string, [number, boolean][]>,
): { code: string; count: number }[] {
  const left = Object.entries(kept).map(([code, list]) => ({
    code,
    count: list.filter(([, done]) => !done).length,
  }));
  return left.filter(({ count }) => count > 0).reverse();
}
