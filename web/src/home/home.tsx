import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { version as fetchVersion, SITE } from "#backend";
import { type ApiError, fetchGames } from "../api";
import { Icon, type IconName } from "../art/icons";
import { Logo } from "../art/logo";
import { dailyPoints, dailyStreak, dayOf } from "../daily/streak";
import { memory } from "../memory";
import { useObservable } from "../observable";
import { DAILY_PATH, ME_PATH, tourPath } from "../paths";
import type { GameInfo, GamesAnswer } from "../protocol";
import { translate, translateOptional, withMoreTexts } from "../translate";
import { InstallButton } from "../ui/install-button";
import { LazyDialog } from "../ui/lazy";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";
import { PageBar } from "../ui/page-bar";
import { Section } from "../ui/section";
import { GameArt } from "./game-art";
import { openDefaultTable, type QuickStart } from "./new-table";
import { countWaiting, FinishedTables, OpenTables, useOwnTables } from "./own-tables";
import { JoinPanel, LearnPanel, PuzzlesPanel } from "./panels";
import { showCount } from "./waiting";

const loadSetup = withMoreTexts(async () => (await import("./setup")).Setup);

export function Home(): JSX.Element {
  const [games, setGames] = useState<GamesAnswer | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [chosen, setChosen] = useState<GameInfo | null>(null);
  const own = useOwnTables();
  const [isNew] = useState(() => {
    const { toured, seats, results } = memory.get();
    return !toured && Object.keys({ ...seats, ...results }).length === 0;
  });
  const taught = games?.games.find((game) => game.tour);
  const waiting = countWaiting(own);
  useEffect(() => showCount(waiting), [waiting]);
  useEffect(() => {
    fetchGames().then(setGames, setFailure);
  }, []);
  return (
    <div class="home">
      <PageBar>
        <Link
          class="button small quiet me-link"
          href={ME_PATH}
          title={translate("page.me")}
          aria-label={translate("page.me")}
        >
          <Icon name="person" /> <span>{translate("page.me")}</span>
        </Link>
      </PageBar>
      <main>
        <div class="hero">
          <Logo />
          <h1>
            Fox <span class="and">&amp;</span> Clover
          </h1>
          <p>{translate("page.home.claim")}</p>
        </div>
        <Failure text={failure?.message} />
        {/* The games of the player come first, with a row for each before its table answers. */}
        {(games !== null || failure !== null) && (
          <div class="waiting">
            {isNew && taught && (
              <Section icon="guide" title={translate("page.tour.first")}>
                <div class="row newcomer">
                  <p>{translate("page.tour.why")}</p>
                  <Link class="button primary" href={tourPath(taught.key)}>
                    <Icon name="play" /> {translate("page.tour")}
                  </Link>
                </div>
              </Section>
            )}
            <OpenTables own={own} games={games?.games ?? []} />
          </div>
        )}
        <div class="games">
          {(games?.games ?? []).map((game) => (
            <GameCard
              key={game.key}
              game={game}
              strengths={games?.levels ?? []}
              onSetup={() => setChosen(game)}
              onFailure={setFailure}
            />
          ))}
        </div>
        {(games !== null || failure !== null) && (
          <div class="home-more">
            <FinishedTables own={own} games={games?.games ?? []} />
            <PuzzlesPanel />
            {!SITE && <JoinPanel />}
            <LearnPanel />
          </div>
        )}
        <InstallButton />
        {SITE && games !== null && <SiteFooter />}
        {games !== null && <DocsFooter />}
      </main>
      {chosen && games && (
        <LazyDialog
          load={loadSetup}
          props={{ game: chosen, strengths: games.levels, onClose: () => setChosen(null) }}
        />
      )}
    </div>
  );
}

/** A link to the documentation, if the server has it: then its page names the address. */
function DocsFooter(): JSX.Element | null {
  const docs = document.querySelector<HTMLLinkElement>("link[rel=help]");
  return (
    docs && (
      <footer class="site-facts">
        <a href={docs.href}>{translate("page.docs")}</a>
      </footer>
    )
  );
}

/** Where a page without a server stores games, and its version. */
function SiteFooter(): JSX.Element {
  const [version, setVersion] = useState("");
  useEffect(() => void fetchVersion().then(setVersion, () => undefined), []);
  return (
    <footer class="site-facts">
      <p>{translate("page.site.where")}</p>
      <p>
        {version !== "" && translate("page.site.version", { version })} ·{" "}
        <a href="licences.txt">{translate("page.site.licences")}</a>
      </p>
    </footer>
  );
}

const QUICK_STARTS: Partial<Record<QuickStart, IconName>> = {
  alone: "person",
  computer: "robot",
  ...(SITE ? { here: "people" } : { friends: "link" }),
};

/** A game with its authors and buttons to start it. */
function GameCard({
  game,
  strengths,
  onSetup,
  onFailure,
}: {
  game: GameInfo;
  strengths: readonly string[];
  onSetup: () => void;
  onFailure: (error: Error) => void;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const best = bestScore(game.key);
  const about = translateOptional(`page.game.${game.key}`);
  const start = (quickStart: QuickStart): void => {
    setBusy(true);
    openDefaultTable(game, quickStart, strengths).catch((error: ApiError) => {
      setBusy(false);
      onFailure(error);
    });
  };
  const quickStarts = (Object.keys(QUICK_STARTS) as QuickStart[]).filter(
    (quickStart) => quickStart !== "computer" || strengths.length > 0,
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
        {best !== null && (
          <span>
            {" "}
            <Icon name="trophy" /> {translate("page.home.best", { points: best })}
          </span>
        )}
      </p>
      {game.players.includes(1) && <DailyLine game={game.key} />}
      {/** biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs */}
      <div class="ways" role="group" aria-label={translate("page.home.begin", { game: game.name })}>
        {quickStarts.map((quickStart) => (
          <button
            key={quickStart}
            type="button"
            class={`button way-${quickStart}${quickStart === "computer" ? " primary" : ""}`}
            disabled={busy}
            onClick={() => start(quickStart)}
          >
            <Icon name={QUICK_STARTS[quickStart] ?? "person"} />{" "}
            {translate(`page.way.${quickStart}`)}
          </button>
        ))}
      </div>
      <div class="game-card-foot">
        {game.tour && (
          <Link class="button quiet tour-button" href={tourPath(game.key)}>
            <Icon name="guide" /> {translate("page.tour")}
            <span class="sr"> {game.name}</span>
          </Link>
        )}
        <button type="button" class="button quiet setup-button" onClick={onSetup}>
          {translate("page.home.more")}
          <span class="sr"> {game.name}</span>
        </button>
      </div>
    </article>
  );
}

/** Today's challenge of a game: played or not, and the streak of all games. */
function DailyLine({ game }: { game: string }): JSX.Element {
  const stored = useObservable(memory);
  const now = Date.now();
  const points = dailyPoints(stored, game, dayOf(now));
  const streak = dailyStreak(stored, now);
  return (
    <Link class="card-daily" href={DAILY_PATH}>
      <Icon name={points === null ? "sun" : "check"} />{" "}
      {points === null
        ? translate("page.home.daily")
        : translate("page.home.daily.done", { count: points })}
      {streak > 1 && <small> · {translate("page.home.streak", { count: streak })}</small>}
    </Link>
  );
}

/** Return the best points of a solo game in this browser, or null. */
function bestScore(game: string): number | null {
  const totals = (memory.get().results[`${game} 1`] ?? []).map(([, points]) => points);
  return totals.length === 0 ? null : Math.max(...totals);
}
