/** The review of a finished game. Everything except the hook is pure. */
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../connection";
import { formatPercent, formatPoints } from "../format";
import { useObservable, useSelected } from "../observable";
import type { ReviewedDecision, ReviewedSeat, ReviewMessage } from "../protocol";
import { locale, translate } from "../translate";

export interface ReviewState {
  /** Finished share of the review. */
  progress: number;
  seats: readonly ReviewedSeat[] | null;
  failure: string | null;
}

/** Request the review; again after a change of language or a lost connection. */
export function useReview(connection: Connection): ReviewState & { retry: () => void } {
  const { language } = useObservable(locale);
  const link = useSelected(connection.table, (table) => table.link);
  const [review, setReview] = useState<ReviewState>({
    progress: 0,
    seats: null,
    failure: null,
  });
  const [requests, setRequests] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (link !== "open") {
      return;
    }
    let active = true;
    const onProgress = (answer: ReviewMessage): boolean => {
      if (active && answer.seats === null) {
        setReview((before) => ({ ...before, progress: answer.progress, failure: null }));
      }
      return answer.seats === null;
    };
    connection.ask({ type: "review" }, onProgress).then(
      ({ seats }) => active && setReview({ progress: 1, seats, failure: null }),
      (error: Error) => active && setReview((before) => ({ ...before, failure: error.message })),
    );
    return () => {
      active = false;
    };
  }, [language, link, requests]);
  return { ...review, retry: () => setRequests(requests + 1) };
}

type Verdict = ReviewedDecision["verdict"];

const MISTAKES: ReadonlySet<Verdict> = new Set<Verdict>(["inaccuracy", "mistake", "blunder"]);

export const isMistake = ({ verdict }: ReviewedDecision): boolean => MISTAKES.has(verdict);

/** The signs of mistakes, as in chess. */
const SIGNS: Partial<Record<Verdict, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Return the verdict on each mistake of all seats, by the number of moves before it. */
export function mistakeVerdicts(seats: readonly ReviewedSeat[]): ReadonlyMap<number, Verdict> {
  return new Map(
    seats.flatMap(({ decisions }) =>
      decisions.filter(isMistake).map(({ at, verdict }): [number, Verdict] => [at, verdict]),
    ),
  );
}

export const signOf = (verdict: Verdict): string => SIGNS[verdict] ?? "";

/** Return the share of decisions without a mistake. */
export function accuracy({ decisions }: ReviewedSeat): number {
  return decisions.filter((made) => !isMistake(made)).length / Math.max(1, decisions.length);
}

/** Points that are worth as much as a win. */
const POINTS_OF_A_WIN = 100;

/** Return the loss that a verdict is based on: points, or the win probability in points. */
const effectiveLoss = ({ loss, win_loss }: ReviewedDecision): number =>
  win_loss > 0 ? POINTS_OF_A_WIN * win_loss : loss;

/** Smaller losses would be rounded to 0. */
const SMALLEST_SHOWN = 0.05;

/** Format the whole loss of a decision, with its error if there were rollouts. */
export function formatMistake(decision: ReviewedDecision): string {
  const { loss, error, win_loss } = decision;
  const lost = translate("review.points_loss", {
    points:
      error > 0 ? `${formatPoints(loss)}\u00a0±\u00a0${formatPoints(error)}` : formatPoints(loss),
  });
  if (win_loss <= 0) {
    return lost;
  }
  return loss < SMALLEST_SHOWN ? formatLoss(decision) : `${lost}, ${formatLoss(decision)}`;
}

/** Format a loss in the unit of the decision's verdict. */
export function formatLoss(decision: ReviewedDecision, lost = effectiveLoss(decision)): string {
  return decision.win_loss > 0
    ? translate("review.win_loss", { share: formatPercent(lost / POINTS_OF_A_WIN) })
    : translate("review.points_loss", { points: formatPoints(lost) });
}

/** Return the mistakes of a seat, the worst first. */
export function mistakesOf(seat: ReviewedSeat): ReviewedDecision[] {
  return seat.decisions.filter(isMistake).sort((a, b) => effectiveLoss(b) - effectiveLoss(a));
}

export interface CurvePoint {
  /** Number of moves before the roll or decision. */
  at: number;
  /** Expected final points after it, or the win probability. */
  value: number;
  by: "start" | "roll" | "decision" | "end";
  decision: ReviewedDecision | null;
}

/** Return the expected final points over the game. */
export function pointsCurve(seat: ReviewedSeat, last: number): CurvePoint[] {
  const rolls = seat.chances.map(
    ({ at, expected }): CurvePoint => ({ at, value: expected, by: "roll", decision: null }),
  );
  const made = seat.decisions.map(
    (decision): CurvePoint => ({
      at: decision.at,
      value: decision.expected,
      by: "decision",
      decision,
    }),
  );
  const between = [...rolls, ...made].sort((a, b) => a.at - b.at);
  return [
    { at: 0, value: seat.start, by: "start", decision: null },
    ...between,
    { at: last, value: seat.score, by: "end", decision: null },
  ];
}

/** Return the win probability over the game in percent, at the points of the other curve. */
export function winningCurve(seat: ReviewedSeat, last: number): CurvePoint[] {
  const chances = new Map(seat.winning.map(([at = 0, share = 0]) => [at, 100 * share]));
  return pointsCurve(seat, last).flatMap((point) => {
    const value = chances.get(point.by === "start" || point.by === "end" ? point.at : point.at + 1);
    return value === undefined ? [] : [{ ...point, value }];
  });
}

/** Return round values for at most `most` grid lines. */
export function gridLines(lowest: number, highest: number, most: number): number[] {
  const rough = Math.max(highest - lowest, 1) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(lowest / step);
  return Array.from(
    { length: Math.floor(highest / step) - first + 1 },
    (_, at) => (first + at) * step,
  );
}
