import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { fetchGames } from "../api";
import { Icon } from "../art/icons";
import type { BoardActions } from "../family";
import { formatPoints } from "../format";
import { GameStyleContext, pipShapes, useColours } from "../game-style";
import { memory } from "../memory";
import { useObservable } from "../observable";
import { puzzlePath } from "../paths";
import type {
  AskPuzzle,
  GameInfo,
  Layout,
  PuzzleAnswer,
  PuzzleProgress,
  PuzzleQuestion,
} from "../protocol";
import { NO_PREVIEWS, ReviewBoard } from "../review/frame";
import { replace } from "../route";
import { shareText } from "../sharing";
import { loadGame } from "../table/page";
import { ConfirmButtons, MoveButtons } from "../table/prompt";
import { useShortcuts } from "../table/shortcuts";
import { locale, translate } from "../translate";
import { Failure } from "../ui/notices";
import { HomeLink, SettingsButton } from "../ui/page-bar";
import { answerPuzzle, fetchPuzzle } from "./api";
import "../styles/review.css";
import "../styles/puzzles.css";

/** Which puzzles are asked, and the name of the theme or of one puzzle. */
interface Choice {
  which: AskPuzzle["which"];
  name: string;
}

const RATED: Choice = { which: "rated", name: "" };

/** Puzzles: one decision, one move, then the answer. */
export function PuzzlesPage({ game, id }: { game: string | null; id: string | null }): JSX.Element {
  const [games, setGames] = useState<readonly GameInfo[]>([]);
  const [choice, setChoice] = useState<Choice>(id === null ? RATED : { which: "named", name: id });
  const [question, setQuestion] = useState<PuzzleQuestion | null>(null);
  const [layout, setLayout] = useState<Layout | null>(null);
  const [answer, setAnswer] = useState<PuzzleAnswer | null>(null);
  const [turn, setTurn] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { language } = useObservable(locale);
  const key = game ?? games[0]?.key ?? null;
  const spoken = useRef(language);
  const ask = (wanted: Choice, same: PuzzleQuestion | null = null): void => {
    if (key === null) {
      return;
    }
    setBusy(true);
    setFailure(null);
    Promise.all([
      fetchPuzzle(key, wanted.which, wanted.name === "" ? undefined : wanted.name),
      loadGame(key, language),
    ])
      .then(
        ([asked, loaded]) => {
          setLayout(loaded);
          setQuestion(same ? { ...asked, rated: same.rated, day: same.day } : asked);
          setAnswer(null);
          setTurn((before) => before + 1);
          scrollTo(0, 0);
        },
        (error: Error) => setFailure(error.message),
      )
      .finally(() => setBusy(false));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    document.title = `${translate("page.puzzles")} · Fox & Clover`;
    fetchGames().then(
      (found) => setGames(found.games),
      (error: Error) => setFailure(error.message),
    );
  }, [language]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    // A change of language repeats the same puzzle, unless it is solved.
    const repeats = spoken.current !== language && question !== null && answer === null;
    spoken.current = language;
    if (repeats) {
      ask({ which: "named", name: question.id }, question);
    } else {
      ask(choice);
    }
  }, [key, choice, language]);
  useColours(layout);
  useShortcuts({}, turn);
  const give = (move: number | null): void => {
    if (question === null || busy) {
      return;
    }
    setBusy(true);
    setFailure(null);
    answerPuzzle(question, move, choice.which === "streak")
      .then(
        (given) => {
          setAnswer(given);
          setTurn((before) => before + 1);
        },
        (error: Error) => setFailure(error.message),
      )
      .finally(() => setBusy(false));
  };
  const next = (): void => {
    const { which } = choice;
    if (which === "rated" || which === "streak" || which === "theme") {
      ask(choice);
    } else if (which === "missed" && answer?.you.missed.length) {
      ask({ which, name: "" });
    } else {
      setChoice(RATED);
    }
  };
  const you = answer?.you ?? question?.you ?? null;
  const kind = layout?.kind ?? "clever";
  return (
    <div class={`look-back puzzles kind-${kind}`}>
      <div class={`table kind-${kind}`}>
        <header class="top-bar">
          <HomeLink />
          <span class="top-title">{translate("page.puzzles")}</span>
          {you && (
            <span class="puzzle-figures">
              <Rating you={you} change={answer?.rated ? answer.change : null} />
            </span>
          )}
          <SettingsButton />
        </header>
        <section class="players" aria-label={translate("page.players")}>
          {question?.moment.scores.map((points, seat) => (
            <span key={seat} class={`player p-${seat}`} aria-current={seat === question.seat}>
              <Icon name="person" />
              <span class="player-who">
                {translate("page.puzzles.player", { number: seat + 1 })}
              </span>
              <strong class="player-points">
                {points}
                <span class="sr"> {translate("page.points")}</span>
              </strong>
            </span>
          ))}
        </section>
        <main class="stage">
          <h1 class="sr">{translate("page.puzzles")}</h1>
          <Failure text={failure} />
          {question && layout && (
            <GameStyleContext.Provider
              value={{ words: layout.words, shapes: pipShapes(layout.paints) }}
            >
              <Exercise
                key={`${question.game} ${question.id}`}
                question={question}
                layout={layout}
                answer={answer}
                streak={choice.which === "streak"}
                busy={busy}
                onGive={give}
                onNext={next}
              />
            </GameStyleContext.Provider>
          )}
        </main>
      </div>
      <aside class="review-side">
        <section class="review" aria-label={translate("page.puzzles")}>
          {answer && <Solution answer={answer} />}
          {question?.day && answer && <ShareDay question={question} solved={answer.solved} />}
          <Choices
            games={games}
            game={key}
            choice={choice}
            themes={question?.themes ?? []}
            you={you}
            onGame={(chosen) => {
              setChoice(RATED);
              replace(puzzlePath(chosen));
            }}
            onChoice={setChoice}
          />
          {you && <Figures you={you} />}
        </section>
      </aside>
    </div>
  );
}

