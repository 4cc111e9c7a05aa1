import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, askServer, fetchGames } from "../api";
import { Icon } from "../art/icons";
import { formatClock, formatDay, formatEnd } from "../daily/day";
import { dailyPoints, dailyStreak, dayOf } from "../daily/streak";
import { formatLoss } from "../format";
import { fetchHistory } from "../me/api";
import { memory, newToken, saveSeats } from "../memory";
import { useObservable } from "../observable";
import { tablePath } from "../paths";
import type { DailyStarted, FinishedGame, GameInfo } from "../protocol";
import { go } from "../route";
import { readText, writeText } from "../storage";
import { translate } from "../translate";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";
import { HomeLink, PageBar } from "../ui/page-bar";
import "../styles/daily.css";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The table of a day's game in this browser. */
const keyOf = (day: string, game: string): string => `foxclover.daily.${day}.${game}`;

async function start(day: string, game: string): Promise<void> {
  const { name } = memory.get();
  const seat = newToken();
  const { table } = await askServer<DailyStarted>("/api/daily/start", {
    game,
    seat,
    ...(name === "" ? {} : { name }),
  });
  saveSeats(table, [seat]);
  writeText(keyOf(day, game), table);
  go(tablePath(table));
}

/** The daily challenge without a server: public dice, no ranking. */
export default function OpenDailyPage(): JSX.Element {
  const [games, setGames] = useState<GameInfo[]>([]);
  const [finished, setFinished] = useState<FinishedGame[]>([]);
  const [failure, setFailure] = useState<Error | null>(null);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    document.title = `${translate("page.daily")} · Fox & Clover`;
    fetchGames().then((answer) => setGames(answer.games), setFailure);
    fetchHistory().then((history) => setFinished(history.games), setFailure);
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const day = dayOf(now);
  const left = Math.floor((Date.parse(day) + DAY - now) / 1000);
  const streak = dailyStreak(useObservable(memory), now);
  return (
    <div class="home me daily">
      <PageBar>
        <HomeLink />
      </PageBar>
      <main>
        <div class="daily-hero">
          <h1>{translate("page.daily")}</h1>
          <p class="daily-date">{formatDay(day)}</p>
          <p class="daily-left">
            <strong>{formatClock(left)}</strong>{" "}
            {translate("page.daily.left", { time: formatEnd(left, now) })}
          </p>
          <p>{translate("page.daily.why")}</p>
          {streak > 1 && <p>{translate("page.home.streak", { count: streak })}</p>}
        </div>
        <Failure text={failure?.message} />
        <ul class="daily-games">
          {games
            .filter(({ players }) => players.includes(1))
            .map((game) => (
              <OpenDailyGame
                key={game.key}
                game={game}
                finished={finished}
                day={day}
                onFailure={setFailure}
              />
            ))}
        </ul>
        <p class="hint-line">{translate("page.daily.open")}</p>
      </main>
    </div>
  );
}

function OpenDailyGame({
  game,
  finished,
  day,
  onFailure,
}: {
  game: GameInfo;
  finished: readonly FinishedGame[];
  day: string;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const points = dailyPoints(useObservable(memory), game.key, day);
  const table = readText(keyOf(day, game.key));
  const review = finished.find(({ id }) => id === table)?.review;
  const begin = (): void => {
    setBusy(true);
    start(day, game.key).catch((error: ApiError) => {
      setBusy(false);
      onFailure(error);
    });
  };
  return (
    <li class="panel daily-game">
      <h2>{game.name}</h2>
      {points !== null && <p>{translate("common.points", { count: points })}</p>}
      {review && review.decisions > 0 && (
        <p class="hint-line">
          {translate("page.skill.day", { loss: formatLoss(review.loss / review.decisions) })}
        </p>
      )}
      {table === null ? (
        <button type="button" class="button primary" disabled={busy} onClick={begin}>
          <Icon name="play" /> {translate("page.daily.begin")}
          <span class="sr"> {game.name}</span>
        </button>
      ) : (
        <Link class={points === null ? "button primary" : "button"} href={tablePath(table)}>
          <Icon name={points === null ? "play" : "eye"} />{" "}
          {translate(points === null ? "page.daily.go_on" : "page.me.look")}
          <span class="sr"> {game.name}</span>
        </Link>
      )}
    </li>
  );
}
