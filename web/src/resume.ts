/** When a page comes back: it is looked at again, or its device has slept. */

const TICK = 2_000;
const SLEEP_GAP = 5_000; // ms between two ticks; browsers hold timers of a page that is looked at up by less

/** Calls whenever the page comes back, until the returned function is called. */
export function onResume(resumed: () => void): () => void {
  let last = Date.now();
  const onVisible = (): void => void (document.hidden || resumed());
  const tick = setInterval(() => {
    const hasSlept = Date.now() - last > SLEEP_GAP;
    last = Date.now();
    if (hasSlept) {
      resumed();
    }
  }, TICK);
  document.addEventListener("visibilitychange", onVisible);
  addEventListener("pageshow", onVisible);
  return () => {
    clearInterval(tick);
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("pageshow", onVisible);
  };
}
