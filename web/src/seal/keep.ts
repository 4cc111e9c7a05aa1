/** What this browser keeps of the sealed dice of a table: the anchor it saw first, the salts it has sent, and marks of the draws it has seen. */
import { toHex } from "./sha256";

export interface Kept {
  anchor: string;
  /** Sent with every hello. */
  hello: string;
  /** Sent with the next roll, and again until it stands in the log. */
  roll: string;
  /** A mark of each draw, one behind the other: what was seen once must stay as it was. */
  draws: string;
  broken: Broken | null;
}

/** What a server did that an honest one does not do. */
export type Broken = "anchor" | "chain" | "roll" | "salt" | "changed" | "missing";

const KEY = "foxclover-seals";
const KEPT_TABLES = 40;
const SALT_BYTES = 16;

export const newSalt = (): string => toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

function all(): Record<string, Kept> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Kept> | null) ?? {};
  } catch {
    return {}; // damaged, or a browser that forbids storage: then the page trusts what it sees first
  }
}

export function keptOf(table: string): Kept {
  return {
    anchor: "",
    hello: newSalt(),
    roll: newSalt(),
    draws: "",
    broken: null,
    ...all()[table],
  };
}

export function keep(table: string, kept: Kept): void {
  const { [table]: _, ...others } = all();
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(
        Object.fromEntries([...Object.entries(others), [table, kept]].slice(-KEPT_TABLES)),
      ),
    );
  } catch {
    // nothing is lost but what would have been found after a reload
  }
}

/** The anchor is told when a table is made, before anybody sits there. */
export function keepAnchor(table: string, anchor: string): void {
  keep(table, { ...keptOf(table), anchor });
}