/** The rating of the player with its deviation, and what the last answer changed. */
function Rating({ you, change }: { you: PuzzleProgress; change: number | null }): JSX.Element {
  return (
    <>
      <strong>{Math.round(you.rating)}</strong> ± {Math.round(you.deviation)}
      {change !== null && (
        <span class={change < 0 ? "fallen" : "risen"}>
          {" "}
          {change < 0 ? "−" : "+"}
          {Math.abs(Math.round(change))}
        </span>
      )}
    </>
  );
}

/** The board of a puzzle; one move is the answer. */
function Exercise({
  question,
  layout,
  answer,
  streak,
  busy,
  onGive,
  onNext,
}: {
  question: PuzzleQuestion;
  layout: Layout;
  answer: PuzzleAnswer | null;
  streak: boolean;
  busy: boolean;
  onGive: (move: number | null) => void;
  onNext: () => void;
}): JSX.Element {
  const { moment, seat } = question;
  const enabled = answer === null && !busy;
  const ended = streak && answer !== null && !answer.solved;
  const actions: BoardActions = {
    seat,
    enabled,
    name: (other) => translate("page.puzzles.player", { number: other + 1 }),
    onMove: (move) => onGive(move.id),
    onRoll: null,
    marks: new Set(),
    previews: NO_PREVIEWS,
    instant: memory.get().instant,
    hinted: answer?.best ?? null,
    renderPrompt: (choices, instead = null, pending = null) => (
      <section class="prompt replay-bar" aria-label={translate("page.prompt")}>
        <div class="prompt-head">
          <div class="prompt-words replay-words">
            {!answer && (
              <p class="hint-line">
                {translate(moment.scores.length === 1 ? "page.puzzles.solo" : "page.puzzles.seat", {
                  number: seat + 1,
                })}{" "}
                {!question.rated && translate("page.puzzles.unrated")}{" "}
                {streak && translate("page.puzzles.streak.now", { count: question.you.streak })}{" "}
                {moment.prompt}
              </p>
            )}
            <p role="status" class={`answer ${answer ? `a-${verdictOf(answer)}` : ""}`}>
              {answer ? verdictText(answer) : (instead ?? translate("page.puzzles.ask"))}{" "}
              {ended && translate("page.puzzles.streak.over", { count: question.you.streak })}
              {streak &&
                answer?.solved &&
                translate("page.puzzles.streak.now", { count: answer.you.streak })}
            </p>
            {answer && (
              <p>
                {answer.solved
                  ? answer.why.join(" ")
                  : translate("page.puzzles.best", { best: answer.best.words })}
              </p>
            )}
          </div>
        </div>
        <div class="prompt-buttons">
          {enabled && (pending ? <ConfirmButtons {...pending} /> : choices)}
          {enabled && !pending && (
            <MoveButtons moves={moment.moves} enabled onMove={(move) => onGive(move.id)} />
          )}
          {answer === null ? (
            <button
              type="button"
              class="button"
              data-key="h"
              disabled={busy}
              onClick={() => onGive(null)}
            >
              <Icon name="eye" /> {translate("page.puzzles.show")}
            </button>
          ) : (
            <button
              type="button"
              class="button primary"
              data-act
              data-key="n"
              disabled={busy}
              onClick={onNext}
            >
              <Icon name="next" />{" "}
              {translate(ended ? "page.puzzles.streak.again" : "page.puzzles.next")}
            </button>
          )}
        </div>
      </section>
    ),
  };
  return <ReviewBoard layout={layout} moment={moment} moves={moment.moves} actions={actions} />;
}

const verdictOf = (answer: PuzzleAnswer): string => (answer.solved ? "best" : "worse");

function verdictText({ solved, loss, exact }: PuzzleAnswer): string {
  return solved
    ? translate("page.puzzles.solved")
    : translate(exact ? "page.puzzles.lost" : "page.puzzles.lost_more", {
        points: formatPoints(loss),
      });
}

