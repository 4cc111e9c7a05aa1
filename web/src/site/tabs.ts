/**
 * Messages between workers, and locks: of the worker that runs the computer players of a table, and
 * of pages and workers that run.
 */

const CHANNEL = "foxclover";

export interface Tabs {
  announce(text: string): void;
  listen(onText: (text: string) => void): void;
  hold(code: string): Promise<boolean>;
  release(code: string): void;
}

export function openTabs(): Tabs {
  const channel = new BroadcastChannel(CHANNEL);
  const held = new Map<string, () => void>();
  return {
    announce: (text) => channel.postMessage(text),
    listen: (onText) => {
      channel.onmessage = (event: MessageEvent<string>) => onText(event.data);
    },
    hold: (code) =>
      new Promise((resolve) => {
        if (!("locks" in navigator)) {
          // No locks without https: two tabs may compute a move, the store accepts the first.
          resolve(true);
          return;
        }
        void navigator.locks.request(`${CHANNEL} ${code}`, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          return lock && new Promise<void>((release) => held.set(code, release));
        });
      }),
    release: (code) => {
      held.get(code)?.();
      held.delete(code);
    },
  };
}

/** Hold a lock until this page or worker ends; return its name, or null where there are no locks. */
export async function holdLock(kind: "page" | "worker"): Promise<string | null> {
  if (!("locks" in navigator)) {
    return null;
  }
  const name = `${CHANNEL} ${kind} ${crypto.randomUUID()}`;
  await new Promise<void>((held) => {
    void navigator.locks.request(name, () => {
      held();
      return new Promise(() => undefined);
    });
  });
  return name;
}

/** Call a function when the page or worker that holds a lock has ended, even by a crash. */
export function whenReleased(lock: string | null, onEnd: () => void): void {
  if (lock !== null) {
    void navigator.locks.request(lock, onEnd);
  }
}
