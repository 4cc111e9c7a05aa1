import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { formatPercent, formatPoints } from "../format";
import { momentPath } from "../paths";
import type { LogEntry, ReviewedSeat } from "../protocol";
import { capitalise, translate } from "../translate";
import { Link } from "../ui/link";
import { Curve } from "./curve";
import {
  accuracy,
  formatMistake,
  mistakesOf,
  pointsCurve,
  type ReviewState,
  winningCurve,
} from "./review";

const SHOWN_MISTAKES = 5;

interface SummaryProps {
  code: string;
  review: ReviewState;
  seat: number;
  at: number;
  log: readonly LogEntry[];
  onGo: (at: number) => void;
  onPractise: () => void;
  onRetry: () => void;
}

/** The review of a seat: curve, result, worst decisions, areas and rounds. */
export function Summary({
  code,
  review,
  seat,
  at,
  log,
  onGo,
  onPractise,
  onRetry,
}: SummaryProps): JSX.Element {
  const seatReview = review.seats?.find((reviewed) => reviewed.seat === seat);
  return (
    <section class="review" aria-label={translate("page.review")}>
      <h2>{translate("page.review")}</h2>
      {(!seatReview || review.failure !== null) && (
        <ReviewProgress review={review} onRetry={onRetry} />
      )}
      {seatReview && (
        <SeatReview
          code={code}
          seatReview={seatReview}
          at={at}
          log={log}
          onGo={onGo}
          onPractise={onPractise}
        />
      )}
    </section>
  );
}

/** The progress of the review, or why it failed. */
export function ReviewProgress({
  review,
  onRetry,
}: {
  review: ReviewState;
  onRetry: () => void;
}): JSX.Element {
  if (review.failure !== null) {
    return (
      <p class="notice" role="alert">
        {review.failure}{" "}
        <button type="button" class="button small" onClick={onRetry}>
          {translate("page.lost.again")}
        </button>
      </p>
    );
  }
  return (
    <div class="review-wait" role="status">
      <p>{translate("page.review.working")}</p>
      <progress value={review.progress} aria-label={translate("page.review.working")} />
    </div>
  );
}

type SeatReviewProps = Pick<SummaryProps, "code" | "at" | "log" | "onGo" | "onPractise"> & {
  seatReview: ReviewedSeat;
};

