/**
 * Values that components read: a component is drawn again when a value that it read while it was
 * drawn changes. A thin layer over signals.
 */
import { computed, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

export interface Observable<T> {
  /** Return the value; a component that is being drawn follows it from now on. */
  get(): T;
  set(value: T): void;
  /** Call a function after each change, until the returned function is called. */
  watch(listener: () => void): () => void;
}

export function observable<T>(value: T): Observable<T> {
  const source = signal(value);
  return {
    get: () => source.value,
    set: (next) => {
      source.value = next;
    },
    watch: (listener) => {
      let isFirst = true;
      return source.subscribe(() => {
        if (isFirst) {
          isFirst = false; // the current value is no change
        } else {
          listener();
        }
      });
    },
  };
}

export function useObservable<T>(source: Observable<T>): T {
  return source.get();
}

/** Return a part of a value; only changes of this part redraw. `select` must be pure. */
export function useSelected<T, P>(source: Observable<T>, select: (value: T) => P): P {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `select` is pure
  return useMemo(() => computed(() => select(source.get())), [source]).value;
}
