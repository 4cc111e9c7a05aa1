/** The secret by which a server knows this device, and the seats it has claimed with it. */
import { SITE } from "#backend";
import { ApiError, askServer } from "../api";
import { memory, newSecret, remember, tokensOf } from "../memory";
import type {
  Along,
  AskingDevices,
  BringIn,
  Devices,
  GameTable,
  GameText,
  Handover,
  History,
  ImportedGame,
  Imports,
  Person,
  Refusal,
} from "../protocol";
import { spoken, translate } from "../translate";

const DEVICE_BYTES = 16;

export function deviceToken(): string {
  if (memory.get().device === "") {
    remember(({ device }) => ({ device: device || newSecret(DEVICE_BYTES) })); // another tab may have made one by now
  }
  return memory.get().device;
}

function me<T>(question: string, values: object = {}): Promise<T> {
  return askServer(`/api/me${question}`, { token: deviceToken(), ...values });
}

export const whoAmI = (): Promise<Person> => me("");
export const callMe = (name: string): Promise<Person> => me("/name", { name });
export const takeAlong = (): Promise<Along> => me("/along");
/** Asks to belong to the person whose code this is, or agrees to it. */
export const arrive = (code: string, agreed: boolean): Promise<Handover> =>
  me("/arrive", { code, agreed, name: deviceName(navigator.userAgent) });
export const whoAsks = (): Promise<AskingDevices> => me("/asking");
export const admit = (check: string, yes: boolean): Promise<AskingDevices> =>
  me("/admit", { check, admit: yes });
export const myDevices = (): Promise<Devices> =>
  me("/devices", { name: deviceName(navigator.userAgent) });
export const revoke = (device: string): Promise<Devices> => me("/revoke", { device });
export const myGames = (): Promise<History> => me("/games");
export const myTranscript = (id: string): Promise<GameText> => me("/transcript", { id });
export const lookAgain = (id: string): Promise<GameTable> => me("/look", { id });
export const bringIn = (games: ImportedGame[]): Promise<Imports> =>
  me("/import", { games } satisfies Omit<BringIn, "token">);

/** One file with everything; it may be large, so it is not read here. */
export async function takeOut(): Promise<Blob> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: deviceToken() }),
  };
  try {
    const answer = await fetch(`/api/me/export?lang=${spoken.get().language}`, request);
    if (answer.ok) {
      return await answer.blob();
    }
    const { reason, words } = (await answer.json()) as Refusal;
    throw new ApiError(reason, words);
  } catch (error) {
    throw error instanceof ApiError
      ? error
      : new ApiError("offline", translate("page.error.offline"));
  }
}

const BROWSERS: [RegExp, string][] = [
  [/Firefox|FxiOS/, "Firefox"],
  [/Edg/, "Edge"],
  [/OPR/, "Opera"],
  [/Chrom|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Windows/, "Windows"],
  [/Mac OS/, "Mac"],
  [/Linux/, "Linux"],
];

/** What a device is called in the list of one's devices: browser and system, as far as they are known. */
export function deviceName(agent: string): string {
  return [BROWSERS, SYSTEMS]
    .flatMap((known) => known.find(([sign]) => sign.test(agent))?.[1] ?? [])
    .join(", ");
}

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
