/** How long players have been away. */
import { useEffect, useState } from "preact/hooks";
import type { SeatInfo } from "../protocol";
import { locale } from "../translate";

const UPDATE_EVERY = 30_000;
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Return a function that formats how long a player has been away; null if they are present. */
export function useAbsence(): (seat: SeatInfo) => string | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_EVERY);
    return () => clearInterval(timer);
  }, []);
  return ({ away_since }) =>
    away_since === null ? null : duration(now / 1000 - away_since, locale.get().language);
}

export function duration(seconds: number, language: string): string {
  const [unit, unitSeconds] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[2];
  const count = Math.floor(seconds / unitSeconds);
  return (
    (count < 1 ? "<" : "") +
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(
      Math.max(1, count),
    )
  );
}
