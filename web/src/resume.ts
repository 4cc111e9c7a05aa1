/** When a page comes back: it is looked at again, or its device has slept. */

const TICK = 2_000;
const LATE = 5_000; // ms between two ticks; browsers hold timers of a page that is looked at up by less

/** Calls whenever the page comes back, until the returned function is called. */
export function onWaking(awake: () => void): () => void {
  let last = Date.now();
  const look = (): void => void (document.hidden || awake());
  const tick = setInterval(() => {
    const slept = Date.now() - last > LATE;
    last = Date.now();
    if (slept) {
      awake();
    }
  }, TICK);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  return () => {
    clearInterval(tick);
    document.removeEventListener("visibilitychange", look);
    removeEventListener("pageshow", look);
  };
}
