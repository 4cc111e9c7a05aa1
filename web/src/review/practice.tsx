import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import type { BoardActions } from "../family";
import { memory } from "../memory";
import { useObservable, useSelected } from "../observable";
import { HOME, momentPath } from "../paths";
import type { Moment, MoveView, ReviewedDecision, VerdictMessage } from "../protocol";
import { go } from "../route";
import { ConfirmButtons, MoveButtons } from "../table/prompt";
import { namesOf } from "../table/shown-seat";
import { locale, translate } from "../translate";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";
import { NO_PREVIEWS, ReviewBoard, ReviewFrame, type ReviewPageProps } from "./frame";
import { saveMistakes, unsolvedMistakes } from "./mistakes";
import { formatLoss, mistakesOf, type useReview } from "./review";
import { ReviewProgress } from "./summary";

interface PracticeProps extends ReviewPageProps {
  review: ReturnType<typeof useReview>;
  /** The seat whose mistakes are practised; null for the seat practised before. */
  wanted: number | null;
  onSeat: (seat: number) => void;
}

const SOLVED: ReadonlySet<string> = new Set(["best", "good"]);

/** Practice with the mistakes of a seat: find the better move and get a verdict. */
export function Practice({
  connection,
  game,
  layout,
  state,
  log,
  review,
  wanted,
  onSeat,
}: PracticeProps): JSX.Element {
  const { code } = connection;
  const kept = useObservable(memory).mistakes[code] ?? [];
  const practised = (review.seats ?? [])
    .filter(({ decisions }) => decisions.some(({ at }) => kept.some(([known]) => known === at)))
    .map((reviewed) => reviewed.seat);
  const seat = wanted ?? practised[0] ?? 0;
  const seatReview = review.seats?.find((reviewed) => reviewed.seat === seat);
  const tasks = seatReview ? mistakesOf(seatReview) : [];
  const [number, setNumber] = useState(0);
  // Solved here, including mistakes that are not stored.
  const [madeBetter, setMadeBetter] = useState<readonly number[]>([]);
  const solved = new Set([...kept.filter(([, done]) => done).map(([at]) => at), ...madeBetter]);
  const [scores, setScores] = useState<readonly number[]>(state.scores); // at the shown moment
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => setNumber(0), [seat]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    // Store the player's mistakes, so that they can continue another day; in games of others those
    // of the practised seat.
    const mine = state.you.length > 0 ? state.you : [...practised, seat];
    if (review.seats && mine.includes(seat)) {
      const all = review.seats
        .filter((reviewed) => mine.includes(reviewed.seat))
        .flatMap(mistakesOf);
      saveMistakes(
        code,
        all.map(({ at }) => [at, solved.has(at)]),
      );
    }
  }, [seatReview, madeBetter]);
  const task = tasks[number];
  const other = unsolvedMistakes(useObservable(memory).mistakes).find((game) => game.code !== code);
  const name = (at: number): string => namesOf(state)[at] ?? "";
  const side = (
    <section class="review" aria-label={translate("page.practice")}>
      <h2>{translate("page.practice")}</h2>
      {!seatReview && <ReviewProgress review={review} onRetry={review.retry} />}
      {seatReview && tasks.length === 0 && <p>{translate("practice.none")}</p>}
      <ol class="tasks">
        {tasks.map((mistake, index) => (
          <li key={mistake.at}>
            <button
              type="button"
              class="button wide"
              aria-current={index === number ? "step" : undefined}
              onClick={() => {
                setNumber(index);
                scrollTo(0, 0);
              }}
            >
              {solved.has(mistake.at) && (
                <Icon name="check" label={translate("page.practice.solved")} />
              )}{" "}
              {translate("page.practice.task", {
                number: index + 1,
                round: mistake.round,
                loss: formatLoss(mistake),
              })}
            </button>
          </li>
        ))}
      </ol>
      {tasks.length > 0 && (
        <p role="status">
          {translate("practice.done", {
            solved: tasks.filter(({ at }) => solved.has(at)).length,
            count: tasks.length,
          })}
        </p>
      )}
      <Link class="button wide" href={momentPath(code, task?.at ?? 0)}>
        <Icon name="chart" /> {translate("page.practice.leave")}
      </Link>
    </section>
  );
  return (
    <ReviewFrame
      connection={connection}
      title={game.name}
      layout={layout}
      state={state}
      scores={scores}
      shown={seat}
      onSeat={onSeat}
      side={side}
      list={null}
    >
      {task && (
        <Exercise
          key={task.at}
          {...{ connection, game, layout, state, log, moment: "mistakes" as const }}
          task={task}
          number={number}
          count={tasks.length}
          seat={seat}
          name={name}
          onScores={setScores}
          onSolved={() => setMadeBetter((before) => [...before, task.at])}
          onNext={
            number + 1 < tasks.length
              ? () => setNumber(number + 1)
              : other
                ? () => go(momentPath(other.code, "mistakes"))
                : null
          }
        />
      )}
    </ReviewFrame>
  );
}

