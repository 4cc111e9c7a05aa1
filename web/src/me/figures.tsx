import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchLayout } from "../api";
import { useObservable } from "../observable";
import type { FinishedGame, GameInfo, Layout } from "../protocol";
import { say, spoken, titled } from "../words";
import { Histogram, Parts, Trend } from "./charts";
import { Section } from "./section";
import { distribution, partMeans, points, rivals, streaks, summary, trend } from "./statistics";

const SHOWN_RIVALS = 8;
const TREND_GAMES = 100;
const COMPANIES = ["all", "alone", "others"] as const;
type Company = (typeof COMPANIES)[number];

/** What the games of one kind come to, in numbers and pictures. */
export function Figures({ games, shelf }: { games: readonly FinishedGame[]; shelf: readonly GameInfo[] }): JSX.Element {
  const played = shelf.filter((game) => games.some((one) => one.game === game.key));
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
  const found = games.filter((game) => game.game === chosen && (company === "all" || (company === "alone") === (game.scores.length === 1)));
  const days = streaks(games, Date.now() / 1000);
  return (
    <Section icon="trophy" title={say("page.me.figures")}>
      {played.length === 0 ? <p>{say("page.me.nothing")}</p> : (
        <>
          <div class="row me-filters">
            <select aria-label={say("page.me.game")} value={chosen} onChange={(event) => setWish(event.currentTarget.value)}>
              {played.map((game) => <option key={game.key} value={game.key}>{game.name}</option>)}
            </select>
            <select aria-label={say("page.me.company")} value={company} onChange={(event) => setCompany(COMPANIES.find((one) => one === event.currentTarget.value) ?? "all")}>
              {COMPANIES.map((one) => <option key={one} value={one}>{say(`page.me.company.${one}`)}</option>)}
            </select>
          </div>
          {found.length > 0 && <Numbers games={found} />}
          {found.length > 0 && <Pictures games={found} called={(part) => titled(layout?.words[part] ?? part)} />}
          <Rivals games={games} />
          <p class="hint-line">{say("page.me.streak", { count: days.current, longest: days.longest })}</p>
        </>
      )}
    </Section>
  );
}

function Numbers({ games }: { games: readonly FinishedGame[] }): JSX.Element {
  const { games: count, mean, best, spread, contests, wins, meanPlace } = summary(games);
  const lines: [string, string][] = [
    ["games", `${count}`],
    ["mean", mean.toFixed(1)],
    ["best", `${best}`],
    ["spread", spread.toFixed(1)],
    ...(contests > 0 ? ([["won", `${wins} / ${contests}`], ["place", meanPlace.toFixed(2)]] as [string, string][]) : []),
  ];
  return <dl class="me-numbers">{lines.map(([name, value]) => <div key={name}><dt>{say(`page.me.${name}`)}</dt><dd>{value}</dd></div>)}</dl>;
}

function Pictures({ games, called }: { games: readonly FinishedGame[]; called: (part: string) => string }): JSX.Element {
  const scores = games.map(points);
  const oldestFirst = scores.slice(0, TREND_GAMES).reverse();
  return (
    <div class="charts">
      <Histogram bins={distribution(scores)} />
      <Trend scores={oldestFirst} means={trend(oldestFirst)} />
      <Parts parts={partMeans(games)} called={called} />
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
      <caption>{say("page.me.rivals")}</caption>
      <thead><tr><td />{(["games", "won", "lost"] as const).map((name) => <th key={name} scope="col">{say(`page.me.${name}`)}</th>)}</tr></thead>
      <tbody>{found.map((rival) => <tr key={rival.name}><th scope="row">{rival.name}</th><td>{rival.games}</td><td>{rival.won}</td><td>{rival.lost}</td></tr>)}</tbody>
    </table>
  );
}
