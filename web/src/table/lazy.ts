/** The page of a table, which the start page does not need. */
import { preloadFamily } from "../family";

export const loadTablePage = async (): Promise<typeof import("./page").TablePage> =>
  (await import("./page")).TablePage;

/** Start to load what a table of a family will need. */
export function preloadTable(family: string): void {
  loadTablePage().catch(() => undefined); // reported when it is needed
  preloadFamily(family);
}
