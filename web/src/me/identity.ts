/** The secret that identifies this device, and the seats that are claimed with it. */
import { SITE } from "#backend";
import { askServer } from "../api";
import { memory, newSecret, tokensOf, update } from "../memory";

const DEVICE_BYTES = 16;

/** Return the secret of this device; of several tabs that need one only the first creates it. */
export async function deviceToken(): Promise<string> {
  if (memory.get().device === "") {
    await update(({ device }) => ({ device: device || newSecret(DEVICE_BYTES) }));
  }
  return memory.get().device;
}

/** Send a request about the player of this device. */
export async function askMe<T>(path: string, body: object = {}): Promise<T> {
  return askServer(`/api/me${path}`, { token: await deviceToken(), ...body });
}

const claimed = new Set<string>();

/**
 * Add a table to the history of the player; they have the first seat of this device. Another device
 * has claimed those that this one opens with its own secret.
 */
export function claimSeat(table: string): void {
  const seat = tokensOf(table).find((token) => token !== memory.get().device);
  if (!SITE && seat !== undefined && !claimed.has(table)) {
    claimed.add(table);
    askMe("/sit", { table, seat }).catch(() => claimed.delete(table));
  }
}
