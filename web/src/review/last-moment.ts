/** Where the player last looked at the replay of each game, in this browser. */
import { momentPath } from "../paths";
import { readText, writeText } from "../storage";

const KEY = "foxclover.looked";
const KEPT = 50; // games

type Looked = [table: string, at: number][];

function load(): Looked {
  try {
    const stored: unknown = JSON.parse(readText(KEY) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter(
          (entry): entry is [string, number] =>
            Array.isArray(entry) && typeof entry[0] === "string" && Number.isInteger(entry[1]),
        )
      : [];
  } catch {
    return [];
  }
}

/** Remember a moment; its game becomes the latest. */
export function saveMoment(table: string, at: number): void {
  const others = load().filter(([code]) => code !== table);
  writeText(KEY, JSON.stringify([...others, [table, at]].slice(-KEPT)));
}

/** Return the address of a replay, at the moment that was shown last. */
export function replayPath(table: string): string {
  const [, at] = load().find(([code]) => code === table) ?? [table, 0];
  return momentPath(table, at);
}
