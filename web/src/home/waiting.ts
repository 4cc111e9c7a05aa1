/** Which tables wait for the player, and since when. */
import type { OwnTable } from "../protocol";

/** Whether other people wait for the player; a game against computers waits for nobody. */
export function waitsForMe({ seats, waits_for, you, over }: OwnTable): boolean {
  const hasOthers = seats.some(
    (seat) => (seat.kind === "person" || seat.stand_in) && !seat.open && !you.includes(seat.seat),
  );
  return !over && hasOthers && waits_for.some((seat) => you.includes(seat));
}

/** Return tables with those first that wait for the player, the longest wait at the top. */
export function waitingFirst<T extends readonly [string, OwnTable | null]>(
  tables: readonly T[],
): T[] {
  const due = (table: OwnTable | null): number =>
    table !== null && waitsForMe(table) ? table.waiting_since : Number.POSITIVE_INFINITY;
  return tables
    .map((entry) => ({ entry, since: due(entry[1]) }))
    .sort((a, b) => (a.since === b.since ? 0 : a.since - b.since))
    .map(({ entry }) => entry);
}

/** Show in the tab and on the icon of the installed app how many tables wait. */
export function showCount(count: number): void {
  document.title = count > 0 ? `(${count}) Fox & Clover` : "Fox & Clover";
  if ("setAppBadge" in navigator) {
    navigator.setAppBadge(count).catch(() => undefined);
  }
}
