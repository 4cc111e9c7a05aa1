import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, fetchGames } from "../api";
import { Icon } from "../art/icons";
import { formatLoss, gameName } from "../format";
import { renamePerson } from "../me/api";
import { memory, remember } from "../memory";
import { useObservable } from "../observable";
import { tablePath } from "../paths";
import type { Board, DailyGame, GameInfo, Today } from "../protocol";
import { translate } from "../translate";
import { HomeLink, PageBar } from "../ui/page-bar";
import { fetchLeaderboard, fetchToday, startDailyGame } from "./api";
import { ClosedDay } from "./closed-day";
import { formatClock, formatDay, formatEnd, standingText } from "./day";
import { Groups } from "./groups";
import { Leaderboard } from "./leaderboard";
import { Reports } from "./report";
import { dayOf } from "./streak";
import "../styles/daily.css";
import { TextForm } from "../ui/forms";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";

const MINUTE = 60_000;
const DAY = 86_400_000;

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
  const games = day?.games ?? [];
  const game = chosen || (games.find(({ state }) => state !== "none") ?? games[0])?.game || "";
  const title = (key: string): string => gameName(offered, key);
  return (
    <div class="home me daily">
      <PageBar>
        <HomeLink />
      </PageBar>
      <main>
        <div class="daily-hero">
          <h1>{translate("page.daily")}</h1>
          {day && (
            <>
              <p class="daily-date">{formatDay(day.day)}</p>
              <p class="daily-left">
                <strong>{formatClock(day.left)}</strong>{" "}
                {translate("page.daily.left", { time: formatEnd(day.left) })}
              </p>
            </>
          )}
          <p>{translate("page.daily.why")}</p>
        </div>
        <Failure text={failure?.message} />
        <NameForm onFailure={setFailure} />
        {day && (
          <Reports.Provider value={day.reports}>
            <Yesterday today={day} title={title} />
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
              title={title(game)}
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

/** Games of yesterday that were started and not finished. */
function Yesterday({
  today,
  title,
}: {
  today: Today;
  title: (key: string) => string;
}): JSX.Element {
  const [unfinished, setUnfinished] = useState<Board[]>([]);
  const yesterday = dayOf(Date.parse(today.day) - DAY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    Promise.all(today.games.map(({ game }) => fetchLeaderboard(game, yesterday, ""))).then(
      (found) =>
        setUnfinished(
          found.filter(({ you: { state } }) => state === "running" || state === "given_up"),
        ),
      () => undefined, // the leaderboard below shows the failure
    );
  }, [yesterday]);
  return (
    <>
      {unfinished.map(({ game, you }) => (
        <p key={game} class="notice">
          {translate(`page.daily.yesterday.${you.state}`, { game: title(game) })}{" "}
          {you.state === "running" && you.table !== null && (
            <Link class="button small" href={tablePath(you.table)}>
              <Icon name="play" /> {translate("page.daily.go_on")}
            </Link>
          )}
        </p>
      ))}
    </>
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
      {game.loss !== null && (
        <p class="hint-line">{translate("page.skill.day", { loss: formatLoss(game.loss) })}</p>
      )}
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
    <details class="panel daily-fair">
      <summary>{translate("page.daily.fair")}</summary>
      <p>{translate("page.daily.fair.why")}</p>
      <h3>{translate("page.daily.promises")}</h3>
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
  );
}
