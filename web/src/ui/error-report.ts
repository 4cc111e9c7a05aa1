/** The position that the page shows, for the details of an error. */

let shown = { page: "", position: "" };

/** Remember the position that is about to be drawn. */
export function noteShown(position: string): void {
  shown = { page: location.href, position };
}

/** Return the position that this page was drawing; null on pages without one. */
export const shownPosition = (): string | null =>
  shown.page === location.href ? shown.position : null;
