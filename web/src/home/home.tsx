import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, fetchGames } from "../api";
import { Icon } from "../art/icons";
import { Logo } from "../art/logo";
import type { GameInfo, GamesAnswer } from "../protocol";
import { LanguageChoice, ThemeChoice } from "../settings";
import { say } from "../words";
import { Continue } from "./continue";
import { GameArt } from "./game-art";
import { JoinByCode } from "./join-by-code";
import { Setup } from "./setup";

export function Home(): JSX.Element {
  const [games, setGames] = useState<GamesAnswer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [chosen, setChosen] = useState<GameInfo | null>(null);
  useEffect(() => {
    fetchGames().then(setGames, (error: ApiError) => setFailure(error.message));
  }, []);
  return (
    <div class="home">
      <header class="home-bar">
        <LanguageChoice />
        <ThemeChoice />
      </header>
      <main>
        <div class="hero">
          <Logo />
          <h1>Fox <span class="and">&amp;</span> Clover</h1>
          <p>{say("page.home.claim")}</p>
        </div>
        {failure !== null && <p class="notice" role="alert">{failure}</p>}
        <div class="games">
          {games?.games.map((game) => <GameCard key={game.key} game={game} onChoose={() => setChosen(game)} />)}
        </div>
        <div class="home-more">
          <Continue games={games?.games ?? []} />
          <JoinByCode />
        </div>
      </main>
      {chosen && games && <Setup game={chosen} levels={games.levels} onClose={() => setChosen(null)} />}
    </div>
  );
}

function GameCard({ game, onChoose }: { game: GameInfo; onChoose: () => void }): JSX.Element {
  return (
    <article class={`game-card g-${game.key}`}>
      <GameArt game={game.key} />
      <h2>{game.name}</h2>
      <p>{say(`page.game.${game.key}`)}</p>
      <p class="facts"><Icon name="people" /> {say("page.home.players", { from: Math.min(...game.players), to: Math.max(...game.players) })}</p>
      <button type="button" class="button primary" onClick={onChoose}>
        {say("page.home.play")}<span class="sr"> {game.name}</span>
      </button>
    </article>
  );
}
