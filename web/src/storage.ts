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

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null; // the page works without storage
  }
}
