import type { SheetView } from "../protocol";
import { cellKey } from "./choice";

/** Fields marked since the view before: they are shown as new. */
export function freshCells(before: SheetView | undefined, now: SheetView): Set<string> {
  const fresh = new Set<string>();
  if (before) {
    now.marks.forEach((marks, area) =>
      marks.forEach((mark, cell) => {
        if (mark > (before.marks[area]?.[cell] ?? 0)) {
          fresh.add(cellKey(area, cell));
        }
      }),
    );
  }
  return fresh;
}
