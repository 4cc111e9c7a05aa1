/** A day's seat, its time and how one stands on it. Pure. */

import { sha256 } from "../fair/sha256";
import { dateFormat } from "../format";
import type { DailyStanding, Today } from "../protocol";
import { translate } from "../translate";

const SEAT_BYTES = 24;

/** The secret of one's seat on a day: always the same one of a device, so that a start whose answer was lost can be asked for again. */
export function seatSecret(device: string, day: string, game: string): string {
  const hashed = sha256(new TextEncoder().encode(`daily seat ${device} ${day} ${game}`)).slice(
    0,
    SEAT_BYTES,
  );
  return btoa(String.fromCharCode(...hashed))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** A day as people write it. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

const DAY = 86_400;
const GRACE = 3_600; // for games begun before midnight

const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** Whether a move of the game of a day was made when that day was closed; in seconds since 1970. */
export function isLate(day: string, movedAt: number): boolean {
  return movedAt >= startOfDay(day) + DAY + GRACE;
}

/** The seconds until a day is closed, by the server's clock; 0 if it is. */
export function untilClosed(day: string, now: Pick<Today, "day" | "left">): number {
  return Math.max(0, startOfDay(day) + DAY + GRACE - (startOfDay(now.day) + DAY - now.left));
}

/** How one stands, in a sentence or two. */
export function standingText({
  state,
  score,
  place,
  finished,
  better_than: share,
}: DailyStanding): string {
  if (state !== "finished" || score === null || place === null) {
    return translate(
      state === "none" && finished === 0 ? "page.daily.state.first" : `page.daily.state.${state}`,
      { count: finished },
    );
  }
  const text = translate("daily.finished", { score, place, count: finished });
  return share === null
    ? text
    : `${text} ${translate("daily.better", { share: Math.round(100 * share) })}`;
}

/** Hours and minutes. */
export function formatClock(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