interface ExerciseProps extends ReviewPageProps {
  task: ReviewedDecision;
  number: number;
  count: number;
  seat: number;
  name: (seat: number) => string;
  onScores: (scores: readonly number[]) => void;
  onSolved: () => void;
  onNext: (() => void) | null;
}

function Exercise({
  connection,
  layout,
  log,
  task,
  number,
  count,
  seat,
  name,
  onScores,
  onSolved,
  onNext,
}: ExerciseProps): JSX.Element | null {
  const [moment, setMoment] = useState<Moment | null>(null);
  const [answer, setAnswer] = useState<VerdictMessage | null>(null);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState(false);
  const latest = useRef(0); // the try whose verdict is shown: a verdict on an older one is ignored
  const [failure, setFailure] = useState<string | null>(null);
  const { language } = useObservable(locale);
  const link = useSelected(connection.table, (table) => table.link);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (link === "open") {
      connection.ask({ type: "moments", first: task.at, count: 1, moves: true }).then(
        ({ moments: [first] }) => setMoment(first ?? null),
        (error: Error) => setFailure(error.message),
      );
    }
  }, [language, link]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (moment) {
      onScores(moment.scores);
    }
  }, [moment]);
  if (!moment) {
    return <Failure text={failure} />;
  }
  const solved = answer !== null && SOLVED.has(answer.verdict);
  const over = solved || shown;
  const onMove = (move: MoveView): void => {
    setBusy(true);
    setFailure(null);
    latest.current += 1;
    const number = latest.current;
    connection.ask({ type: "verdict", at: task.at, move: move.id }).then(
      (told) => {
        if (number !== latest.current) {
          return;
        }
        setBusy(false);
        setAnswer(told);
        if (SOLVED.has(told.verdict)) {
          onSolved();
        }
      },
      (error: Error) => {
        if (number === latest.current) {
          setBusy(false);
          setFailure(error.message);
        }
      },
    );
  };
  const onShow = (): void => {
    latest.current += 1;
    setBusy(false);
    setFailure(null);
    setShown(true);
  };
  const enabled = !busy && !over;
  const tried = moment.moves.find((move) => move.id === answer?.move);
  const words =
    failure ??
    (busy
      ? translate("page.practice.judging")
      : answer
        ? translate(`practice.${answer.verdict}`, {
            difference: formatLoss(task, answer.difference),
          })
        : translate("page.practice.ask", {
            loss: formatLoss(task),
            words: log[task.at]?.words ?? "",
          }));
  const actions: BoardActions = {
    seat,
    enabled,
    name,
    onMove,
    onRoll: null,
    marks: new Set(),
    previews: NO_PREVIEWS,
    instant: memory.get().instant,
    hinted: over ? task.best : null,
    renderPrompt: (choices, instead = null, pending = null) => (
      <section class="prompt replay-bar" aria-label={translate("page.prompt")}>
        <div class="prompt-head">
          <div class="prompt-words replay-words">
            <p class="hint-line">
              {translate("page.practice.title", { number: number + 1, count, round: task.round })}{" "}
              {moment.prompt}
            </p>
            <p role="status" class={`answer ${answer && !busy ? `a-${answer.verdict}` : ""}`}>
              {instead && !answer && !busy ? instead : words}
              {tried && !busy && !over && ` (${tried.words})`}
            </p>
            {over && answer?.verdict !== "best" && (
              <p>{translate("practice.answer", { best: task.best.words })}</p>
            )}
          </div>
        </div>
        <div class="prompt-buttons">
          {enabled && (pending ? <ConfirmButtons {...pending} /> : choices)}
          {enabled && !pending && <MoveButtons moves={moment.moves} enabled onMove={onMove} />}
          {!over && (
            <button type="button" class="button" onClick={onShow}>
              <Icon name="eye" /> {translate("page.practice.show")}
            </button>
          )}
          {over && onNext && (
            <button type="button" class="button primary" onClick={onNext}>
              <Icon name="next" /> {translate("page.practice.next")}
            </button>
          )}
          {over && !onNext && (
            <Link class="button primary" href={HOME}>
              <Icon name="check" /> {translate("page.practice.end")}
            </Link>
          )}
        </div>
      </section>
    ),
  };
  return <ReviewBoard layout={layout} moment={moment} moves={moment.moves} actions={actions} />;
}