/** Why the best move is best, and the values of all sensible moves. */
function Solution({ answer }: { answer: PuzzleAnswer }): JSX.Element {
  return (
    <>
      <h2>{verdictText(answer)}</h2>
      {answer.why.length > 0 && (
        <p>
          {translate("page.puzzles.why")} {answer.why.join(" ")}
        </p>
      )}
      <table class="puzzle-options">
        <thead>
          <tr>
            <th scope="col">{translate("page.puzzles.move")}</th>
            <th scope="col">{translate("page.puzzles.loss")}</th>
          </tr>
        </thead>
        <tbody>
          {answer.options.map(({ move, loss, error }) => (
            <tr key={move.id}>
              <td>{move.words}</td>
              <td>{loss === 0 ? "–" : `${formatPoints(loss)} ± ${formatPoints(error)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint-line">
        {translate("page.puzzles.rating", {
          rating: Math.round(answer.rating),
          deviation: Math.round(answer.deviation),
        })}{" "}
        {answer.themes.map((theme) => translate(`page.puzzles.theme.${theme}`)).join(", ")}
      </p>
    </>
  );
}

/** Shares the result of the puzzle of the day without its solution. */
function ShareDay({
  question,
  solved,
}: {
  question: PuzzleQuestion;
  solved: boolean;
}): JSX.Element {
  const [shared, setShared] = useState(false);
  const share = (): void => {
    const address = new URL(puzzlePath(question.game), location.href).href;
    const text = translate(solved ? "page.puzzles.shared.solved" : "page.puzzles.shared.missed", {
      day: question.day,
      address,
    });
    void shareText(text).then(setShared);
  };
  return (
    <button type="button" class="button wide" onClick={share}>
      <Icon name={shared ? "check" : "link"} /> {translate("page.puzzles.share")}
    </button>
  );
}

/** The choice of the game and of the kind of puzzles. */
function Choices({
  games,
  game,
  choice,
  themes,
  you,
  onGame,
  onChoice,
}: {
  games: readonly GameInfo[];
  game: string | null;
  choice: Choice;
  themes: readonly string[];
  you: PuzzleProgress | null;
  onGame: (game: string) => void;
  onChoice: (choice: Choice) => void;
}): JSX.Element {
  return (
    <>
      {/** biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs */}
      <div class="puzzle-row" role="group" aria-label={translate("page.me.game")}>
        {games.map(({ key, name }) => (
          <button
            key={key}
            type="button"
            class={`button small${key === game ? " primary" : ""}`}
            aria-pressed={key === game}
            onClick={() => onGame(key)}
          >
            {name}
          </button>
        ))}
      </div>
      {/** biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs */}
      <div class="puzzle-row" role="group" aria-label={translate("page.puzzles.which")}>
        {(["rated", "streak", "day", "missed"] as const).map((which) => (
          <button
            key={which}
            type="button"
            class={`button small${which === choice.which ? " primary" : ""}`}
            aria-pressed={which === choice.which}
            disabled={which === "missed" && !you?.missed.length}
            onClick={() => onChoice({ which, name: "" })}
          >
            {translate(`page.puzzles.which.${which}`)}
            {which === "missed" && you ? ` (${you.missed_count})` : ""}
          </button>
        ))}
      </div>
      {you && you.missed.length > 0 && (
        <details class="puzzle-missed">
          <summary>{translate("page.puzzles.missed")}</summary>
          {you.missed_count > you.missed.length && (
            <p class="hint-line">
              {translate("page.puzzles.missed.latest", { count: you.missed.length })}
            </p>
          )}
          <ul>
            {you.missed.map(({ id, rating, themes: kinds }) => (
              <li key={id}>
                <button
                  type="button"
                  class="button small"
                  onClick={() => onChoice({ which: "missed", name: id })}
                >
                  {rating} {kinds.map((kind) => translate(`page.puzzles.theme.${kind}`)).join(", ")}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <label class="puzzle-theme">
        {translate("page.puzzles.theme")}{" "}
        <select
          value={choice.which === "theme" ? choice.name : ""}
          onChange={({ currentTarget: { value } }) =>
            onChoice(value === "" ? RATED : { which: "theme", name: value })
          }
        >
          <option value="">{translate("page.puzzles.theme.all")}</option>
          {themes.map((theme) => (
            <option key={theme} value={theme}>
              {translate(`page.puzzles.theme.${theme}`)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** The player's results in this game. */
function Figures({ you }: { you: PuzzleProgress }): JSX.Element {
  return (
    <p class="hint-line">
      {translate("page.puzzles.figures", { solved: you.solved, tried: you.tried })}{" "}
      {translate("page.puzzles.streak", { streak: you.streak, best: you.best })}{" "}
      {translate("page.puzzles.left", { count: you.left })}
    </p>
  );
}
