/** Two places: the start page at `/` and a table at `/t/<code>`. */
import { observable } from "./observable";
import { parsePath, type Route } from "./paths";

export const route = observable<Route>(parsePath(location.pathname));

addEventListener("popstate", () => route.set(parsePath(location.pathname)));

export function go(path: string): void {
  history.pushState(null, "", path);
  route.set(parsePath(location.pathname));
  scrollTo(0, 0);
}
