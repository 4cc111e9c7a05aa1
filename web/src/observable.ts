/** A value that components can watch. */
import { useEffect, useState } from "preact/hooks";

export interface Observable<T> {
  get(): T;
  set(value: T): void;
  watch(listener: () => void): () => void;
}

export function observable<T>(value: T): Observable<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of [...listeners]) {
        listener();
      }
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useObservable<T>(source: Observable<T>): T {
  const [, redraw] = useState(0);
  const shown = source.get();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const changed = (): void => redraw((count) => count + 1);
    if (source.get() !== shown) {
      changed(); // it changed between drawing and subscribing
    }
    return source.watch(changed);
  }, [source]);
  return shown;
}
