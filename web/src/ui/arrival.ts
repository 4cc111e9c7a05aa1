import { useEffect, useRef } from "preact/hooks";

/** Focus the heading of a new page, so that screen readers read it and Tab starts there. */
export function useArrival(page: string): void {
  const arrived = useRef(page);
  useEffect(() => {
    if (arrived.current === page) {
      return; // the browser announces the first page itself
    }
    arrived.current = page;
    if (focusHeading()) {
      return;
    }
    // The page is still loading: wait for its heading, unless the user does something else.
    const observer = new MutationObserver(() => focusHeading() && stop());
    const stop = (): void => {
      observer.disconnect();
      removeEventListener("pointerdown", stop);
      removeEventListener("keydown", stop);
    };
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("pointerdown", stop);
    addEventListener("keydown", stop);
    return stop;
  }, [page]);
}

/** Return false if there is no heading yet. */
function focusHeading(): boolean {
  const heading = document.querySelector("h1");
  if (heading && !document.querySelector("dialog[open]")) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return heading !== null;
}
