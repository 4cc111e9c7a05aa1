import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, fetchLayout } from "../api";
import { dateFormat, formatPercent, formatPoints } from "../format";
import { useColours } from "../game-style";
import { useObservable } from "../observable";
import type { FinishedGame, GameInfo, Layout, SkillRating } from "../protocol";
import { capitalise, locale, translate } from "../translate";
import { Select } from "../ui/forms";
import { Section } from "../ui/section";
import { Histogram, Parts, Trend } from "./charts";
import { openReplay, playerLabel } from "./game-list";
import { SkillPanel } from "./skill";
import {
  distribution,
  opponents,
  ownScore,
  partMeans,
  records,
  reviewMeans,
  streaks,
  summary,
  trend,
} from "./statistics";

const SHOWN_OPPONENTS = 8;
/** Charts of fewer games show nothing. */
const FIRST_CHARTS = 5;
const TREND_GAMES = 100;
const OPPONENT_FILTERS = ["all", "alone", "others"] as const;
type OpponentFilter = (typeof OPPONENT_FILTERS)[number];

/** Statistics of the finished games of one kind. */
export function StatisticsPanel({
  games,
  skills,
  waiting,
  offered,
  onFailure,
}: {
  games: readonly FinishedGame[];
  skills: readonly SkillRating[];
  waiting: number;
  offered: readonly GameInfo[];
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const played = offered.filter((game) => games.some((finished) => finished.game === game.key));
  const [chosenKey, setChosenKey] = useState("");
  const [filter, setFilter] = useState<OpponentFilter>("all");
  const chosen = played.find((game) => game.key === chosenKey)?.key ?? played[0]?.key ?? "";
  const { language } = useObservable(locale);
  const [layout, setLayout] = useState<Layout | null>(null);
  useEffect(() => {
    if (chosen !== "") {
      fetchLayout(chosen, language).then(setLayout, () => setLayout(null));
    }
  }, [chosen, language]);
  useColours(layout);
  const found = games.filter(
    (game) =>
      game.game === chosen &&
      (filter === "all" || (filter === "alone") === (game.scores.length === 1)),
  );
  const partName = (part: string): string => capitalise(layout?.words[part] ?? part);
  const days = streaks(games, Date.now() / 1000);
  return (
    <Section icon="trophy" title={translate("page.me.figures")}>
      {played.length === 0 ? (
        <p>{translate("page.me.nothing")}</p>
      ) : (
        <>
          <div class="row me-filters">
            <Select
              label={translate("page.me.game")}
              value={chosen}
              options={played.map((game) => [game.key, game.name])}
              onChange={setChosenKey}
            />
            <Select
              label={translate("page.me.company")}
              value={filter}
              options={OPPONENT_FILTERS.map((name) => [name, translate(`page.me.company.${name}`)])}
              onChange={(value) =>
                setFilter(OPPONENT_FILTERS.find((name) => name === value) ?? "all")
              }
            />
          </div>
          {found.length > 0 && <ScoreTiles games={found} />}
          {found.length > 0 && <ReviewTiles games={found} />}
          <SkillPanel
            skills={skills.filter(
              ({ game, several }) =>
                game === chosen && (filter === "all" || (filter === "others") === several),
            )}
            games={games}
            waiting={waiting}
          />
          {found.length >= FIRST_CHARTS && <Charts games={found} partName={partName} />}
          {found.length > 0 && found.length < FIRST_CHARTS && (
            <p class="hint-line">
              {translate("page.me.charts", { count: FIRST_CHARTS - found.length })}
            </p>
          )}
          {found.length > 0 && (
            <RecordTable games={found} partName={partName} onFailure={onFailure} />
          )}
          <OpponentTable games={games} />
          <p class="hint-line">
            {translate("page.me.streak", { count: days.current, longest: days.longest })}
          </p>
        </>
      )}
    </Section>
  );
}

function ScoreTiles({ games }: { games: readonly FinishedGame[] }): JSX.Element {
  const { games: count, mean, best, spread, contests, wins, meanPlace } = summary(games);
  const lines: [string, string][] = [
    ["games", `${count}`],
    ["mean", formatPoints(mean)],
    ["best", `${best}`],
    ...(count > 1 ? ([["spread", formatPoints(spread)]] as [string, string][]) : []),
    ...(contests > 0
      ? ([
          ["won", `${wins} / ${contests}`],
          ["place", formatPoints(meanPlace)],
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

/** Dice luck and losses of the reviewed games. */
function ReviewTiles({ games }: { games: readonly FinishedGame[] }): JSX.Element {
  const found = reviewMeans(games);
  if (found === null) {
    return <p class="hint-line">{translate("page.me.not_reviewed")}</p>;
  }
  return (
    <>
      <Tiles
        lines={[
          ["luck", formatPoints(found.luck, true)],
          ["loss", formatPoints(found.loss)],
          ["adjusted", formatPoints(found.adjusted)],
          ["best_moves", formatPercent(found.best)],
        ]}
      />
      <p class="hint-line">
        {translate("page.me.reviewed", { count: found.games, all: games.length })}
      </p>
    </>
  );
}

/** The best games, each with a link to its review. */
function RecordTable({
  games,
  partName,
  onFailure,
}: {
  games: readonly FinishedGame[];
  partName: (part: string) => string;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const dateOf = dateFormat({ dateStyle: "medium" });
  return (
    <table class="me-rivals">
      <caption>{translate("page.me.records")}</caption>
      <tbody>
        {records(games).map(({ kind, part, value, game }) => (
          <tr key={`${kind} ${part}`}>
            <th scope="row">
              {kind === "part" ? partName(part) : translate(`page.me.record.${kind}`)}
            </th>
            <td>
              {kind === "luck" || kind === "loss" ? formatPoints(value, kind === "luck") : value}
            </td>
            <td>
              <button
                type="button"
                class="button small"
                onClick={() => openReplay(game.id, onFailure)}
              >
                {dateOf.format(game.at * 1000)}
                <span class="sr"> {translate("page.me.replay")}</span>
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Charts({
  games,
  partName,
}: {
  games: readonly FinishedGame[];
  partName: (part: string) => string;
}): JSX.Element {
  const scores = games.map(ownScore);
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
      <Parts parts={partMeans(games)} partName={partName} />
      {losses.length > 1 && (
        <Trend title={translate("page.me.loss_trend")} scores={losses} means={trend(losses)} />
      )}
    </div>
  );
}

/** Wins and losses against each opponent. */
function OpponentTable({ games }: { games: readonly FinishedGame[] }): JSX.Element | null {
  const found = opponents(games).slice(0, SHOWN_OPPONENTS);
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
        {found.map((opponent) => (
          <tr key={opponent.name}>
            <th scope="row">{playerLabel(opponent.name)}</th>
            <td>{opponent.games}</td>
            <td>{opponent.won}</td>
            <td>{opponent.lost}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
