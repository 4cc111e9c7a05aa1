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
import { type ExplainedTerm, explain, Term } from "./term";

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
        <Term of="accuracy">
          <strong>{formatPercent(accuracy(seatReview))}</strong> {translate("page.review.accuracy")}
        </Term>
        <Term of="luck">
          <strong>{formatPoints(seatReview.luck, true)}</strong>{" "}
          {capitalise(translate("review.luck"))}
        </Term>
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
            <th scope="row">
              <Term of="start">{capitalise(translate("review.start"))}</Term>
            </th>
            <td>{formatPoints(seatReview.start)}</td>
          </tr>
          <tr>
            <th scope="row">
              <Term of="luck">{capitalise(translate("review.luck"))}</Term>
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
              <Term of="lost">{capitalise(translate("review.loss"))}</Term>
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
            <th scope="row">
              <Term of="rest">{capitalise(translate("review.rest"))}</Term>
            </th>
            <td>{formatPoints(seatReview.rest, true)}</td>
          </tr>
          <tr class="sum">
            <th scope="row">{capitalise(translate("review.score"))}</th>
            <td>{seatReview.score}</td>
          </tr>
          <tr>
            <th scope="row">
              <Term of="adjusted">{capitalise(translate("review.adjusted"))}</Term>
            </th>
            <td>{formatPoints(seatReview.adjusted)}</td>
          </tr>
        </tbody>
      </table>
      {mistakes.length > 0 ? (
        <Term of="mistakes">
          <h3>{translate("page.review.worst")}</h3>
        </Term>
      ) : (
        <h3>{translate("review.no_mistakes")}</h3>
      )}
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
      <Figures
        heads={[null, { words: "page.points" }, { words: "page.review.lost", of: "lost" }]}
        rows={seatReview.parts.map(({ words, points, loss }) => [
          capitalise(words),
          `${points}`,
          formatPoints(loss),
        ])}
      />
      <h3>{translate("page.review.rounds")}</h3>
      <Figures
        heads={[
          { words: "page.review.round" },
          { words: "page.review.luck", of: "luck" },
          { words: "page.review.lost", of: "lost" },
          { words: "page.review.expected", of: "expected" },
          ...(hasOpponents ? [{ words: "page.review.unit.winning", of: "winning" } as const] : []),
        ]}
        rows={seatReview.rounds.map(({ round, luck, loss, expected, winning: chance }) => [
          `${round}`,
          formatPoints(luck, true),
          formatPoints(loss),
          `${Math.round(expected)}`,
          ...(hasOpponents ? [formatPercent(chance)] : []),
        ])}
      />
    </>
  );
}

interface Head {
  /** The key of its text. */
  words: string;
  of?: ExplainedTerm;
}

/** A table; a touched column head shows its explanation above, where there is room for it. */
function Figures({
  heads,
  rows,
}: {
  heads: readonly (Head | null)[];
  rows: readonly (readonly string[])[];
}): JSX.Element {
  const [touched, setTouched] = useState<ExplainedTerm | null>(null);
  return (
    <>
      <p class="hint-line" role="status">
        {touched && explain(touched)}
      </p>
      <table class="review-table">
        <thead>
          <tr>
            {heads.map((head, at) =>
              head ? (
                <th key={at} scope="col">
                  {head.of ? (
                    <HeadTerm
                      of={head.of}
                      words={capitalise(translate(head.words))}
                      touched={touched}
                      onTouch={setTouched}
                    />
                  ) : (
                    capitalise(translate(head.words))
                  )}
                </th>
              ) : (
                <td key={at} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...figures]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {figures.map((figure, at) => (
                <td key={at}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function HeadTerm({
  of,
  words,
  touched,
  onTouch,
}: {
  of: ExplainedTerm;
  words: string;
  touched: ExplainedTerm | null;
  onTouch: (term: ExplainedTerm | null) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="explained"
      aria-expanded={touched === of}
      onClick={() => onTouch(touched === of ? null : of)}
    >
      {words}
    </button>
  );
}