function SeatReview({ code, seatReview, at, log, onGo, onPractise }: SeatReviewProps): JSX.Element {
  const hasOpponents = seatReview.winning.length > 0;
  const [winning, setWinning] = useState(false);
  const last = log.length;
  const mistakes = mistakesOf(seatReview);
  const best = seatReview.decisions.filter(({ verdict }) => verdict === "best").length;
  const decisions = Math.max(seatReview.decisions.length, 1);
  return (
    <>
      <div class="review-headline">
        <Term
          value={formatPercent(accuracy(seatReview))}
          name={translate("page.review.accuracy")}
          meaning={translate("page.review.accuracy.why")}
        />
        <Term
          value={formatPoints(seatReview.luck, true)}
          name={capitalise(translate("review.luck"))}
          meaning={translate("page.review.luck.why")}
        />
      </div>
      {hasOpponents && (
        // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
        <div class="review-units" role="group" aria-label={translate("page.review.unit")}>
          <button
            type="button"
            class="button small"
            aria-pressed={!winning}
            onClick={() => setWinning(false)}
          >
            {translate("page.review.unit.points")}
          </button>
          <button
            type="button"
            class="button small"
            aria-pressed={winning}
            onClick={() => setWinning(true)}
          >
            {translate("page.review.unit.winning")}
          </button>
        </div>
      )}
      <Curve
        points={
          hasOpponents && winning ? winningCurve(seatReview, last) : pointsCurve(seatReview, last)
        }
        last={last}
        at={at}
        unit={hasOpponents && winning ? "percent" : "points"}
        label={translate(
          hasOpponents && winning ? "page.review.curve.winning" : "page.review.curve",
          {
            count: mistakes.length,
          },
        )}
        onGo={onGo}
      />
      <table class="review-table account">
        <caption class="sr">{translate("page.review.account")}</caption>
        <tbody>
          <tr>
            <th scope="row">{capitalise(translate("review.start"))}</th>
            <td>{formatPoints(seatReview.start)}</td>
          </tr>
          <tr>
            <th scope="row">
              {capitalise(translate("review.luck"))}
              <small>
                {translate("review.percentile", { share: formatPercent(seatReview.percentile) })}
              </small>
            </th>
            <td class={seatReview.luck < 0 ? "down" : "up"}>
              {formatPoints(seatReview.luck, true)}
            </td>
          </tr>
          <tr>
            <th scope="row">
              {capitalise(translate("review.loss"))}
              <small>
                {translate("review.per_decision", {
                  count: seatReview.decisions.length,
                  each: formatPoints(seatReview.loss / decisions),
                  best: formatPercent(best / decisions),
                })}
              </small>
            </th>
            <td class={seatReview.loss > 0 ? "down" : ""}>
              {formatPoints(-seatReview.loss, true)}
            </td>
          </tr>
          <tr>
            <th scope="row">{capitalise(translate("review.rest"))}</th>
            <td>{formatPoints(seatReview.rest, true)}</td>
          </tr>
          <tr class="sum">
            <th scope="row">{capitalise(translate("review.score"))}</th>
            <td>{seatReview.score}</td>
          </tr>
          <tr>
            <th scope="row">{capitalise(translate("review.adjusted"))}</th>
            <td>{formatPoints(seatReview.adjusted)}</td>
          </tr>
        </tbody>
      </table>
      <h3>{translate(mistakes.length > 0 ? "page.review.worst" : "review.no_mistakes")}</h3>
      {mistakes.length > 0 && (
        <>
          <ol class="worst">
            {mistakes.slice(0, SHOWN_MISTAKES).map((decision) => (
              <li key={decision.at}>
                <Link
                  class="worst-one"
                  href={momentPath(code, decision.at)}
                  aria-current={decision.at === at ? "step" : undefined}
                  onGo={() => onGo(decision.at)}
                >
                  <b class={`verdict v-${decision.verdict}`}>
                    −{formatMistake(decision)}{" "}
                    <small>{translate(`review.class.${decision.verdict}`)}</small>
                  </b>
                  <span>
                    {log[decision.at]?.words}{" "}
                    <small>{translate("page.review.better", { words: decision.best.words })}</small>
                  </span>
                </Link>
              </li>
            ))}
          </ol>
          <button type="button" class="button wide" onClick={onPractise}>
            <Icon name="target" /> {translate("page.practice.begin", { count: mistakes.length })}
          </button>
        </>
      )}
      <h3>{translate("page.review.areas")}</h3>
      <table class="review-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{translate("page.points")}</th>
            <th scope="col">{translate("page.review.lost")}</th>
          </tr>
        </thead>
        <tbody>
          {seatReview.parts.map((part) => (
            <tr key={part.part}>
              <th scope="row">{capitalise(part.words)}</th>
              <td>{part.points}</td>
              <td>{formatPoints(part.loss)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{translate("page.review.rounds")}</h3>
      <table class="review-table">
        <thead>
          <tr>
            <th scope="col">{translate("page.review.round")}</th>
            <th scope="col">{translate("page.review.luck")}</th>
            <th scope="col">{translate("page.review.lost")}</th>
            <th scope="col">{translate("page.review.expected")}</th>
            {hasOpponents && <th scope="col">{translate("page.review.unit.winning")}</th>}
          </tr>
        </thead>
        <tbody>
          {seatReview.rounds.map((row) => (
            <tr key={row.round}>
              <th scope="row">{row.round}</th>
              <td>{formatPoints(row.luck, true)}</td>
              <td>{formatPoints(row.loss)}</td>
              <td>{Math.round(row.expected)}</td>
              {hasOpponents && <td>{formatPercent(row.winning)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** A figure that explains itself when it is touched. */
function Term({
  value,
  name,
  meaning,
}: {
  value: string;
  name: string;
  meaning: string;
}): JSX.Element {
  return (
    <details>
      <summary>
        <strong>{value}</strong> {name}
      </summary>
      <p class="hint-line">{meaning}</p>
    </details>
  );
}
