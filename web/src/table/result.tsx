import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { Dialog } from "../dialog";
import { drawingOf } from "../drawing";
import { mayMove } from "../feel";
import { momentPath } from "../paths";
import type { Layout, Result, SeatInfo, StateMessage } from "../protocol";
import { go } from "../route";
import { TranscriptLink } from "./transcript";
import { say, titled } from "../words";
import { grade, Levels } from "./levels";
import { noteResult } from "./records";
import { resultText, sharePicture, shareText } from "./share";
import "../styles/result.css";

interface ResultProps {
  code: string;
  title: string;
  layout: Layout;
  state: StateMessage;
  result: Result;
  name: (seat: number) => string;
  onRematch: (() => void) | null;
  onClose: () => void;
}

const STEP = 650;
/** Of more players each has a row. */
const MOST_COLUMNS = 4;

/** The final scoring, one line after the other, then the places. */
export function ResultDialog({
  code,
  title,
  layout,
  state,
  result,
  name,
  onRematch,
  onClose,
}: ResultProps): JSX.Element {
  const parts = [...new Set(result.seats.flatMap((seat) => Object.keys(seat.parts)))];
  const still = !mayMove();
  const [step, setStep] = useState(still ? parts.length + 1 : 0);
  useEffect(() => {
    if (step > parts.length) {
      return;
    }
    const timer = setTimeout(() => setStep(step + 1), STEP);
    return () => clearTimeout(timer);
  }, [step]);
  const sums = result.seats.map((seat) =>
    parts.slice(0, step).reduce((sum, part) => sum + (seat.parts[part] ?? 0), 0),
  );
  const done = step > parts.length;
  const winners = result.seats.filter((seat) => seat.place === 1).map((seat) => name(seat.seat));
  const alone = result.seats.length === 1;
  const most = Math.max(1, ...result.seats.flatMap((seat) => Object.values(seat.parts)));
  const tied = result.seats.some((seat) =>
    result.seats.some((other) => other.total === seat.total && other.place !== seat.place),
  );
  const lines = result.seats.map((seat) => ({
    name: name(seat.seat),
    points: seat.total,
    place: seat.place,
  }));
  const own =
    state.you.length === 1 && result.seed === null
      ? result.seats.find((seat) => seat.seat === state.you[0])
      : undefined;
  const [standing] = useState(
    () => own && noteResult(state.game, result.seats.length, code, own.total),
  );
  const [shared, setShared] = useState(false);
  const titleOf = (part: string): string => titled(layout.words[part] ?? part);
  const points = (seat: Result["seats"][number], part: string, at: number): ComponentChildren =>
    at < step ? <Bar points={seat.parts[part] ?? 0} most={most} seat={seat.seat} /> : "…";
  return (
    <Dialog title={say("page.result")} kind="result" onClose={onClose}>
      {done && !alone && (
        <p class="winner">
          <Icon name="trophy" />{" "}
          {say("page.result.winner", { count: winners.length, names: winners.join(", ") })}
        </p>
      )}
      {done && alone && <Rating layout={layout} result={result} />}
      <div class="result-scroll" tabIndex={0} role="group" aria-label={say("page.result")}>
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
                <th scope="col">{titled(say("common.total"))}</th>
                {done && <th scope="col">{titled(say("common.place"))}</th>}
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
                  <td class="sum">{sums[row]}</td>
                  {done && <td>{seat.place}.</td>}
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
                    <Whose seat={state.seats[seat.seat]} name={name(seat.seat)} />
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
                <th scope="row">{titled(say("common.total"))}</th>
                {sums.map((sum, at) => (
                  <td key={at}>{sum}</td>
                ))}
              </tr>
              {done && !alone && (
                <tr>
                  <th scope="row">{titled(say("common.place"))}</th>
                  {result.seats.map((seat) => (
                    <td key={seat.seat}>{seat.place}.</td>
                  ))}
                </tr>
              )}
            </tfoot>
          </table>
        )}
      </div>
      {done && tied && <p class="hint-line">{say(`page.result.tie.${layout.kind}`)}</p>}
      {done && standing && (
        <p class="hint-line">
          {say("page.result.standing", {
            count: standing.games,
            best: standing.best,
            average: Math.round(standing.average),
          })}
        </p>
      )}
      {result.seed !== null && (
        <p class="hint-line">{say("page.result.seed", { seed: result.seed })}</p>
      )}
      <div class="row result-buttons">
        {!done && (
          <button type="button" class="button" onClick={() => setStep(parts.length + 1)}>
            {say("page.result.skip")}
          </button>
        )}
        {state.daily !== null && (
          <button type="button" class="button primary" onClick={() => go("/daily")}>
            <Icon name="sun" /> {say("page.daily")}
          </button>
        )}
        {onRematch && (
          <button
            type="button"
            class={`button${state.daily === null ? " primary" : ""}`}
            onClick={onRematch}
          >
            <Icon name="again" /> {say(state.rematch ? "page.rematch.go" : "page.rematch")}
          </button>
        )}
        {done && (
          <button type="button" class="button" onClick={() => go(momentPath(code, 0))}>
            <Icon name="chart" /> {say("page.review")}
          </button>
        )}
        <button
          type="button"
          class="button"
          onClick={() => void shareText(resultText(title, lines)).then(setShared)}
        >
          <Icon name={shared ? "check" : "copy"} /> {say("page.result.share")}
        </button>
        <button type="button" class="button" onClick={() => void sharePicture(title, lines)}>
          <Icon name="eye" /> {say("page.result.picture")}
        </button>
        {state.daily === null && (
          <TranscriptLink code={code}>
            <Icon name="download" /> {say("page.result.transcript")}
          </TranscriptLink>
        )}
        <button type="button" class="button" onClick={onClose}>
          {say("page.result.look")}
        </button>
      </div>
    </Dialog>
  );
}

/** Whose points they are; where columns are narrow, computer players go by their sign and seat. */
function Whose({ seat, name }: { seat: SeatInfo | undefined; name: string }): JSX.Element {
  return seat?.kind === "computer" ? (
    <>
      <span class="whose-name">{name}</span>
      <span class="whose-sign">
        <Icon name="robot" label={name} /> {seat.seat + 1}
      </span>
    </>
  ) : (
    <>{name}</>
  );
}

/** Points with a bar as long as they are many. */
function Bar({ points, most, seat }: { points: number; most: number; seat: number }): JSX.Element {
  return (
    <>
      {points}
      <i class={`bar p-${seat}`} style={{ "--share": Math.max(points, 0) / most }} />
    </>
  );
}

/** How good a game alone was: the level reached, how far it is to the next one, and all levels. */
function Rating({ layout, result }: { layout: Layout; result: Result }): JSX.Element {
  const { levels } = layout;
  const reached = levels[result.rating];
  const next = levels[result.rating - 1];
  const values = { step: levels.length - result.rating, steps: levels.length };
  return (
    <>
      <p class="winner">
        <Icon name={drawingOf(layout).sign} />{" "}
        {reached ? say("rating.level", { ...values, grade: grade(reached) }) : say("rating.none")}
      </p>
      {next && (
        <p class="hint-line">{say("rating.next", { count: result.missing, grade: grade(next) })}</p>
      )}
      <details class="all-levels">
        <summary>{say("rating.all")}</summary>
        <Levels levels={levels} reached={result.rating} />
      </details>
    </>
  );
}
