/** A day's seat, its time and how one stands on it. Pure. */
import { dates } from "../dates";
import type { DailyStanding } from "../protocol";
import { sha256 } from "../seal/sha256";
import { say } from "../words";

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
export function dayWords(day: string): string {
  return dates({ dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

/** How one stands, in a sentence or two. */
export function standing({
  state,
  score,
  place,
  finished,
  better_than: share,
}: DailyStanding): string {
  if (state !== "finished" || score === null || place === null) {
    return say(
      state === "none" && finished === 0 ? "page.daily.state.first" : `page.daily.state.${state}`,
      { count: finished },
    );
  }
  const words = say("daily.finished", { score, place, count: finished });
  return share === null
    ? words
    : `${words} ${say("daily.better", { share: Math.round(100 * share) })}`;
}

/** Hours and minutes. */
export function clock(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
