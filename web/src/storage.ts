/** Texts by key in localStorage; in memory where it is forbidden or full. */

const unsaved = new Map<string, string>();

export function readText(key: string): string | null {
  return unsaved.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null;
}

export function writeText(key: string, text: string): void {
  unsaved.set(key, text);
  attempt(() => {
    localStorage.setItem(key, text);
    unsaved.delete(key);
  });
}

export function removeText(key: string): void {
  unsaved.delete(key);
  attempt(() => localStorage.removeItem(key));
}

export function storedKeys(): string[] {
  const saved = attempt(() =>
    Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? ""),
  );
  return [...new Set([...(saved ?? []), ...unsaved.keys()])];
}

/** Whether everything is in localStorage. */
export function isSaved(): boolean {
  return unsaved.size === 0;
}

const LOCK = "foxclover";
const SETTLE = 30; // ms until other tabs see what was written

/** Change what is stored while no other tab does; at once where the browser has no locks. */
export async function exclusively(change: () => void): Promise<void> {
  // Only pages of https and localhost have locks.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) {
    change();
    return;
  }
  await locks.request(LOCK, async () => {
    change();
    await new Promise((resolve) => setTimeout(resolve, SETTLE));
  });
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null; // the page works without storage
  }
}
