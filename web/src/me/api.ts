/** Requests about the player: name, devices, games. */
import { ApiError } from "../api";
import { serverPath } from "../base";
import { forgetTable, memory, remember } from "../memory";
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
  OwnPuzzles,
  Person,
  Refusal,
  Skills,
} from "../protocol";
import { locale, translate } from "../translate";
import { askMe, deviceToken } from "./identity";

export const fetchPerson = (): Promise<Person> => askMe("");
export const renamePerson = (name: string): Promise<Person> => askMe("/name", { name });
export const createDeviceCode = (): Promise<Along> => askMe("/along");
/** Ask to link this device with the player who has this code, or agree to it. */
export const linkDevice = (code: string, agreed: boolean): Promise<Handover> =>
  askMe("/arrive", { code, agreed, name: deviceName(navigator.userAgent) });
export const fetchAskingDevices = (): Promise<AskingDevices> => askMe("/asking");
export const answerDevice = (check: string, admit: boolean): Promise<AskingDevices> =>
  askMe("/admit", { check, admit });
export const fetchDevices = (): Promise<Devices> =>
  askMe("/devices", { name: deviceName(navigator.userAgent) });
export const revokeDevice = (device: string): Promise<Devices> => askMe("/revoke", { device });
export const fetchHistory = (): Promise<History> => askMe("/games");
export const fetchSkills = (): Promise<Skills> => askMe("/skill");
export const fetchOwnTranscript = (id: string): Promise<GameText> => askMe("/transcript", { id });
export const fetchReplayTable = (id: string): Promise<GameTable> => askMe("/look", { id });
export const importGames = (games: ImportedGame[], puzzles: OwnPuzzles[] = []): Promise<Imports> =>
  askMe("/import", { games, puzzles } satisfies Omit<BringIn, "token">);

/** Fetch all data of the player as one file. */
export async function exportData(): Promise<Blob> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: await deviceToken() }),
  };
  try {
    const address = `${serverPath("/api/me/export")}?lang=${locale.get().language}`;
    const response = await fetch(address, request);
    if (response.ok) {
      return await response.blob();
    }
    const { reason, words } = (await response.json()) as Refusal;
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

/** Return browser and system of a device, as far as they are known. */
export function deviceName(agent: string): string {
  return [BROWSERS, SYSTEMS]
    .flatMap((patterns) => patterns.find(([pattern]) => pattern.test(agent))?.[1] ?? [])
    .join(", ");
}

/** Delete the data of the player on the server and in this browser. */
export async function deletePerson(): Promise<void> {
  await askMe("/delete");
  const { device, seats } = memory.get();
  for (const table of Object.keys(seats).filter((code) => seats[code]?.includes(device))) {
    forgetTable(table, [device]); // opened with the secret of this device
  }
  remember({ device: "", name: "", results: {} });
}
