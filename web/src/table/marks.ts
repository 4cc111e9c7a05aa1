/** What each player's last move changed on his sheet or his levels. Pure. */
import { familyOf } from "../family";
import type { View } from "../protocol";

export type Marks = readonly ReadonlySet<string>[];

/** The marks after a new view: of players who moved the new ones, of all others those that still stand. */
export function marksAfter(marks: Marks, before: View, now: View): Marks {
  const family = familyOf(now);
  return Array.from({ length: family.seatCount(now) }, (_, seat) => {
    const newMarks = family.newMarks(before, now, seat);
    return newMarks.size > 0
      ? newMarks
      : new Set([...(marks[seat] ?? [])].filter((mark) => family.hasMark(now, seat, mark)));
  });
}
