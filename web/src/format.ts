/** Numbers, dates and names of games, in the language of the page. */
import type { GameInfo, SeatInfo } from "./protocol";
import { locale, translate } from "./translate";

const formatNumber = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale.get().language, options).format(value);

/** Format points with one decimal. */
export const formatPoints = (points: number, signed = false): string =>
  formatNumber(points, {
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
    signDisplay: signed ? "exceptZero" : "auto",
  });

/** Format the points that a decision loses, with two decimals. */
export const formatLoss = (points: number): string =>
  formatNumber(points, { maximumFractionDigits: 2, minimumFractionDigits: 2 });

/** Format a share as percent; `decimals` for shares below 10 %. */
export const formatPercent = (share: number, decimals = 0): string =>
  formatNumber(share, {
    style: "percent",
    maximumFractionDigits: share > 0 && share < 0.1 ? decimals : 0,
  });

/** Return a date format of the browser's region in that language: "en" alone is American. */
export function dateFormat(
  style: Intl.DateTimeFormatOptions,
  regions: readonly string[] = navigator.languages,
): Intl.DateTimeFormat {
  const { language } = locale.get();
  return new Intl.DateTimeFormat(
    regions.find((region) => region.toLowerCase().startsWith(language)) ?? language,
    style,
  );
}

/** Return the title of a game, or its key if it is not offered. */
export const gameName = (games: readonly GameInfo[], key: string): string =>
  games.find((game) => game.key === key)?.name ?? key;

/** Return the name of a seat: "You" if it is the only own one and has no name. */
export function seatName(
  seat: Pick<SeatInfo, "seat" | "name" | "named" | "open">,
  own: readonly number[],
): string {
  if (seat.open) {
    return translate("page.seat.open");
  }
  const isMine = own.length === 1 && own[0] === seat.seat;
  return isMine && !seat.named ? translate("page.seat.me") : seat.name;
}
