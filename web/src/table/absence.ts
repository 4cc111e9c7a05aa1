/** How long players have been away, and how long they may take. */
import { useEffect, useState } from "preact/hooks";
import type { SeatInfo } from "../protocol";
import { locale } from "../translate";

const UPDATE_EVERY = 30_000;
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

interface Times {
  /** How long a player has been away; null if they are present. */
  absenceOf: (seat: SeatInfo) => string | null;
  /** The time until a deadline. */
  timeLeft: (deadline: number) => string;
}

/** Return functions that format times, and draw again while they pass. */
export function useTimes(): Times {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_EVERY);
    return () => clearInterval(timer);
  }, []);
  const { language } = locale.get();
  return {
    absenceOf: ({ away_since }) =>
      away_since === null ? null : duration(now / 1000 - away_since, language),
    timeLeft: (deadline) => duration(deadline - now / 1000, language),
  };
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
