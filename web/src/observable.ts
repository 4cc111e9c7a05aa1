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
  useEffect(() => source.watch(() => redraw((count) => count + 1)), [source]);
  return source.get();
}
