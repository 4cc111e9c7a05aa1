/** What the table looks like to somebody who must learn it: names of situations, the most general first. Pure. */
import { familyOf } from "../family";
import type { StateMessage } from "../protocol";

export function situationsOf(
  { over, rollers, acting, view }: StateMessage,
  seat: number,
): string[] {
  return over
    ? ["end"]
    : [
        "welcome",
        ...(rollers.includes(seat) ? ["roll"] : []),
        ...familyOf(view).situations(view, seat, acting.includes(seat)),
      ];
}
