import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, fetchGames } from "../api";
import { Icon } from "../art/icons";
import { gameName } from "../format";
import { renamePerson } from "../me/api";
import { memory, remember } from "../memory";
import { useObservable } from "../observable";
import { tablePath } from "../paths";
import type { DailyGame, GameInfo, Today } from "../protocol";
import { translate } from "../translate";
import { HomeLink, PageBar } from "../ui/page-bar";
import { Section } from "../ui/section";
import { fetchToday, startDailyGame } from "./api";
import { ClosedDay } from "./closed-day";
import { formatClock, formatDay, standingText } from "./day";
import { Groups } from "./groups";
import { Leaderboard } from "./leaderboard";
import { Reports } from "./report";
import "../styles/daily.css";
import { TextForm } from "../ui/forms";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";

const MINUTE = 60_000;

/** The daily challenge: games, leaderboard, groups and the previous day. */
export default function DailyPage(): JSX.Element {
  const [day, setDay] = useState<Today | null>(null);
  const [offered, setOffered] = useState<GameInfo[]>([]);
  const [chosen, setChosen] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const refresh = (): void => void fetchToday().then(setDay, setFailure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    document.title = `${translate("page.daily")} · Fox & Clover`;
    refresh();
    fetchGames().then((answer) => setOffered(answer.games), setFailure);
    const timer = setInterval(refresh, MINUTE);
    return () => clearInterval(timer);
  }, []);
  const game = chosen || (day?.games[0]?.game ?? "");
  const title = (key: string): string => gameName(offered, key);
  return (
    <div class="home me daily">
      <PageBar>
        <HomeLink />
      </PageBar>
      <main>
        <div>
          <h1>{translate("page.daily")}</h1>
          <p>{translate("page.daily.why")}</p>
          {day && (
            <p class="hint-line">
              {translate("page.daily.left", {
                day: formatDay(day.day),
                left: formatClock(day.left),
              })}
            </p>
          )}
        </div>
        <Failure text={failure?.message} />
        <NameForm onFailure={setFailure} />
        {day && (
          <Reports.Provider value={day.reports}>
            <ul class="daily-games">
              {day.games.map((dailyGame) => (
                <DailyGameCard
                  key={dailyGame.game}
                  day={day.day}
                  game={dailyGame}
                  title={title(dailyGame.game)}
                  onFailure={setFailure}
                />
              ))}
            </ul>
            {/** biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs */}
            <div class="row" role="group" aria-label={translate("page.me.game")}>
              {day.games.map((dailyGame) => (
                <button
                  key={dailyGame.game}
                  type="button"
                  class={`button small${dailyGame.game === game ? " primary" : ""}`}
                  aria-pressed={dailyGame.game === game}
                  onClick={() => setChosen(dailyGame.game)}
                >
                  {title(dailyGame.game)}
                </button>
              ))}
            </div>
            <Leaderboard
              key={`${game} ${day.day}`}
              game={game}
              day={day.day}
              closedDay={day.closed}
              groups={day.groups}
              onFailure={setFailure}
            />
            <ClosedDay
              key={`${game} ${day.closed}`}
              game={game}
              day={day.closed}
              onFailure={setFailure}
            />
            <Groups groups={day.groups} offered={offered} onChange={setDay} />
            <Commitments games={day.games} title={title} />
          </Reports.Provider>
        )}
      </main>
    </div>
  );
}

/** Asks players without a name for one. */
function NameForm({ onFailure }: { onFailure: (error: ApiError) => void }): JSX.Element | null {
  const known = useObservable(memory).name;
  const [name, setName] = useState("");
  if (known !== "") {
    return null;
  }
  const save = (): void => {
    renamePerson(name).then((person) => remember({ name: person.name }), onFailure);
  };
  return (
    <TextForm
      value={name}
      label={translate("daily.name")}
      maxLength={24}
      onInput={setName}
      onSubmit={save}
    >
      {translate("page.me.save")}
    </TextForm>
  );
}

function DailyGameCard({
  day,
  game,
  title,
  onFailure,
}: {
  day: string;
  game: DailyGame;
  title: string;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const start = (): void => {
    setBusy(true);
    startDailyGame(day, game.game).catch((error: ApiError) => {
      setBusy(false);
      onFailure(error);
    });
  };
  const { table, state } = game;
  return (
    <li class="panel daily-game">
      <h2>{title}</h2>
      <p>{standingText(game)}</p>
      {state === "finished" && table !== null ? (
        <Link class="button" href={tablePath(table)}>
          <Icon name="eye" /> {translate("page.me.look")}
        </Link>
      ) : (
        <button type="button" class="button primary" disabled={busy} onClick={start}>
          <Icon name="play" />{" "}
          {translate(state === "running" ? "page.daily.go_on" : "page.daily.begin")}
          <span class="sr"> {title}</span>
        </button>
      )}
      {state === "none" && <p class="hint-line">{translate("page.daily.once")}</p>}
    </li>
  );
}

/** The commitments to the dice of today and tomorrow. */
function Commitments({
  games,
  title,
}: {
  games: readonly DailyGame[];
  title: (key: string) => string;
}): JSX.Element {
  return (
    <Section icon="check" title={translate("page.daily.fair")}>
      <p>{translate("page.daily.fair.why")}</p>
      <details>
        <summary>{translate("page.daily.promises")}</summary>
        <dl class="daily-promises">
          {games.map((game) => (
            <div key={game.game}>
              <dt>{title(game.game)}</dt>
              <dd>
                {translate("page.daily.promise.today")} <code>{game.promise}</code>
              </dd>
              <dd>
                {translate("page.daily.promise.tomorrow")} <code>{game.tomorrow}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </Section>
  );
}
