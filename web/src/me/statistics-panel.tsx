import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, fetchLayout } from "../api";
import { dates } from "../dates";
import { points as number, percent } from "../format";
import { useObservable } from "../observable";
import type { FinishedGame, GameInfo, Layout } from "../protocol";
import { capitalise, spoken, translate } from "../translate";
import { Section } from "../ui/section";
import { Histogram, Parts, Trend } from "./charts";
import { called, replay } from "./game-list";
import {
  distribution,
  judged,
  partMeans,
  points,
  records,
  rivals,
  streaks,
  summary,
  trend,
} from "./statistics";

const SHOWN_RIVALS = 8;
const TREND_GAMES = 100;
const COMPANIES = ["all", "alone", "others"] as const;
type Company = (typeof COMPANIES)[number];

/** What the games of one kind come to, in numbers and pictures. */
export function Figures({
  games,
  offered,
  onFailure,
}: {
  games: readonly FinishedGame[];
  offered: readonly GameInfo[];
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const played = offered.filter((game) => games.some((one) => one.game === game.key));
  const [wish, setWish] = useState("");
  const [company, setCompany] = useState<Company>("all");
  const chosen = played.find((game) => game.key === wish)?.key ?? played[0]?.key ?? "";
  const { language } = useObservable(spoken);
  const [layout, setLayout] = useState<Layout | null>(null);
  useEffect(() => {
    if (chosen !== "") {
      fetchLayout(chosen, language).then(setLayout, () => setLayout(null));
    }
  }, [chosen, language]);
  const found = games.filter(
    (game) =>
      game.game === chosen &&
      (company === "all" || (company === "alone") === (game.scores.length === 1)),
  );
  const named = (part: string): string => capitalise(layout?.words[part] ?? part);
  const days = streaks(games, Date.now() / 1000);
  return (
    <Section icon="trophy" title={translate("page.me.figures")}>
      {played.length === 0 ? (
        <p>{translate("page.me.nothing")}</p>
      ) : (
        <>
          <div class="row me-filters">
            <select
              aria-label={translate("page.me.game")}
              value={chosen}
              onChange={(event) => setWish(event.currentTarget.value)}
            >
              {played.map((game) => (
                <option key={game.key} value={game.key}>
                  {game.name}
                </option>
              ))}
            </select>
            <select
              aria-label={translate("page.me.company")}
              value={company}
              onChange={(event) =>
                setCompany(COMPANIES.find((one) => one === event.currentTarget.value) ?? "all")
              }
            >
              {COMPANIES.map((one) => (
                <option key={one} value={one}>
                  {translate(`page.me.company.${one}`)}
                </option>
              ))}
            </select>
          </div>
          {found.length > 0 && <Numbers games={found} />}
          {found.length > 0 && <Reviewed games={found} />}
          {found.length > 0 && <Pictures games={found} named={named} />}
          {found.length > 0 && <Records games={found} named={named} onFailure={onFailure} />}
          <Rivals games={games} />
          <p class="hint-line">
            {translate("page.me.streak", { count: days.current, longest: days.longest })}
          </p>
        </>
      )}
    </Section>
  );
}

function Numbers({ games }: { games: readonly FinishedGame[] }): JSX.Element {
  const { games: count, mean, best, spread, contests, wins, meanPlace } = summary(games);
  const lines: [string, string][] = [
    ["games", `${count}`],
    ["mean", number(mean)],
    ["best", `${best}`],
    ["spread", number(spread)],
    ...(contests > 0
      ? ([
          ["won", `${wins} / ${contests}`],
          ["place", number(meanPlace)],
        ] as [string, string][])
      : []),
  ];
  return <Tiles lines={lines} />;
}

function Tiles({ lines }: { lines: readonly [string, string][] }): JSX.Element {
  return (
    <dl class="me-numbers">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{translate(`page.me.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Luck and losses, as far as games were reviewed. */
function Reviewed({ games }: { games: readonly FinishedGame[] }): JSX.Element {
  const found = judged(games);
  if (found === null) {
    return <p class="hint-line">{translate("page.me.not_reviewed")}</p>;
  }
  return (
    <>
      <Tiles
        lines={[
          ["luck", number(found.luck, true)],
          ["loss", number(found.loss)],
          ["adjusted", number(found.adjusted)],
          ["best_moves", percent(found.best)],
        ]}
      />
      <p class="hint-line">
        {translate("page.me.reviewed", { count: found.games, all: games.length })}
      </p>
    </>
  );
}

/** The games one is proud of, each with the way to it. */
function Records({
  games,
  named,
  onFailure,
}: {
  games: readonly FinishedGame[];
  named: (part: string) => string;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const when = dates({ dateStyle: "medium" });
  return (
    <table class="me-rivals">
      <caption>{translate("page.me.records")}</caption>
      <tbody>
        {records(games).map(({ kind, part, value, game }) => (
          <tr key={`${kind} ${part}`}>
            <th scope="row">
              {kind === "part" ? named(part) : translate(`page.me.record.${kind}`)}
            </th>
            <td>{kind === "luck" || kind === "loss" ? number(value, kind === "luck") : value}</td>
            <td>
              <button type="button" class="button small" onClick={() => replay(game.id, onFailure)}>
                {when.format(game.at * 1000)}
                <span class="sr"> {translate("page.me.replay")}</span>
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pictures({
  games,
  named,
}: {
  games: readonly FinishedGame[];
  named: (part: string) => string;
}): JSX.Element {
  const scores = games.map(points);
  const oldestFirst = scores.slice(0, TREND_GAMES).reverse();
  const losses = games
    .flatMap((game) => game.review?.loss ?? [])
    .slice(0, TREND_GAMES)
    .reverse()
    .map((loss) => Math.round(10 * loss) / 10);
  return (
    <div class="charts">
      <Histogram bins={distribution(scores)} />
      <Trend title={translate("page.me.trend")} scores={oldestFirst} means={trend(oldestFirst)} />
      <Parts parts={partMeans(games)} called={named} />
      {losses.length > 1 && (
        <Trend title={translate("page.me.loss_trend")} scores={losses} means={trend(losses)} />
      )}
    </div>
  );
}

/** Who plays whom, and with which result. */
function Rivals({ games }: { games: readonly FinishedGame[] }): JSX.Element | null {
  const found = rivals(games).slice(0, SHOWN_RIVALS);
  if (found.length === 0) {
    return null;
  }
  return (
    <table class="me-rivals">
      <caption>{translate("page.me.rivals")}</caption>
      <thead>
        <tr>
          <td />
          {(["games", "won", "lost"] as const).map((name) => (
            <th key={name} scope="col">
              {translate(`page.me.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {found.map((rival) => (
          <tr key={rival.name}>
            <th scope="row">{called(rival.name)}</th>
            <td>{rival.games}</td>
            <td>{rival.won}</td>
            <td>{rival.lost}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
