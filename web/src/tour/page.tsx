import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, fetchGames, fetchLayout, fetchTour } from "../api";
import { Icon } from "../art/icons";
import { type BoardActions, familyOf, loadFamily } from "../family";
import { GameStyleContext, pipShapes, useColours } from "../game-style";
import { openDefaultTable } from "../home/new-table";
import { remember } from "../memory";
import { useObservable } from "../observable";
import { HOME } from "../paths";
import type { GameInfo, GamesAnswer, Layout, MoveView, Tour } from "../protocol";
import { NO_PREVIEWS } from "../review/frame";
import "../table/page"; // the styles of tables
import { MoveButtons } from "../table/prompt";
import { locale, translate } from "../translate";
import { ErrorPage } from "../ui/error-page";
import { LoadingPage } from "../ui/lazy";
import { Link } from "../ui/link";
import { HomeLink } from "../ui/page-bar";
import "../styles/tour.css";

interface Loaded {
  answer: GamesAnswer;
  game: GameInfo;
  layout: Layout;
  tour: Tour;
}

async function load(key: string, language: string): Promise<Loaded | null> {
  const answer = await fetchGames();
  const game = answer.games.find((offered) => offered.key === key);
  if (!game?.tour) {
    return null;
  }
  const [layout, tour] = await Promise.all([fetchLayout(key, language), fetchTour(key, language)]);
  await loadFamily(layout.kind);
  return { answer, game, layout, tour };
}

/** How to play: a scripted round on the real board. It needs no table. */
export function TourPage({ gameKey }: { gameKey: string }): JSX.Element {
  const { language } = useObservable(locale);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    load(gameKey, language).then(
      (found) => (found ? setLoaded(found) : setFailure(translate("page.nowhere"))),
      (error: Error) => setFailure(error.message),
    );
  }, [gameKey, language]);
  const layout = loaded?.layout;
  useColours(layout);
  useEffect(() => {
    document.title = `${translate("page.tour")}: ${loaded?.game.name ?? ""} · Fox & Clover`;
  }, [loaded]);
  useEffect(() => remember({ toured: true }), []);
  if (failure !== null) {
    return <ErrorPage text={failure} />;
  }
  return loaded ? (
    <GameStyleContext.Provider
      value={{ words: loaded.layout.words, shapes: pipShapes(loaded.layout.paints) }}
    >
      <Steps {...loaded} />
    </GameStyleContext.Provider>
  ) : (
    <LoadingPage />
  );
}

function Steps({ answer, game, layout, tour }: Loaded): JSX.Element | null {
  const [at, setAt] = useState(0);
  const words = useRef<HTMLParagraphElement>(null);
  // What was touched last may be gone: keep the place of the keyboard.
  useEffect(() => {
    if (at > 0 && document.activeElement === document.body) {
      words.current?.focus({ preventScroll: true });
    }
  }, [at]);
  const step = tour.steps[at];
  const before = tour.steps[at - 1]?.view ?? null;
  const { Board, newMarks, moveIcons } = familyOf(layout);
  if (!step) {
    return null;
  }
  const next = (): void => setAt(at + 1);
  const moves = step.move ? [step.move] : [];
  const onMove = (move: MoveView): void => {
    if (move.id === step.move?.id) {
      next();
    }
  };
  const actions: BoardActions = {
    seat: 0,
    enabled: true,
    name: () => translate("page.seat.me"),
    onMove,
    onRoll: step.roll ? next : null,
    marks: before ? newMarks(before, step.view, 0) : new Set(),
    previews: NO_PREVIEWS,
    instant: true,
    hinted: step.move,
    renderPrompt: (choices) => (
      <section class="prompt tour-prompt" aria-label={translate("page.prompt")}>
        <progress value={at} max={tour.steps.length - 1} aria-hidden="true" />
        <p class="tour-words" role="status" aria-live="polite" tabIndex={-1} ref={words}>
          {step.words}
        </p>
        <div class="prompt-buttons">
          {at > 0 && (
            <button
              type="button"
              class="button"
              aria-label={translate("page.tour.back")}
              title={translate("page.tour.back")}
              onClick={() => setAt(at - 1)}
            >
              <Icon name="back" />
            </button>
          )}
          {step.roll && (
            <button type="button" class="button primary roll" data-act onClick={next}>
              <Icon name="roll" /> {translate("page.roll")}
            </button>
          )}
          {choices}
          <MoveButtons
            moves={moves.filter((move) => moveIcons[move.kind])}
            enabled={true}
            onMove={onMove}
          />
          {at === tour.steps.length - 1 && <StartButtons answer={answer} game={game} />}
        </div>
      </section>
    ),
  };
  return (
    <div class={`table tour kind-${layout.kind}`}>
      <header class="top-bar">
        <HomeLink />
        <span class="top-title">{game.name}</span>
        <span class="top-buttons">
          <Link class="button small" href={HOME}>
            <Icon name="close" /> {translate("page.tour.leave")}
          </Link>
        </span>
      </header>
      <section class="players tour-title" aria-label={translate("page.tour")}>
        {translate("page.tour")}:{" "}
        {translate("page.tour.step", { at: at + 1, last: tour.steps.length })}
      </section>
      <main class="stage">
        <h1 class="sr">
          {translate("page.tour")}: {game.name}
        </h1>
        <Board
          layout={layout}
          view={step.view}
          before={before}
          seq={at}
          moves={moves}
          actions={actions}
          connection={null}
        />
      </main>
    </div>
  );
}

/** The end of the round: a real game. */
function StartButtons({ answer, game }: Pick<Loaded, "answer" | "game">): JSX.Element {
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const start = (): void => {
    setBusy(true);
    openDefaultTable(game, answer.levels.length > 0 ? "computer" : "alone", answer.levels).catch(
      (error: ApiError) => {
        setBusy(false);
        setFailure(error.message);
      },
    );
  };
  return (
    <>
      <button type="button" class="button primary" data-act disabled={busy} onClick={start}>
        <Icon name="play" /> {translate("page.tour.play")}
      </button>
      {failure !== null && (
        <p class="notice" role="alert">
          {failure}
        </p>
      )}
    </>
  );
}
