import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pages, SITE } from "#backend";
import { Icon } from "../art/icons";
import { formatDay, isLate } from "../daily/day";
import { recordDaily } from "../daily/streak";
import { familyOf } from "../family";
import { allowsMotion } from "../feedback";
import { dateFormat } from "../format";
import { memory, saveFinished } from "../memory";
import { DAILY_PATH, HOME, momentPath } from "../paths";
import type { Layout, Result, SeatInfo, StateMessage } from "../protocol";
import { shareText } from "../sharing";
import { capitalise, translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { PROMPT } from "../ui/focus";
import { recordResult } from "./personal-record";
import { Ratings, ratingName } from "./ratings";
import { ResultActions } from "./result-actions";
import { resultText, type SharedResult, sharePicture } from "./share-result";
import { TranscriptLink } from "./transcript";
import "../styles/result.css";

interface ResultProps {
  code: string;
  title: string;
  layout: Layout;
  state: StateMessage;
  result: Result;
  /** Time of the last move, in seconds since 1970. */
  ended: number;
  name: (seat: number) => string;
  onRematch: (() => void) | null;
  onClose: () => void;
}

const STEP_DELAY = 650;
const FIGURE_SPACE = "\u2007"; // as wide as a digit
/** More players are shown in rows. */
const MOST_COLUMNS = 4;

/**
 * The final scoring, revealed part by part, then the places. Hidden parts take their space from the
 * start, so that nothing moves.
 */
export function ResultDialog({
  code,
  title,
  layout,
  state,
  result,
  ended,
  name,
  onRematch,
  onClose,
}: ResultProps): JSX.Element {
  const parts = [...new Set(result.seats.flatMap((seat) => Object.keys(seat.parts)))];
  const skipAnimation = !allowsMotion();
  const [step, setStep] = useState(skipAnimation ? parts.length + 1 : 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (step > parts.length) {
      return;
    }
    const timer = setTimeout(() => setStep(step + 1), STEP_DELAY);
    return () => clearTimeout(timer);
  }, [step]);
  const runningTotals = result.seats.map((seat) =>
    parts.slice(0, step).reduce((sum, part) => sum + (seat.parts[part] ?? 0), 0),
  );
  const done = step > parts.length;
  const winners = result.seats.filter((seat) => seat.place === 1).map((seat) => name(seat.seat));
  const isOnlyWinner =
    winners.length === 1 && state.you.length === 1 && winners[0] === name(state.you[0] ?? 0);
  const isSolo = result.seats.length === 1;
  const most = Math.max(1, ...result.seats.flatMap((seat) => Object.values(seat.parts)));
  const hasTie = result.seats.some((seat) =>
    result.seats.some((other) => other.total === seat.total && other.place !== seat.place),
  );
  const ownResult =
    state.you.length === 1 && result.seed === null
      ? result.seats.find((seat) => seat.seat === state.you[0])
      : undefined;
  const [record] = useState(
    () => ownResult && recordResult(state.game, result.seats.length, code, ownResult.total),
  );
  const late = state.daily !== null && isLate(state.daily, ended);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (state.you.length + state.resting.length > 0) {
      saveFinished([code]);
    }
    if (state.daily !== null && !late && ownResult) {
      recordDaily(state.game, state.daily, ownResult.total);
    }
  }, []);
  // The result opens by itself: there may be no focus to return to.
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement?.matches(`body, ${PROMPT}`)) {
          document.querySelector<HTMLElement>(".prompt .result-actions .button")?.focus();
        }
      });
    },
    [],
  );
  const [shared, setShared] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const [canRematch] = useState(onRematch !== null); // spectators get a banner instead
  const shownResult = ownResult ?? result.seats.find((seat) => seat.place === 1);
  const isRecord = record !== undefined && record.games > 1 && record.isNewBest;
  // "You" means other people to those who read it.
  const nameForOthers = (seat: number): string =>
    ownResult?.seat === seat && !state.seats[seat]?.named
      ? memory.get().name || translate("page.result.me")
      : name(seat);
  const describe = async (): Promise<SharedResult> => ({
    title,
    day: await describeDay(state.daily, state.game, ended),
    rating: isSolo ? ratingText(layout, result) : "",
    points: translate("common.points", { count: shownResult?.total ?? 0 }),
    skill: ownResult
      ? await (await import("../me/skill-text")).describeSkill(state.game, result.seats.length > 1)
      : "",
    players: result.seats.map((seat) => ({
      name: nameForOthers(seat.seat),
      points: seat.total,
      place: seat.place,
    })),
    parts: Object.entries(shownResult?.parts ?? {}).map(([part, points]) => ({
      name: part,
      words: titleOf(part),
      points,
      colour: layout.paints.find((swatch) => swatch.name === part)?.colour ?? "",
    })),
    link: new URL(
      SITE ? HOME : state.daily === null ? momentPath(code, 0) : DAILY_PATH,
      document.baseURI,
    ).href,
  });
  const hiddenUntilEnd = done ? "" : "later";
  const titleOf = (part: string): string => capitalise(layout.words[part] ?? part);
  const points = (seat: Result["seats"][number], part: string, at: number): ComponentChildren => (
    <Points points={seat.parts[part] ?? 0} most={most} seat={seat.seat} shown={at < step} />
  );
  const total = (row: number): string =>
    String(runningTotals[row]).padStart(String(result.seats[row]?.total).length, FIGURE_SPACE);
  return (
    <Dialog title={translate("page.result")} kind="result" onClose={onClose}>
      <div class="result-top">
        <div class={hiddenUntilEnd}>
          <p class="big-score">
            {shownResult?.total ?? 0} <small>{translate("page.points")}</small>
          </p>
          {isSolo ? (
            <RatingSummary layout={layout} result={result} />
          ) : (
            <p class="winner">
              <Icon name="trophy" />{" "}
              {isOnlyWinner
                ? translate("page.result.winner.you")
                : translate("page.result.winner", {
                    count: winners.length,
                    names: winners.join(", "),
                  })}
            </p>
          )}
          {isRecord && (
            <p class="record">
              <Icon name="trophy" /> {translate("page.result.record")}
            </p>
          )}
        </div>
        {isRecord && done && <Leaves />}
        <button
          type="button"
          class={`button small skip${done ? " later" : ""}`}
          onClick={() => setStep(parts.length + 1)}
        >
          {translate("page.result.skip")}
        </button>
      </div>
      {/** biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs */}
      {/** biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div class="result-scroll" tabIndex={0} role="group" aria-label={translate("page.result")}>
        {result.seats.length > MOST_COLUMNS ? (
          <table class="result-table turned">
            <thead>
              <tr>
                <td />
                {parts.map((part) => (
                  <th key={part} scope="col">
                    {titleOf(part)}
                  </th>
                ))}
                <th scope="col">{capitalise(translate("common.total"))}</th>
                <th scope="col" class={hiddenUntilEnd}>
                  {capitalise(translate("common.place"))}
                </th>
              </tr>
            </thead>
            <tbody>
              {result.seats.map((seat, row) => (
                <tr key={seat.seat}>
                  <th scope="row">{name(seat.seat)}</th>
                  {parts.map((part, at) => (
                    <td key={part} class={at < step ? "shown" : "hidden"}>
                      {points(seat, part, at)}
                    </td>
                  ))}
                  <td class="sum">{total(row)}</td>
                  <td class={hiddenUntilEnd}>{seat.place}.</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <table class="result-table" style={{ "--columns": result.seats.length }}>
            <thead>
              <tr>
                <td />
                {result.seats.map((seat) => (
                  <th key={seat.seat} scope="col" title={name(seat.seat)}>
                    <PlayerHeading seat={state.seats[seat.seat]} name={name(seat.seat)} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {parts.map((part, at) => (
                <tr key={part} class={at < step ? "shown" : "hidden"}>
                  <th scope="row">{titleOf(part)}</th>
                  {result.seats.map((seat) => (
                    <td key={seat.seat}>{points(seat, part, at)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr class="sum">
                <th scope="row">{capitalise(translate("common.total"))}</th>
                {runningTotals.map((_, row) => (
                  <td key={row}>{total(row)}</td>
                ))}
              </tr>
              {!isSolo && (
                <tr class={hiddenUntilEnd}>
                  <th scope="row">{capitalise(translate("common.place"))}</th>
                  {result.seats.map((seat) => (
                    <td key={seat.seat}>{seat.place}.</td>
                  ))}
                </tr>
              )}
            </tfoot>
          </table>
        )}
      </div>
      {hasTie && (
        <p class={`hint-line ${hiddenUntilEnd}`}>{translate(`page.result.tie.${layout.kind}`)}</p>
      )}
      {record && (
        <p class={`hint-line ${hiddenUntilEnd}`}>
          {translate("page.result.standing", {
            count: record.games,
            best: record.best,
            average: Math.round(record.average),
          })}
        </p>
      )}
      {late && <p class="notice">{translate("page.daily.late")}</p>}
      {result.seed !== null && (
        <p class="hint-line">{translate("page.result.seed", { seed: result.seed })}</p>
      )}
      <ResultActions state={state} onRematch={canRematch ? onRematch : null}>
        <details
          class="result-menu"
          onKeyDown={(event) => {
            const menu = event.currentTarget;
            if (event.key === "Escape" && menu.open) {
              event.preventDefault(); // the result stays
              menu.open = false;
              menu.querySelector("summary")?.focus();
            }
          }}
          onToggle={(event) => {
            setMenuOpen(event.currentTarget.open);
            closeElsewhere(event);
          }}
        >
          <summary
            class="button"
            aria-label={translate("page.result.more")}
            title={translate("page.result.more")}
          >
            <Icon name="dots" />
          </summary>
          {menuOpen && (
            <div class="menu-list">
              <button
                type="button"
                class="button"
                onClick={() =>
                  void describe()
                    .then((described) => shareText(resultText(described)))
                    .then(setShared)
                }
              >
                <Icon name={shared ? "check" : "copy"} /> {translate("page.result.share")}
              </button>
              <button
                type="button"
                class="button"
                onClick={() => void describe().then(sharePicture)}
              >
                <Icon name="eye" /> {translate("page.result.picture")}
              </button>
              {state.daily === null && (
                <TranscriptLink code={code}>
                  <Icon name="download" /> {translate("page.result.transcript")}
                </TranscriptLink>
              )}
              <button type="button" class="button" onClick={onClose}>
                <Icon name="list" /> {translate("page.result.look")}
              </button>
            </div>
          )}
        </details>
      </ResultActions>
    </Dialog>
  );
}

/** Close an open menu when the player clicks elsewhere. */
function closeElsewhere({ currentTarget: menu }: { currentTarget: HTMLDetailsElement }): void {
  const close = ({ target }: Event): void => {
    if (!(target instanceof Node && menu.contains(target))) {
      menu.open = false;
    }
    if (!menu.open) {
      removeEventListener("pointerdown", close);
    }
  };
  if (menu.open) {
    addEventListener("pointerdown", close);
  }
}

/** Return the day of a game, with the place in the daily challenge if it is one. */
async function describeDay(daily: string | null, game: string, ended: number): Promise<string> {
  if (daily === null) {
    return dateFormat({ dateStyle: "medium" }).format(ended * 1000);
  }
  const day = `${translate("page.daily")}, ${formatDay(daily)}`;
  const today = await pages.today?.().catch(() => null); // without a connection, no place
  const standing =
    today?.day === daily ? today.games.find((other) => other.game === game) : undefined;
  return standing?.place
    ? `${day}, ${translate("page.result.place", { place: standing.place, count: standing.finished })}`
    : day;
}

function Leaves(): JSX.Element {
  return (
    <div class="leaves" aria-hidden="true">
      {[4, 17, 29, 41, 56, 68, 80, 92].map((at) => (
        <i key={at} style={{ "--at": at }}>
          <Icon name="clover" />
        </i>
      ))}
    </div>
  );
}

/** The name of a player; in narrow columns computer players show icon and seat. */
function PlayerHeading({
  seat,
  name,
}: {
  seat: SeatInfo | undefined;
  name: string;
}): JSX.Element | string {
  return seat?.kind === "computer" ? (
    <>
      <span class="whose-name">{name}</span>
      <span class="whose-sign">
        <Icon name="robot" label={name} /> {seat.seat + 1}
      </span>
    </>
  ) : (
    name
  );
}

/** Points with a proportional bar. */
function Points({
  points,
  most,
  seat,
  shown,
}: {
  points: number;
  most: number;
  seat: number;
  shown: boolean;
}): JSX.Element {
  return (
    <span class={shown ? "" : "later"}>
      {points}
      <i class={`bar p-${seat}`} style={{ "--share": Math.max(points, 0) / most }} />
    </span>
  );
}

/** Return the rating of a solo game as a sentence. */
function ratingText({ levels }: Layout, { rating }: Result): string {
  const reached = levels[rating];
  return reached
    ? translate("rating.level", {
        step: levels.length - rating,
        steps: levels.length,
        grade: ratingName(reached),
      })
    : translate("rating.none");
}

/** The rating of a solo game, the points missing for the next one, and all ratings. */
function RatingSummary({ layout, result }: { layout: Layout; result: Result }): JSX.Element {
  const { levels } = layout;
  const next = levels[result.rating - 1];
  return (
    <>
      <p class="winner">
        <Icon name={familyOf(layout).sign} /> {ratingText(layout, result)}
      </p>
      {next && (
        <p class="hint-line">
          {translate("rating.next", { count: result.missing, grade: ratingName(next) })}
        </p>
      )}
      <details class="all-ratings">
        <summary>{translate("rating.all")}</summary>
        <Ratings ratings={levels} reached={result.rating} />
      </details>
    </>
  );
}
