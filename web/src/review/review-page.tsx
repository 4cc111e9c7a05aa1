import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type BoardActions, familyOf } from "../family";
import { useMedia, WIDE } from "../media";
import { momentPath } from "../paths";
import type { LogEntry, Moment, MoveView, ReviewedDecision } from "../protocol";
import { go, replace } from "../route";
import { namesOf } from "../table/shown-seat";
import { translate } from "../translate";
import "../styles/review.css";
import { Link } from "../ui/link";
import { NO_PREVIEWS, ReviewBoard, ReviewFrame, type ReviewPageProps } from "./frame";
import { saveMoment } from "./last-moment";
import { LineBar, useLine } from "./line";
import { useMoment } from "./moments";
import { PlayOnDialog } from "./play-on";
import { Practice } from "./practice";
import { ReplayBar } from "./replay-bar";
import { isMistake, mistakeVerdicts, signOf, useReview } from "./review";
import { Summary } from "./summary";

/** A finished game: replay, review and practice. */
export function ReviewPage(props: ReviewPageProps): JSX.Element {
  const { connection, state, moment, game } = props;
  const review = useReview(connection);
  const [seat, setSeat] = useState(state.you[0] ?? null);
  useEffect(() => {
    document.title = `${translate("page.review")}: ${game.name} · Fox & Clover`;
  }, [game]);
  if (moment === "mistakes") {
    return <Practice {...props} review={review} wanted={seat} onSeat={setSeat} />;
  }
  return (
    <Replay
      {...props}
      review={review}
      at={Math.min(moment, props.log.length)}
      seat={seat}
      onSeat={setSeat}
    />
  );
}

interface ReplayProps extends ReviewPageProps {
  review: ReturnType<typeof useReview>;
  at: number;
  /** The shown seat; null for the player who moves. */
  seat: number | null;
  onSeat: (seat: number) => void;
}

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
};

