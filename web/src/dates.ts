/** Dates as people write them. */
import { spoken } from "./translate";

/** In the spoken language, as the browser's own region writes it: English alone would be American. */
export function dates(
  style: Intl.DateTimeFormatOptions,
  wishes: readonly string[] = navigator.languages,
): Intl.DateTimeFormat {
  const { language } = spoken.get();
  return new Intl.DateTimeFormat(
    wishes.find((wish) => wish.toLowerCase().startsWith(language)) ?? language,
    style,
  );
}
