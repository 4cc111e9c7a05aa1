/** Dates as people write them. */
import { locale } from "./translate";

/** In the spoken language, as the browser's own region writes it: English alone would be American. */
export function dateFormat(
  style: Intl.DateTimeFormatOptions,
  wishes: readonly string[] = navigator.languages,
): Intl.DateTimeFormat {
  const { language } = locale.get();
  return new Intl.DateTimeFormat(
    wishes.find((wish) => wish.toLowerCase().startsWith(language)) ?? language,
    style,
  );
}
