/**
 * What this browser stores: seats and settings. Each value has its own key, so that tabs do not
 * overwrite each other's changes.
 */
import { toBase64url } from "./base64url";
import { observable } from "./observable";
import { exclusively, isSaved, readText, removeText, storedKeys, writeText } from "./storage";
import { isLanguage, type Language } from "./translate";

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  name: string;
  /** The name that players see while you watch their game; empty: none. */
  watchingAs: string;
  /** The secret that identifies this device; empty until it is needed. */
  device: string;
  language: Language | null;
  theme: Theme;
  pace: number;
  odds: boolean;
  /** Whether a single tap plays a move. */
  instant: boolean;
  /** Whether colours are those that everybody can distinguish. */
  distinct: boolean;
  sound: boolean;
  /** Whether reactions of other players are shown. */
  reactions: boolean;
  /** Players whose reactions are not shown, see `muteKey`. */
  muted: string[];
  motion: boolean;
  notify: boolean;
  /** Whether a round for newcomers was opened. */
  toured: boolean;
  /** Games and situations that the coach no longer explains. */
  guided: string[];
  /** The player's results as table and points, by game and number of players. */
  results: Record<string, [string, number][]>;
  /** Days and points of finished daily challenges, by game. */
  dailies: Record<string, [string, number][]>;
  /** The player's mistakes by table: moves before each, and whether it is solved. */
  mistakes: Record<string, [number, boolean][]>;
}

export interface Memory extends Settings {
  /** Tokens of seats by table, the table opened last at the end. */
  seats: Readonly<Record<string, readonly string[]>>;
  /** Those of these tables whose game is known to be over. */
  finished: ReadonlySet<string>;
}

const KEY = "foxclover";
const SEAT = /^foxclover\.seat\.([^.]+)\.([^.]+)$/;
const FINISHED = /^foxclover\.over\.([^.]+)$/;
const KEPT_TABLES = 1000; // about 80 kB; a table without its tokens cannot be continued
const DEFAULTS: Settings = {
  name: "",
  watchingAs: "",
  device: "",
  language: null,
  theme: "auto",
  pace: 900,
  odds: false,
  instant: false,
  distinct: false,
  sound: !globalThis.matchMedia?.("(hover: none) and (pointer: coarse)").matches, // off on phones
  reactions: true,
  muted: [],
  motion: true,
  notify: false,
  toured: false,
  guided: [],
  results: {},
  dailies: {},
  mistakes: {},
};
const SETTING_NAMES = Object.keys(DEFAULTS) as (keyof Settings)[];

const keyOf = (name: keyof Settings): string => `${KEY}.${name}`;
/** The key of a seat; its value is when the table was opened, in milliseconds. */
const seatKey = (table: string, token: string): string => `${KEY}.seat.${table}.${token}`;

const finishedKey = (table: string): string => `${KEY}.over.${table}`;

export const memory = observable<Memory>(load());

/** Apply changes of other tabs immediately. */
export function followOtherTabs(): void {
  addEventListener("storage", ({ key }) => {
    if (key === null || key === KEY || key.startsWith(`${KEY}.`)) {
      memory.set(load());
    }
  });
}

/** Store settings, whatever other tabs have stored. */
export function remember(changes: Partial<Settings>): void {
  for (const [name, value] of Object.entries(changes)) {
    writeText(keyOf(name as keyof Settings), JSON.stringify(value));
  }
  memory.set(load());
}

/** Change settings from their latest values, so that no change of another tab is lost. */
export function update(change: (stored: Settings) => Partial<Settings>): Promise<void> {
  return exclusively(() => remember(change(load())));
}

function load(): Memory {
  migrateOldFormat();
  return {
    ...readSettings(
      Object.fromEntries(SETTING_NAMES.map((name) => [name, parse(readText(keyOf(name)))])),
    ),
    seats: readSeats(),
    finished: new Set(storedKeys().flatMap((key) => FINISHED.exec(key)?.[1] ?? [])),
  };
}

