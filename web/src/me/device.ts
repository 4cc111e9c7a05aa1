/** The secret by which a server knows this device, and the seats it has claimed with it. */
import { SITE } from "#authority";
import { askServer } from "../api";
import { memory, newSecret, remember, tokensOf } from "../memory";
import type {
  Along,
  BringIn,
  Export,
  GameTable,
  GameText,
  History,
  ImportedGame,
  Imports,
  Person,
} from "../protocol";

const DEVICE_BYTES = 16;

export function deviceToken(): string {
  const { device } = memory.get();
  if (device !== "") {
    return device;
  }
  const made = newSecret(DEVICE_BYTES);
  remember({ device: made });
  return made;
}

function me<T>(question: string, values: object = {}): Promise<T> {
  return askServer(`/api/me${question}`, { token: deviceToken(), ...values });
}

export const whoAmI = (): Promise<Person> => me("");
export const callMe = (name: string): Promise<Person> => me("/name", { name });
export const takeAlong = (): Promise<Along> => me("/along");
export const arrive = (code: string): Promise<Person> => me("/arrive", { code });
export const myGames = (): Promise<History> => me("/games");
export const myTranscript = (id: string): Promise<GameText> => me("/transcript", { id });
export const lookAgain = (id: string): Promise<GameTable> => me("/look", { id });
export const takeOut = (): Promise<Export> => me("/export");
export const bringIn = (games: ImportedGame[]): Promise<Imports> =>
  me("/import", { games } satisfies Omit<BringIn, "token">);

/** Everything of mine goes: what the server keeps, and what this browser remembers. */
export async function forgetMe(): Promise<void> {
  await me("/delete");
  remember({ device: "", name: "", results: {} });
}

const claimed = new Set<string>();

/** Whoever sits at a table finds its game in his history when it is over; the first seat of a device is its owner's. */
export function claimSeat(table: string): void {
  const seat = tokensOf(table)[0];
  if (!SITE && seat !== undefined && !claimed.has(table)) {
    claimed.add(table);
    me("/sit", { table, seat }).catch(() => claimed.delete(table));
  }
}
