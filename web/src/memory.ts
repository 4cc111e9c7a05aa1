/** What this browser remembers: the seats it holds, a name, and how things should look. */
import { observable } from "./observable";
import { isLanguage, type Language } from "./words";

export type Theme = "auto" | "light" | "dark";

export interface Memory {
  name: string;
  /** The secret by which servers know this device; empty until it is needed. */
  device: string;
  language: Language | null;
  theme: Theme;
  pace: number;
  odds: boolean;
  sound: boolean;
  motion: boolean;
  notify: boolean;
  /** Games whose guide has been finished or left. */
  guided: string[];
  /** Own results as table and points, by game and number of players. */
  results: Record<string, [string, number][]>;
  /** Secret tokens of seats, by table, the table opened last at the end. */
  seats: Record<string, string[]>;
}

const KEY = "foxclover";
const KEPT_TABLES = 40;
const FRESH: Memory = { name: "", device: "", language: null, theme: "auto", pace: 900, odds: false, sound: true, motion: true, notify: false, guided: [], results: {}, seats: {} };

export const memory = observable<Memory>(recall());

/** Damaged or foreign content counts as nothing remembered. */
export function parseMemory(text: string | null): Memory {
  let raw: unknown = null;
  try {
    raw = JSON.parse(text ?? "null");
  } catch {
    return FRESH;
  }
  if (typeof raw !== "object" || raw === null) {
    return FRESH;
  }
  const found = raw as Partial<Record<keyof Memory, unknown>>;
  const seats: Record<string, string[]> = {};
  for (const [table, tokens] of Object.entries(found.seats ?? {})) {
    if (Array.isArray(tokens)) {
      seats[table] = tokens.filter((token) => typeof token === "string");
    }
  }
  return {
    device: typeof found.device === "string" ? found.device : "",
    name: typeof found.name === "string" ? found.name : FRESH.name,
    language: typeof found.language === "string" && isLanguage(found.language) ? found.language : null,
    theme: found.theme === "light" || found.theme === "dark" ? found.theme : "auto",
    pace: typeof found.pace === "number" ? found.pace : FRESH.pace,
    odds: found.odds === true,
    sound: found.sound !== false,
    motion: found.motion !== false,
    notify: found.notify === true,
    guided: Array.isArray(found.guided) ? found.guided.filter((game) => typeof game === "string") : [],
    results: readResults(found.results),
    seats,
  };
}

function readResults(raw: unknown): Memory["results"] {
  const results: Memory["results"] = {};
  for (const [key, list] of Object.entries(raw ?? {})) {
    if (Array.isArray(list)) {
      results[key] = list.filter((entry): entry is [string, number] => Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "number");
    }
  }
  return results;
}

function recall(): Memory {
  try {
    return parseMemory(localStorage.getItem(KEY));
  } catch {
    return FRESH; // a browser that forbids storage still plays
  }
}

export function remember(change: Partial<Memory>): void {
  memory.set({ ...memory.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(memory.get()));
  } catch {
    // nothing is lost but the memory itself
  }
}

const TOKEN_BYTES = 24;

/** A secret of letters, digits, "-" and "_". */
export function newSecret(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...random)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A secret for a seat: 32 signs. */
export const newToken = (): string => newSecret(TOKEN_BYTES);

export function tokensOf(table: string): string[] {
  return memory.get().seats[table] ?? [];
}

export function keepSeats(table: string, tokens: readonly string[]): void {
  const { [table]: known = [], ...others } = memory.get().seats;
  const all: [string, string[]][] = [...Object.entries(others), [table, [...new Set([...known, ...tokens])]]];
  remember({ seats: Object.fromEntries(all.slice(-KEPT_TABLES)) });
}

export function forgetTable(table: string): void {
  const { [table]: _, ...others } = memory.get().seats;
  remember({ seats: others });
}