function Replay({
  connection,
  game,
  layout,
  state,
  log,
  review,
  at,
  seat,
  onSeat,
}: ReplayProps): JSX.Element {
  const last = log.length;
  const moment = useMoment(connection, at, last);
  const previousMoment = useRef<Moment | null>(null);
  const [pointed, setPointed] = useState<MoveView | null>(null);
  const [trying, setTrying] = useState(false);
  const line = useLine(connection, at);
  const lineMoment = line.moments[line.step];
  useEffect(() => saveMoment(connection.code, at), [connection.code, at]);
  const now = useRef(at); // keys may be pressed faster than the page is drawn
  now.current = at;
  const goTo = (to: number): void => {
    now.current = Math.max(0, Math.min(to, last));
    replace(momentPath(connection.code, now.current));
  };
  const goToTop = (to: number): void => {
    goTo(to);
    scrollTo(0, 0); // on a phone the board may be far above
  };
  const practise = (): void => {
    onSeat(shown);
    go(momentPath(connection.code, "mistakes"));
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest("input, select, textarea, dialog");
      const key = KEYS[event.key];
      if (key && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        if (lineMoment) {
          line.goTo(key(line.step, line.moments.length - 1));
        } else {
          goTo(key(now.current, last));
        }
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => setPointed(null), [at]);
  const wide = useMedia(WIDE);
  // On small screens the review is below the board: scroll to it once.
  const scrolled = useRef(at > 0 || wide);
  useEffect(() => {
    if (moment && !scrolled.current) {
      scrolled.current = true;
      document.getElementById("review")?.scrollIntoView();
    }
  }, [moment]);
  useEffect(() => {
    previousMoment.current = moment;
  }, [moment]);
  const name = (index: number): string => namesOf(state)[index] ?? "";
  const mover = moment?.at === at && moment.seat >= 0 ? moment.seat : null;
  const shown = seat ?? mover ?? 0;
  const decision =
    review.seats?.flatMap(({ decisions }) => decisions).find((made) => made.at === at) ?? null;
  const better = decision && isMistake(decision) ? decision.best : null;
  const previous = lineMoment
    ? line.moments[line.step - 1]
    : previousMoment.current?.at === at - 1
      ? previousMoment.current
      : null;
  const onBoard = lineMoment ?? moment;
  const actions: BoardActions = {
    seat: shown,
    enabled: false,
    name,
    onMove: () => undefined,
    onRoll: null,
    marks:
      previous && onBoard && previous.at === onBoard.at - 1
        ? familyOf(layout).newMarks(previous.view, onBoard.view, shown)
        : new Set(),
    previews: NO_PREVIEWS,
    instant: true,
    hinted: lineMoment
      ? lineMoment.next
      : mover === shown
        ? (pointed ?? better ?? moment?.next ?? null)
        : null,
    renderPrompt: () =>
      lineMoment ? (
        <LineBar line={line} seat={shown} />
      ) : (
        <ReplayBar
          at={at}
          last={last}
          entry={log[at]}
          name={name}
          decision={decision}
          played={moment?.next ?? null}
          pointed={pointed}
          onPoint={setPointed}
          onStep={goTo}
          onTry={at < last ? () => setTrying(true) : null}
          onLine={() => {
            if (mover !== null) {
              onSeat(mover);
            }
            line.open();
          }}
          lineFailure={line.failure}
        />
      ),
  };
  return (
    <ReviewFrame
      connection={connection}
      title={game.name}
      layout={layout}
      state={state}
      scores={onBoard?.scores ?? state.scores}
      shown={shown}
      onSeat={onSeat}
      side={
        <Summary
          code={connection.code}
          review={review}
          seat={shown}
          at={at}
          log={log}
          onGo={goToTop}
          onPractise={practise}
          onRetry={review.retry}
        />
      }
      list={
        <LogLinks
          code={connection.code}
          log={log}
          verdicts={mistakeVerdicts(review.seats ?? [])}
          at={at}
          name={name}
          onGo={goToTop}
        />
      }
    >
      {onBoard && <ReviewBoard layout={layout} moment={onBoard} moves={[]} actions={actions} />}
      <p class="sr" role="status" aria-live="polite">
        {translate("page.replay.at", { at, last })} {log[at]?.words}
      </p>
      {trying && (
        <PlayOnDialog
          code={connection.code}
          game={game}
          state={state}
          at={at}
          position={moment?.at === at ? moment.position : null}
          seat={shown}
          onClose={() => setTrying(false)}
        />
      )}
    </ReviewFrame>
  );
}

/** The log, with links to the moments before its moves. */
function LogLinks({
  code,
  log,
  verdicts,
  at,
  name,
  onGo,
}: {
  code: string;
  log: readonly LogEntry[];
  verdicts: ReturnType<typeof mistakeVerdicts>;
  at: number;
  name: (seat: number) => string;
  onGo: (at: number) => void;
}): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const now = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (now && list.current) {
      list.current.scrollTop =
        now.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
    }
  }, [at]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <ol class="log log-links" ref={list} tabIndex={0} aria-label={translate("page.log")}>
      {log.map((entry) => (
        <li key={entry.index} class={entry.seat < 0 ? "by-chance" : `by-player p-${entry.seat}`}>
          <Link
            href={momentPath(code, entry.index)}
            aria-current={entry.index === at ? "step" : undefined}
            onGo={() => onGo(entry.index)}
          >
            {entry.seat >= 0 && <b>{name(entry.seat)}:</b>} {entry.words}
            <Mark verdict={verdicts.get(entry.index)} />
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** The sign of a mistake in the log. */
function Mark({
  verdict,
}: {
  verdict: ReviewedDecision["verdict"] | undefined;
}): JSX.Element | null {
  return verdict === undefined ? null : (
    <b class={`verdict v-${verdict}`} title={translate(`review.class.${verdict}`)}>
      {" "}
      <span aria-hidden="true">{signOf(verdict)}</span>
      <span class="sr">{translate(`review.class.${verdict}`)}</span>
    </b>
  );
}
