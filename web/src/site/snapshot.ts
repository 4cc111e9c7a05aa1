/**
 * The memory of Python after its imports, stored in this browser: a later visit restores it instead
 * of starting Python. It belongs to one version of the parts and of the browser.
 */
import type { StartMessage } from "./messages";

/** Where the snapshot of a folder is, or null where the browser has no cache (without https). */
export interface SnapshotStore {
  load(): Promise<ArrayBuffer | null>;
  /** Replace the snapshots of other versions. Failures are ignored: the next visit starts slowly. */
  save(snapshot: Uint8Array<ArrayBuffer>): Promise<void>;
  remove(): Promise<void>;
}

export function openSnapshots({ folder, parts }: StartMessage): SnapshotStore | null {
  if (!("caches" in self)) {
    return null;
  }
  const name = `foxclover python ${folder}`;
  const version = [...Object.values(parts).map(({ path }) => path), navigator.userAgent].join(" ");
  const key = new URL(`snapshot?${encodeURIComponent(version)}`, folder);
  return {
    load: async () => {
      const found = await caches.match(key, { cacheName: name }).catch(() => undefined);
      return found ? found.arrayBuffer() : null;
    },
    save: async (snapshot) => {
      try {
        await caches.delete(name);
        await (await caches.open(name)).put(key, new Response(snapshot));
      } catch {
        await caches.delete(name).catch(() => false); // the storage is full
      }
    },
    remove: async () => void (await caches.delete(name).catch(() => false)),
  };
}
