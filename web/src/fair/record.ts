/**
 * What this browser stores about the fair dice of a table.
 * Tabs share it, so it is read each time and written before anything is sent.
 */

/** A roll that this browser requested. */
interface RollRequest {
  draw: number;
  seat: number;
  salt: string;
}

/** A seat this browser holds, from draw `first` to draw `last` (null while it holds it). */
export interface HeldSeat {
  seat: number;
  first: number;
  last: number | null;
}

export interface DiceRecord {
  /** Time of the last write: the oldest tables are deleted. */
  at: number;
  context: string;
  /** The first commitment this browser saw. */
  commitment: string;
  /** Concatenated fingerprints of all draws: a draw must never change. */
  marks: string;
  requests: readonly RollRequest[];
  held: readonly HeldSeat[];
  /** The player also rolls on another device. */
  elsewhere: boolean;
  /** Requested draws that another player rolled first. */
  overtaken: readonly number[];
  broken: Violation | null;
}

/** What proves that a server is not honest. */
export type Violation =
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
const EMPTY: DiceRecord = {
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

/** Used where the browser forbids storage; lost on reload. */
const inMemory = new Map<string, DiceRecord>();

function readRecord(key: string): Partial<DiceRecord> {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<DiceRecord> | null) ?? {};
  } catch {
    return {}; // damaged: trust the first commitment again
  }
}

export function loadRecord(table: string): DiceRecord {
  return { ...EMPTY, ...(inMemory.get(table) ?? readRecord(PREFIX + table)) };
}

/** Change some fields of a record; keep what other tabs have written. */
export function updateRecord(table: string, change: Partial<DiceRecord>): void {
  const record = { ...loadRecord(table), ...change, at: Date.now() };
  try {
    if (localStorage.getItem(PREFIX + table) === null) {
      forgetOldest();
    }
    localStorage.setItem(PREFIX + table, JSON.stringify(record));
  } catch {
    inMemory.set(table, record);
  }
}

function forgetOldest(): void {
  localStorage.removeItem("foxclover-seals"); // format of an earlier version
  const keys = Array.from(
    { length: localStorage.length },
    (_, at) => localStorage.key(at) ?? "",
  ).filter((key) => key.startsWith(PREFIX));
  const newest = keys.sort((a, b) => (readRecord(b).at ?? 0) - (readRecord(a).at ?? 0));
  newest.slice(KEPT_TABLES - 1).forEach((key) => localStorage.removeItem(key));
}

/** Store the commitment that the server publishes when it creates a table. */
export function saveCommitment(table: string, context: string, commitment: string): void {
  updateRecord(table, { context, commitment });
}
