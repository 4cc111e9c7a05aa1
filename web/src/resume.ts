/** Detects when the page resumes: it becomes visible again, or its device wakes up. */

const TICK = 2_000;
const SLEEP_GAP = 5_000; // ms between two ticks; browsers delay timers of visible pages by less

/** Call `resumed` whenever the page resumes, until the returned function is called. */
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
