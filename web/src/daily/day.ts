/** The seat, the times and the standing of a daily challenge. Pure. */

import { toBase64url } from "../base64url";
import { sha256 } from "../fair/sha256";
import { dateFormat, formatPercent } from "../format";
import type { DailyStanding, Today } from "../protocol";
import { translate } from "../translate";

const SEAT_BYTES = 24;

/**
 * Return the token of the seat of a day. It depends on the device, so that a start can be requested
 * again if its answer is lost.
 */
export function seatSecret(device: string, day: string, game: string): string {
  const hashed = sha256(new TextEncoder().encode(`daily seat ${device} ${day} ${game}`));
  return toBase64url(hashed.slice(0, SEAT_BYTES));
}

/** Format a day. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

const DAY = 86_400;
const GRACE = 3_600; // to finish games started before midnight

const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** Whether a move came after its day was closed; `movedAt` is in seconds since 1970. */
export function isLate(day: string, movedAt: number): boolean {
  return movedAt >= startOfDay(day) + DAY + GRACE;
}

/** Return the seconds until a day is closed, by the server's clock; 0 if it is closed. */
export function untilClosed(day: string, now: Pick<Today, "day" | "left">): number {
  return Math.max(0, startOfDay(day) + DAY + GRACE - (startOfDay(now.day) + DAY - now.left));
}

/** Return the player's standing as a sentence or two. */
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
    : `${text} ${translate("daily.better", { share: formatPercent(share) })}`;
}

/** Format seconds as hours and minutes. */
export function formatClock(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Format the time in so many seconds, by the clock of this device. */
export function formatEnd(seconds: number, now = Date.now()): string {
  // The server rounds down, so the end would be a minute early.
  const end = Math.round((now + 1000 * seconds) / 60_000) * 60_000;
  return dateFormat({ timeStyle: "short" }).format(end);
}
