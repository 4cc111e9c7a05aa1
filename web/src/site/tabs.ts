/** Messages between tabs, and locks that decide which tab runs the computer players of a table. */

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
