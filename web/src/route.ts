/** The places: the start page at `/`, a table at `/t/<code>`, a moment of a finished game at `/t/<code>/<moves>`, somebody's transcript at `/look`. */
import { observable } from "./observable";
import { parsePath, type Route } from "./paths";

export const route = observable<Route>(parsePath(location.pathname));

addEventListener("popstate", () => route.set(parsePath(location.pathname)));

/** What the place is told that one goes to. */
export interface Luggage {
  invites?: boolean;
}

export function go(path: string, luggage: Luggage | null = null): void {
  history.pushState(luggage, "", path);
  route.set(parsePath(location.pathname));
  scrollTo(0, 0);
}

/** Changes the address without leaving the place, as when one steps through a game. */
export function replace(path: string): void {
  history.replaceState(history.state, "", path);
  route.set(parsePath(location.pathname));
}
