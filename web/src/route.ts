/** Two places: the start page at `/` and a table at `/t/<code>`. */
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
