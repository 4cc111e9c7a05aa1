import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { percent, points } from "../format";
import { momentPath } from "../paths";
import type { LogEntry, ReviewedSeat } from "../protocol";
import { capitalise, translate } from "../translate";
import { Curve } from "./curve";
import { mistakesOf, mistakeWords, pointsCurve, type Reviewing, winningCurve } from "./review";

const WORST = 5;

interface SummaryProps {
  code: string;
  reviewing: Reviewing;
  seat: number;
  at: number;
  log: readonly LogEntry[];
  onGo: (at: number) => void;
  onPractise: () => void;
  onAgain: () => void;
}

/** What the game was worth: its curve, the account, the worst decisions, areas and rounds of one seat. */
export function Summary({
  code,
  reviewing,
  seat,
  at,
  log,
  onGo,
  onPractise,
  onAgain,
}: SummaryProps): JSX.Element {
  const found = reviewing.seats?.find((one) => one.seat === seat);
  return (
    <section class="review" aria-label={translate("page.review")}>
      <h2>{translate("page.review")}</h2>
      {(!found || reviewing.failure !== null) && (
        <Awaited reviewing={reviewing} onAgain={onAgain} />
      )}
      {found && (
        <Found code={code} found={found} at={at} log={log} onGo={onGo} onPractise={onPractise} />
      )}
    </section>
  );
}

/** How far the review is, or why there is none. */
export function Awaited({
  reviewing,
  onAgain,
}: {
  reviewing: Reviewing;
  onAgain: () => void;
}): JSX.Element {
  if (reviewing.failure !== null) {
    return (
      <p class="notice" role="alert">
        {reviewing.failure}{" "}
        <button type="button" class="button small" onClick={onAgain}>
          {translate("page.lost.again")}
        </button>
      </p>
    );
  }
  return (
    <div class="review-wait" role="status">
      <p>{translate("page.review.working")}</p>
      <progress value={reviewing.progress} aria-label={translate("page.review.working")} />
    </div>
  );
}

type FoundProps = Pick<SummaryProps, "code" | "at" | "log" | "onGo" | "onPractise"> & {
  found: ReviewedSeat;
};

function Found({ code, found, at, log, onGo, onPractise }: FoundProps): JSX.Element {
  const several = found.winning.length > 0;
  const [winning, setWinning] = useState(false);
  const last = log.length;
  const wrong = mistakesOf(found);
  const best = found.decisions.filter(({ verdict }) => verdict === "best").length;
  const decided = Math.max(found.decisions.length, 1);
  return (
    <>
      {several && (
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
        points={several && winning ? winningCurve(found, last) : pointsCurve(found, last)}
        last={last}
        at={at}
        unit={several && winning ? "percent" : "points"}
        label={translate(several && winning ? "page.review.curve.winning" : "page.review.curve", {
          count: wrong.length,
        })}
        onGo={onGo}
      />
      <table class="review-table account">
        <caption class="sr">{translate("page.review.account")}</caption>
        <tbody>
          <tr>
            <th scope="row">{capitalise(translate("review.start"))}</th>
            <td>{points(found.start)}</td>
          </tr>
          <tr>
            <th scope="row">
              {capitalise(translate("review.luck"))}
              <small>{translate("review.percentile", { share: percent(found.percentile) })}</small>
            </th>
            <td class={found.luck < 0 ? "down" : "up"}>{points(found.luck, true)}</td>
          </tr>
          <tr>
            <th scope="row">
              {capitalise(translate("review.loss"))}
              <small>
                {translate("review.per_decision", {
                  count: found.decisions.length,
                  each: points(found.loss / decided),
                  best: percent(best / decided),
                })}
              </small>
            </th>
            <td class={found.loss > 0 ? "down" : ""}>{points(-found.loss, true)}</td>
          </tr>
          <tr>
            <th scope="row">{capitalise(translate("review.rest"))}</th>
            <td>{points(found.rest, true)}</td>
          </tr>
          <tr class="sum">
            <th scope="row">{capitalise(translate("review.score"))}</th>
            <td>{found.score}</td>
          </tr>
          <tr>
            <th scope="row">{capitalise(translate("review.adjusted"))}</th>
            <td>{points(found.adjusted)}</td>
          </tr>
        </tbody>
      </table>
      <h3>{translate(wrong.length > 0 ? "page.review.worst" : "review.no_mistakes")}</h3>
      {wrong.length > 0 && (
        <>
          <ol class="worst">
            {wrong.slice(0, WORST).map((decision) => (
              <li key={decision.at}>
                <a
                  class="worst-one"
                  href={momentPath(code, decision.at)}
                  aria-current={decision.at === at ? "step" : undefined}
                  onClick={(event) => {
                    event.preventDefault();
                    onGo(decision.at);
                  }}
                >
                  <b class={`verdict v-${decision.verdict}`}>
                    −{mistakeWords(decision)}{" "}
                    <small>{translate(`review.class.${decision.verdict}`)}</small>
                  </b>
                  <span>
                    {log[decision.at]?.words}{" "}
                    <small>{translate("page.review.better", { words: decision.best.words })}</small>
                  </span>
                </a>
              </li>
            ))}
          </ol>
          <button type="button" class="button wide" onClick={onPractise}>
            <Icon name="again" /> {translate("page.practice.begin", { count: wrong.length })}
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
          {found.parts.map((part) => (
            <tr key={part.part}>
              <th scope="row">{capitalise(part.words)}</th>
              <td>{part.points}</td>
              <td>{points(part.loss)}</td>
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
            {several && <th scope="col">{translate("page.review.unit.winning")}</th>}
          </tr>
        </thead>
        <tbody>
          {found.rounds.map((row) => (
            <tr key={row.round}>
              <th scope="row">{row.round}</th>
              <td>{points(row.luck, true)}</td>
              <td>{points(row.loss)}</td>
              <td>{Math.round(row.expected)}</td>
              {several && <td>{percent(row.winning)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
