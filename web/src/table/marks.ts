/** Marks of what each player's last move changed on their sheet or levels. Pure. */
import { familyOf } from "../family";
import type { View } from "../protocol";

export type Marks = readonly ReadonlySet<string>[];

/** Return the marks after a new view: new ones of players who moved, valid ones of the others. */
export function marksAfter(marks: Marks, before: View, now: View): Marks {
  const family = familyOf(now);
  return Array.from({ length: family.seatCount(now) }, (_, seat) => {
    const newMarks = family.newMarks(before, now, seat);
    return newMarks.size > 0
      ? newMarks
      : new Set([...(marks[seat] ?? [])].filter((mark) => family.hasMark(now, seat, mark)));
  });
}
