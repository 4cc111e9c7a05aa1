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
  /** Mistakes of own games by table: how many moves were made before each, and whether a better move was found since. */
  mistakes: Record<string, [number, boolean][]>;
  /** Secret tokens of seats, by table, the table opened last at the end. */
  seats: Record<string, string[]>;
}

const KEY = "foxclover";
const KEPT_TABLES = 1000; // some 80 kB: a table whose seats are forgotten cannot be played on
const FRESH: Memory = {
  name: "",
  device: "",
  language: null,
  theme: "auto",
  pace: 900,
  odds: false,
  sound: true,
  motion: true,
  notify: false,
  guided: [],
  results: {},
  mistakes: {},
  seats: {},
};

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
    language:
      typeof found.language === "string" && isLanguage(found.language) ? found.language : null,
    theme: found.theme === "light" || found.theme === "dark" ? found.theme : "auto",
    pace: typeof found.pace === "number" ? found.pace : FRESH.pace,
    odds: found.odds === true,
    sound: found.sound !== false,
    motion: found.motion !== false,
    notify: found.notify === true,
    guided: Array.isArray(found.guided)
      ? found.guided.filter((game) => typeof game === "string")
      : [],
    results: readPairs(found.results, "string", "number"),
    mistakes: readPairs(found.mistakes, "number", "boolean"),
    seats,
  };
}

/** Lists of pairs of these types by name, less what is anything else. */
function readPairs<T extends [unknown, unknown]>(
  raw: unknown,
  first: string,
  second: string,
): Record<string, T[]> {
  const read: Record<string, T[]> = {};
  for (const [key, list] of Object.entries(raw ?? {})) {
    if (Array.isArray(list)) {
      read[key] = list.filter(
        (entry): entry is T =>
          Array.isArray(entry) && typeof entry[0] === first && typeof entry[1] === second,
      );
    }
  }
  return read;
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
  return btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** A secret for a seat: 32 signs. */
export const newToken = (): string => newSecret(TOKEN_BYTES);

export function tokensOf(table: string): string[] {
  return memory.get().seats[table] ?? [];
}

export function keepSeats(table: string, tokens: readonly string[]): void {
  const { [table]: known = [], ...others } = memory.get().seats;
  const all: [string, string[]][] = [
    ...Object.entries(others),
    [table, [...new Set([...known, ...tokens])]],
  ];
  remember({ seats: Object.fromEntries(all.slice(-KEPT_TABLES)) });
}

export function forgetTable(table: string): void {
  const { [table]: _, ...others } = memory.get().seats;
  remember({ seats: others });
}
