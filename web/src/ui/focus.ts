/** Where the focus goes when a page opens, or when the focused element disappears. */
import { useEffect, useRef } from "preact/hooks";

const REGIONS = "section, aside, nav, form, main";
/** Says what to do next at a table. */
export const PROMPT = ".stage .prompt";

/**
 * Keep the focus in the page for keyboards and screen readers: when its element disappears, it goes
 * to the open dialog, to the prompt of a table, or to the region around the element. It returns to
 * an element that was only disabled for a moment.
 */
export function keepFocus(): void {
  let focused: HTMLElement | null = null;
  let regions: HTMLElement[] = [];
  let refuge: HTMLElement | null = null;
  let disabled: HTMLElement | null = null;
  const keep = (): void => {
    const active = document.activeElement;
    if (disabled !== null && active === refuge && isUsable(disabled)) {
      disabled.focus({ preventScroll: true });
    } else if (
      focused !== null &&
      !isUsable(focused) &&
      (active === null || active === document.body || active === focused)
    ) {
      const left = focused;
      refuge = refugeFrom(regions);
      refuge?.setAttribute("tabindex", "-1");
      refuge?.focus({ preventScroll: true });
      disabled = left;
    }
  };
  addEventListener("focusin", ({ target }) => {
    focused = target instanceof HTMLElement ? target : null;
    regions = regionsAround(focused);
    disabled = null;
  });
  new MutationObserver(keep).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled", "hidden"],
  });
}

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(":disabled, [hidden]");

function refugeFrom(regions: readonly HTMLElement[]): HTMLElement | null {
  return (
    [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ??
    document.querySelector<HTMLElement>(PROMPT) ??
    regions.find((region) => region.isConnected) ??
    document.querySelector<HTMLElement>("main") ??
    document.getElementById("app") // while a page is loaded
  );
}

function regionsAround(element: HTMLElement | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (
    let region = element?.closest<HTMLElement>(REGIONS);
    region;
    region = region.parentElement?.closest<HTMLElement>(REGIONS)
  ) {
    found.push(region);
  }
  return found;
}

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
