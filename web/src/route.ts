/** Where one is: the start page at `/`, a table at `/t/<code>`, a moment of a finished game at `/t/<code>/<moves>`, somebody's game at `/look`, oneself at `/me`, the daily challenge at `/daily`. */

import { SITE } from "#backend";
import { observable } from "./observable";
import { parsePath, parseQuery, type Route } from "./paths";

const currentRoute = (): Route =>
  SITE ? parseQuery(location.search) : parsePath(location.pathname);

export const route = observable<Route>(currentRoute());

addEventListener("popstate", () => route.set(currentRoute()));

/** What the place is told that one goes to. */
export interface NavigationState {
  invites?: boolean;
}

export function go(path: string, navigation: NavigationState | null = null): void {
  history.pushState(navigation, "", path);
  route.set(currentRoute());
  scrollTo(0, 0);
}

/** Changes the address without leaving the place, as when one steps through a game. */
export function replace(path: string): void {
  history.replaceState(history.state, "", path);
  route.set(currentRoute());
}
