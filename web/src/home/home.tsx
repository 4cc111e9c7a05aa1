import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SITE, version } from "#backend";
import { type ApiError, fetchGames } from "../api";
import { Icon, type IconName } from "../art/icons";
import { Logo } from "../art/logo";
import type { GameInfo, GamesAnswer } from "../protocol";
import { go } from "../route";
import { sayIfThere, translate } from "../translate";
import { PageBar } from "../ui/page-bar";
import { GameArt } from "./game-art";
import { JoinByCode } from "./join-by-code";
import { type Company, makeUsualTable } from "./new-table";
import { Continue } from "./own-tables";
import { LearnPanel } from "./panels";
import { Setup } from "./setup";

export function Home(): JSX.Element {
  const [games, setGames] = useState<GamesAnswer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [chosen, setChosen] = useState<GameInfo | null>(null);
  const [known, setKnown] = useState(false); // which games can be continued: what stands below is not to be pushed away by them
  useEffect(() => {
    fetchGames().then(setGames, (error: ApiError) => setFailure(error.message));
  }, []);
  return (
    <div class="home">
      <PageBar>
        {!SITE && (
          <a
            class="button small quiet me-link"
            href="/me"
            title={translate("page.me")}
            aria-label={translate("page.me")}
            onClick={(event) => {
              event.preventDefault();
              go("/me");
            }}
          >
            <Icon name="person" /> <span>{translate("page.me")}</span>
          </a>
        )}
      </PageBar>
      <main>
        <div class="hero">
          <Logo />
          <h1>
            Fox <span class="and">&amp;</span> Clover
          </h1>
          <p>{translate("page.home.claim")}</p>
        </div>
        {failure !== null && (
          <p class="notice" role="alert">
            {failure}
          </p>
        )}
        <div class="games">
          {games?.games.map((game) => (
            <GameCard
              key={game.key}
              game={game}
              levels={games.levels}
              onChoose={() => setChosen(game)}
              onFailure={setFailure}
            />
          ))}
        </div>
        {(games !== null || failure !== null) && (
          <div class="home-more">
            <Continue games={games?.games ?? []} onKnown={() => setKnown(true)} />
            {known && (
              <>
                {!SITE && <DailyPanel />}
                {!SITE && <JoinByCode />}
                <LearnPanel />
              </>
            )}
          </div>
        )}
        {SITE && known && <Facts />}
      </main>
      {chosen && games && (
        <Setup game={chosen} levels={games.levels} onClose={() => setChosen(null)} />
      )}
    </div>
  );
}

/** The way to the game of the day. */
function DailyPanel(): JSX.Element {
  return (
    <section class="panel">
      <h2>
        <Icon name="sun" /> {translate("page.daily")}
      </h2>
      <p>{translate("page.daily.why")}</p>
      <a
        class="button"
        href="/daily"
        onClick={(event) => {
          event.preventDefault();
          go("/daily");
        }}
      >
        <Icon name="next" /> {translate("page.daily.there")}
      </a>
    </section>
  );
}

/** What is special about a page without a server. */
function Facts(): JSX.Element {
  const [number, setNumber] = useState("");
  useEffect(() => void version().then(setNumber, () => undefined), []);
  return (
    <footer class="site-facts">
      <p>{translate("page.site.where")}</p>
      <p>
        {number !== "" && translate("page.site.version", { version: number })} ·{" "}
        <a href="licences.txt">{translate("page.site.licences")}</a>
      </p>
    </footer>
  );
}

const COMPANY: Partial<Record<Company, IconName>> = {
  alone: "person",
  computer: "robot",
  ...(SITE ? { here: "people" } : { friends: "link" }),
};

/** A game with who made it, and three ways to begin at once. */
function GameCard({
  game,
  levels,
  onChoose,
  onFailure,
}: {
  game: GameInfo;
  levels: readonly string[];
  onChoose: () => void;
  onFailure: (words: string) => void;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const about = sayIfThere(`page.game.${game.key}`);
  const begin = (company: Company): void => {
    setBusy(true);
    makeUsualTable(game, company, levels).catch((error: ApiError) => {
      setBusy(false);
      onFailure(error.message);
    });
  };
  const ways = (Object.keys(COMPANY) as Company[]).filter(
    (company) => company !== "computer" || levels.length > 0,
  );
  return (
    <article class={`game-card g-${game.key}`}>
      <GameArt game={game} />
      <h2>{game.name}</h2>
      <p class="credit">
        {translate("page.credit", { designer: game.designer, publisher: game.publisher })}
      </p>
      {about !== null && <p>{about}</p>}
      <p class="facts">
        <Icon name="people" />{" "}
        {translate("page.home.players", {
          from: Math.min(...game.players),
          to: Math.max(...game.players),
        })}
      </p>
      {/** biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs */}
      <div class="ways" role="group" aria-label={translate("page.home.begin", { game: game.name })}>
        {ways.map((company) => (
          <button
            key={company}
            type="button"
            class={`button way-${company}${company === "computer" ? " primary" : ""}`}
            disabled={busy}
            onClick={() => begin(company)}
          >
            <Icon name={COMPANY[company] ?? "person"} /> {translate(`page.way.${company}`)}
          </button>
        ))}
      </div>
      <button type="button" class="button quiet setup-button" onClick={onChoose}>
        {translate("page.home.more")}
        <span class="sr"> {game.name}</span>
      </button>
    </article>
  );
}
