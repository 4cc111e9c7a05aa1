import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { momentPath, tablePath } from "../paths";
import type { DailyReplay, DailyRoll, Solution } from "../protocol";
import { translate } from "../translate";
import { Link } from "../ui/link";
import { Section } from "../ui/section";
import { fetchSolution } from "./api";
import { formatDay, standingText } from "./day";
import { ReportButton, type Reported } from "./report";

const RETRY_AFTER = 5_000;

/** The last closed day: the best game, the game of the computer player, the dice and their key. */
export function ClosedDay({
  game,
  day,
  onFailure,
}: {
  game: string;
  day: string;
  onFailure: (error: ApiError) => void;
}): JSX.Element | null {
  const [solution, setSolution] = useState<Solution | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    fetchSolution(game, day).then(setSolution, onFailure);
  }, []);
  const awaitsComputer = solution !== null && solution.strong === null && solution.you.begun > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const timer = awaitsComputer
      ? setTimeout(() => void fetchSolution(game, day).then(setSolution, onFailure), RETRY_AFTER)
      : 0;
    return () => clearTimeout(timer);
  }, [solution]);
  if (!solution) {
    return null;
  }
  const { best, strong } = solution;
  const rolls = (best ?? strong)?.rolls ?? [];
  return (
    <Section icon="chart" title={translate("page.daily.solution", { day: formatDay(day) })}>
      {solution.you.state !== "none" && <p>{standingText(solution.you)}</p>}
      <ul class="tables">
        {best && <Replay title={translate("page.daily.best")} replay={best} list={{ day, game }} />}
        {strong && <Replay title={translate("page.daily.strong")} replay={strong} />}
      </ul>
      {!best && <p>{translate("page.daily.nobody")}</p>}
      {awaitsComputer && (
        <p class="hint-line" role="status">
          {translate("page.daily.playing")}
        </p>
      )}
      {rolls.length > 0 && <Rolls rolls={rolls} />}
      <details>
        <summary>{translate("page.daily.key")}</summary>
        <p>{translate("page.daily.key.how")}</p>
        <p>
          <code>{solution.key}</code>
        </p>
        <p class="hint-line">
          SHA-256: <code>{solution.promise}</code>
        </p>
      </details>
    </Section>
  );
}

function Replay({
  title,
  replay,
  list,
}: {
  title: string;
  replay: DailyReplay;
  list?: Partial<Reported>;
}): JSX.Element {
  const name = replay.name || translate("page.daily.somebody");
  return (
    <li class="me-game">
      <span class="me-what">
        <strong>
          {title}: {replay.score}
        </strong>
        <small>
          {name}
          {replay.tag !== "" && ` #${replay.tag}`}
          {list && <ReportButton about={{ ...list, shown: replay.name, tag: replay.tag }} />}
        </small>
        {replay.foreseen && <small class="notice">{translate("page.daily.foreseen")}</small>}
      </span>
      <Link class="button small" href={tablePath(replay.table)}>
        <Icon name="eye" /> {translate("page.me.look")}
      </Link>
      <Link class="button small" href={momentPath(replay.table, 0)}>
        <Icon name="chart" /> {translate("page.review")}
      </Link>
    </li>
  );
}

function Rolls({ rolls }: { rolls: readonly DailyRoll[] }): JSX.Element {
  const rounds = [...new Set(rolls.map((roll) => roll.round))];
  return (
    <details>
      <summary>{translate("page.daily.dice")}</summary>
      <p class="hint-line">{translate("page.daily.dice.how")}</p>
      {rounds.map((round) => (
        <div key={round}>
          <h3>{translate("page.daily.round", { round })}</h3>
          <ol class="daily-rolls">
            {rolls
              .filter((roll) => roll.round === round)
              .map((roll, at) => (
                <li key={at}>{roll.words}</li>
              ))}
          </ol>
        </div>
      ))}
    </details>
  );
}