/** Read settings; invalid values become the defaults. */
function readSettings(stored: Partial<Record<keyof Settings, unknown>>): Settings {
  return {
    device: typeof stored.device === "string" ? stored.device : DEFAULTS.device,
    name: typeof stored.name === "string" ? stored.name : DEFAULTS.name,
    watchingAs: typeof stored.watchingAs === "string" ? stored.watchingAs : DEFAULTS.watchingAs,
    language:
      typeof stored.language === "string" && isLanguage(stored.language) ? stored.language : null,
    theme: stored.theme === "light" || stored.theme === "dark" ? stored.theme : "auto",
    pace: typeof stored.pace === "number" ? stored.pace : DEFAULTS.pace,
    odds: stored.odds === true,
    instant: stored.instant === true,
    distinct: stored.distinct === true,
    sound: typeof stored.sound === "boolean" ? stored.sound : DEFAULTS.sound,
    reactions: stored.reactions !== false,
    muted: readStrings(stored.muted),
    motion: stored.motion !== false,
    notify: stored.notify === true,
    toured: stored.toured === true,
    guided: readStrings(stored.guided),
    results: readPairs(stored.results, "string", "number"),
    dailies: readPairs(stored.dailies, "string", "number"),
    mistakes: readPairs(stored.mistakes, "number", "boolean"),
  };
}

function readSeats(): Memory["seats"] {
  const stored = storedKeys().flatMap((key) => {
    const [, table, token] = SEAT.exec(key) ?? [];
    return table === undefined || token === undefined
      ? []
      : [{ table, token, opened: Number(readText(key)) }];
  });
  const seats = new Map<string, string[]>();
  for (const { table, token } of stored.sort((a, b) => a.opened - b.opened)) {
    const known = seats.get(table) ?? [];
    seats.delete(table); // a key that is set again moves to the end
    seats.set(table, [...known, token]);
  }
  return Object.fromEntries(seats);
}

/** Earlier versions, which may run in another tab, store everything under one key. */
function migrateOldFormat(): void {
  const text = readText(KEY);
  if (text === null) {
    return;
  }
  const stored = Object(parse(text)) as Partial<Record<keyof Memory, unknown>>;
  for (const name of SETTING_NAMES) {
    if (stored[name] !== undefined && readText(keyOf(name)) === null) {
      writeText(keyOf(name), JSON.stringify(stored[name]));
    }
  }
  Object.entries(stored.seats ?? {}).forEach(([table, tokens], at) => {
    for (const token of Array.isArray(tokens)
      ? tokens.filter((token) => typeof token === "string")
      : []) {
      if (readText(seatKey(table, token)) === null) {
        writeText(seatKey(table, token), String(at)); // before all tables opened later
      }
    }
  });
  if (isSaved()) {
    removeText(KEY);
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

function readStrings(raw: unknown): string[] {
  return Array.isArray(raw) ? raw.filter((entry) => typeof entry === "string") : [];
}

/** Read lists of pairs of these types by name; drop other values. */
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

const TOKEN_BYTES = 24;

/** Return a random secret of letters, digits, "-" and "_". */
export function newSecret(bytes: number): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Return a token for a seat, of 32 characters. */
export const newToken = (): string => newSecret(TOKEN_BYTES);

export function tokensOf(table: string): readonly string[] {
  return memory.get().seats[table] ?? [];
}

export function saveSeats(table: string, tokens: readonly string[]): void {
  const now = Date.now();
  [...new Set([...(load().seats[table] ?? []), ...tokens])].forEach((token, at) =>
    writeText(seatKey(table, token), String(now + at)),
  );
  const { seats } = load();
  for (const old of Object.keys(seats).slice(0, -KEPT_TABLES)) {
    removeSeats(old, seats[old] ?? []);
  }
  memory.set(load());
}

/** Remember that the games of these tables are over: their state changes no more. */
export function saveFinished(tables: readonly string[]): void {
  for (const table of tables) {
    writeText(finishedKey(table), "1");
  }
  memory.set(load());
}

/** Forget these seats of a table, or all of them. */
export function forgetTable(table: string, tokens: readonly string[] = tokensOf(table)): void {
  removeSeats(table, tokens);
  memory.set(load());
}

function removeSeats(table: string, tokens: readonly string[]): void {
  for (const token of tokens) {
    removeText(seatKey(table, token));
  }
  removeText(finishedKey(table)); // it is asked for again if a seat is left
}
