/** What this browser keeps of the sealed dice of a table. Tabs share it, so it is read anew each time and written before anything is sent. */
import { toHex } from "./sha256";

/** A roll that this browser has asked for. */
export interface Request {
  draw: number;
  seat: number;
  salt: string;
}

/** A seat held from one draw to another; `last` is null while it is held. */
export interface Held {
  seat: number;
  first: number;
  last: number | null;
}

export interface Kept {
  /** When it was last written: the oldest tables are forgotten. */
  at: number;
  context: string;
  /** The one it saw first. */
  commitment: string;
  /** A mark of each draw, one behind the other: what was seen once must stay as it was. */
  marks: string;
  requests: readonly Request[];
  held: readonly Held[];
  /** The person has said that they also play on another device. */
  elsewhere: boolean;
  /** Draws asked for that others made first. */
  overtaken: readonly number[];
  broken: Broken | null;
}

/** What a server did that an honest one does not do. */
export type Broken =
  | "commitment"
  | "chain"
  | "roll"
  | "salt"
  | "request"
  | "foreign"
  | "changed"
  | "missing";

const PREFIX = "foxclover-dice/";
const KEPT_TABLES = 40;
const SALT_BYTES = 16;
const UNKNOWN: Kept = {
  at: 0,
  context: "",
  commitment: "",
  marks: "",
  requests: [],
  held: [],
  elsewhere: false,
  overtaken: [],
  broken: null,
};

/** For a browser that forbids storage: then a reload forgets. */
const inMemory = new Map<string, Kept>();

export const newSalt = (): string => toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

function stored(key: string): Partial<Kept> {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Kept> | null) ?? {};
  } catch {
    return {}; // damaged: then the page trusts what it sees first
  }
}

export function keptOf(table: string): Kept {
  return { ...UNKNOWN, ...(inMemory.get(table) ?? stored(PREFIX + table)) };
}

/** Changes some of what is kept; what other tabs have written meanwhile stays. */
export function keep(table: string, change: Partial<Kept>): void {
  const kept = { ...keptOf(table), ...change, at: Date.now() };
  try {
    if (localStorage.getItem(PREFIX + table) === null) {
      forgetOldest();
    }
    localStorage.setItem(PREFIX + table, JSON.stringify(kept));
  } catch {
    inMemory.set(table, kept);
  }
}

function forgetOldest(): void {
  localStorage.removeItem("foxclover-seals"); // of dice that proved nothing
  const keys = Array.from(
    { length: localStorage.length },
    (_, at) => localStorage.key(at) ?? "",
  ).filter((key) => key.startsWith(PREFIX));
  const newest = keys.sort((a, b) => (stored(b).at ?? 0) - (stored(a).at ?? 0));
  newest.slice(KEPT_TABLES - 1).forEach((key) => localStorage.removeItem(key));
}

/** The commitment is told when a table is made, before anybody sits there. */
export function keepCommitment(table: string, context: string, commitment: string): void {
  keep(table, { context, commitment });
}
