/**
 * The current page: the start page at `/`, a table at `/t/<code>`, a moment of its review at
 * `/t/<code>/<moves>`, a transcript at `/look`, the player at `/me`, the daily challenge at
 * `/daily`, puzzles at `/puzzles`.
 */

import { SITE } from "#backend";
import { BASE } from "./base";
import { observable } from "./observable";
import { parsePath, parseQuery, type Route } from "./paths";

const routeAt = ({ search, pathname }: { search: string; pathname: string }): Route =>
  SITE ? parseQuery(search) : parsePath(pathname, BASE);

export const route = observable<Route>(routeAt(location));

/** Data for the next page. */
export interface NavigationState {
  invites?: boolean;
}

export function go(path: string, navigation: NavigationState | null = null): void {
  writeAddress(); // the way back leads to the moment that was shown
  history.pushState(navigation, "", path);
  route.set(routeAt(location));
  scrollTo(0, 0);
}

const WRITE_EVERY = 400; // ms: Safari throws after 100 changes of the address in 30 s
let unwritten: string | null = null;
let lastWritten = 0;
let timer = 0;

/**
 * Change the page without a new history entry, for example in a replay. The address follows; the
 * last one of many quick changes is written a moment later.
 */
export function replace(path: string): void {
  unwritten = path;
  route.set(routeAt(new URL(path, location.href)));
  const wait = lastWritten + WRITE_EVERY - Date.now();
  if (wait <= 0) {
    writeAddress();
  } else if (timer === 0) {
    timer = window.setTimeout(writeAddress, wait);
  }
}

function writeAddress(): void {
  clearTimeout(timer);
  timer = 0;
  if (unwritten !== null) {
    history.replaceState(history.state, "", unwritten);
    unwritten = null;
    lastWritten = Date.now();
  }
}

addEventListener("pagehide", writeAddress); // a reload shows the same moment
addEventListener("popstate", () => {
  unwritten = null;
  route.set(routeAt(location));
});
