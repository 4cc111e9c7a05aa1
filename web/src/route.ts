/**
 * The current page: the start page at `/`, a table at `/t/<code>`, a moment of its review at
 * `/t/<code>/<moves>`, a transcript at `/look`, the player at `/me`, the daily challenge at
 * `/daily`.
 */

import { SITE } from "#backend";
import { BASE } from "./base";
import { observable } from "./observable";
import { parsePath, parseQuery, type Route } from "./paths";

const currentRoute = (): Route =>
  SITE ? parseQuery(location.search) : parsePath(location.pathname, BASE);

export const route = observable<Route>(currentRoute());

addEventListener("popstate", () => route.set(currentRoute()));

/** Data for the next page. */
export interface NavigationState {
  invites?: boolean;
}

export function go(path: string, navigation: NavigationState | null = null): void {
  history.pushState(navigation, "", path);
  route.set(currentRoute());
  scrollTo(0, 0);
}

/** Change the address without a new history entry, for example in a replay. */
export function replace(path: string): void {
  history.replaceState(history.state, "", path);
  route.set(currentRoute());
}
