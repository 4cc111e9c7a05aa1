/** Where the focus goes when a page opens, or when the focused element disappears. */
import { useEffect, useRef } from "preact/hooks";

const FOCUSABLE = "a, button, input, select, textarea, summary, label, [tabindex]";
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
    const isLost = active === null || active === document.body;
    if (disabled !== null && active === refuge && isUsable(disabled)) {
      disabled.focus({ preventScroll: true });
    } else if (focused !== null && isLost && isUsable(focused)) {
      focused.focus({ preventScroll: true }); // it was moved to another place
    } else if (focused !== null && (isLost || active === focused) && !isUsable(focused)) {
      const left = focused;
      refuge = refugesFrom(regions).find(takesFocus) ?? null;
      disabled = left;
    }
  };
  addEventListener("focusin", ({ target }) => {
    focused = target instanceof HTMLElement ? target : null;
    regions = regionsAround(focused);
    disabled = null;
  });
  // A press on something else takes the focus away on purpose.
  addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Element && target.closest(FOCUSABLE))) {
      focused = null;
    }
  });
  // Tab leaves the page after its last element.
  addEventListener("keydown", ({ key }) => {
    if (key === "Tab") {
      focused = null;
    }
  });
  new MutationObserver(keep).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled", "hidden"],
  });
}

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(":disabled, [hidden]");

/** Focus an element, unless it is not drawn itself. */
function takesFocus(element: HTMLElement): boolean {
  element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Return where the focus may go, the best place first; the last one is there while pages load. */
function refugesFrom(regions: readonly HTMLElement[]): HTMLElement[] {
  return [
    ...[...document.querySelectorAll<HTMLElement>("dialog[open]")].reverse(),
    ...document.querySelectorAll<HTMLElement>(PROMPT),
    ...regions,
    ...document.querySelectorAll<HTMLElement>("main, #app"),
  ].filter((place) => place.isConnected);
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
