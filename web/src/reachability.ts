/** Finds out when the server can be reached again, sooner than attempts to open a socket do. */
import { probe } from "#backend";

const EVERY = 500; // ms between probes
const TIMEOUT = 2_000; // ms until a probe fails: few are under way, since browsers queue more
const LONG_TIMEOUT = 10_000; // the same for some of them, for slow networks
const LONG_EACH = 16;

/** Call `answered` once when the server answers, unless the returned function is called before. */
export function whenReachable(answered: () => void): () => void {
  const underWay = new Set<AbortController>();
  let count = 0;
  const send = async (): Promise<void> => {
    if (document.hidden) {
      return; // the connection resumes when the page is shown
    }
    count += 1;
    const controller = new AbortController();
    underWay.add(controller);
    const timeout = setTimeout(
      () => controller.abort(),
      count % LONG_EACH === 0 ? LONG_TIMEOUT : TIMEOUT,
    );
    const isReachable = await probe(controller.signal).catch(() => false);
    clearTimeout(timeout);
    if (underWay.delete(controller) && isReachable) {
      stop();
      answered();
    }
  };
  const timer = setInterval(() => void send(), EVERY);
  const stop = (): void => {
    clearInterval(timer);
    const aborted = [...underWay];
    underWay.clear();
    for (const controller of aborted) {
      controller.abort();
    }
  };
  return stop;
}
