import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import type { BoardActions } from "../family";
import { GameStyleContext, pipShapes, useColours } from "../game-style";
import { useObservable } from "../observable";
import type { GameInfo, Layout, Looked, Moment } from "../protocol";
import { loadGame } from "../table/page";
import { locale, translate } from "../translate";
import { LoadingPage } from "../ui/lazy";
import { Failure } from "../ui/notices";
import { HomeLink } from "../ui/page-bar";
import { DiceCheck } from "./dice-check";
import { NO_PREVIEWS, ReviewBoard } from "./frame";
import { PlayOnForm, SharePosition } from "./play-on";
import { isPosition } from "./position-link";

export interface OpenedGameProps {
  result: Looked;
  game: GameInfo;
  /** The transcript or the position. */
  text: string;
  onClose: () => void;
}

/** Shows where an opened game stopped, or an opened position; continues and shares it. */
export function OpenedGame({ result, game, text, onClose }: OpenedGameProps): JSX.Element | null {
  const { language } = useObservable(locale);
  const [layout, setLayout] = useState<Layout | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [shown, setShown] = useState(result.to_act[0] ?? 0);
  useEffect(() => {
    loadGame(game.key, language).then(setLayout, setFailure);
  }, [game.key, language]);
  useColours(layout);
  const { moment } = result;
  if (layout === null || moment === null) {
    return failure === null ? <LoadingPage /> : <Failure text={failure.message} />;
  }
  const name = (seat: number): string =>
    result.players[seat] || translate("page.puzzles.player", { number: seat + 1 });
  return (
    <div class={`look-back kind-${layout.kind}`}>
      <div class={`table kind-${layout.kind}`}>
        <header class="top-bar">
          <HomeLink />
          <span class="top-title">{game.name}</span>
          <span class="top-buttons">
            <button type="button" class="button small" onClick={onClose}>
              <Icon name="close" /> {translate("page.look.close")}
            </button>
          </span>
        </header>
        <nav class="players" aria-label={translate("page.players")}>
          {moment.scores.map((points, seat) => (
            <button
              key={seat}
              type="button"
              class={`player p-${seat}`}
              aria-pressed={seat === shown}
              onClick={() => setShown(seat)}
            >
              <Icon name="person" />
              <span class="player-who">{name(seat)}</span>
              <strong class="player-points">
                {points}
                <span class="sr"> {translate("page.points")}</span>
              </strong>
            </button>
          ))}
        </nav>
        <main class="stage">
          <h1 class="sr">
            {translate("page.look")}: {game.name}
          </h1>
          <GameStyleContext.Provider
            value={{ words: layout.words, shapes: pipShapes(layout.paints) }}
          >
            <ReviewBoard
              layout={layout}
              moment={moment}
              moves={[]}
              actions={lookOnly(shown, name, moment)}
            />
          </GameStyleContext.Provider>
        </main>
      </div>
      <aside class="review-side">
        <section class="review" aria-label={translate("page.look.on")}>
          {result.dice && <DiceCheck dice={result.dice} />}
          {result.moves > 0 && <p>{translate("page.look.unfinished", { count: result.moves })}</p>}
          {!result.over && (
            <PlayOnForm
              transcript={text}
              at={result.moves}
              players={result.players.map((player, seat) => ({
                name: player,
                label: name(seat),
                player: (result.to_act[0] ?? 0) === seat ? "me" : null,
              }))}
              recorded={false}
              game={game}
            />
          )}
          <SharePosition text={isPosition(text) ? null : text} position={moment.position} />
        </section>
      </aside>
    </div>
  );
}

/** A board without moves, with the decision that is due as its prompt. */
const lookOnly = (
  seat: number,
  name: (seat: number) => string,
  { prompt }: Moment,
): BoardActions => ({
  seat,
  enabled: false,
  name,
  onMove: () => undefined,
  onRoll: null,
  marks: new Set(),
  previews: NO_PREVIEWS,
  instant: true,
  hinted: null,
  renderPrompt: () => (
    <section class="prompt replay-bar" aria-label={translate("page.look.position")}>
      <div class="prompt-head">
        <div class="prompt-words replay-words">
          <p>{prompt || translate("page.look.position")}</p>
        </div>
      </div>
    </section>
  ),
});
