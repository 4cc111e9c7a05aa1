import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api";
import { formatLoss } from "../format";
import type { Board, DailyEntry, DailyGroup } from "../protocol";
import { capitalise, translate } from "../translate";
import { Select } from "../ui/forms";
import { Section } from "../ui/section";
import { fetchLeaderboard } from "./api";
import { formatDay } from "./day";
import { ReportButton, type Reported } from "./report";

interface LeaderboardProps {
  game: string;
  title: string;
  day: string;
  closedDay: string;
  groups: readonly DailyGroup[];
  onFailure: (error: ApiError) => void;
}

/** Milliseconds until the reviews that were not ready are asked for again. */
const LOOK_AGAIN = 10_000;

/** The leaderboard of all players or of a group, of today or of the last closed day. */
export function Leaderboard({
  game,
  title,
  day,
  closedDay,
  groups,
  onFailure,
}: LeaderboardProps): JSX.Element {
  const [group, setGroup] = useState("");
  const [shownDay, setShownDay] = useState(day);
  const [leaderboard, setLeaderboard] = useState<Board | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    let timer = 0;
    let unmounted = false;
    const load = (): void =>
      void fetchLeaderboard(game, shownDay, group).then((found) => {
        if (!unmounted) {
          setLeaderboard(found);
          timer = found.reviewing > 0 ? window.setTimeout(load, LOOK_AGAIN) : 0;
        }
      }, onFailure);
    load();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [game, shownDay, group]);
  return (
    <Section icon="trophy" title={`${translate("page.daily.list")}: ${title}`}>
      <div class="row">
        <Select
          label={translate("page.daily.day")}
          value={shownDay}
          options={[
            [day, translate("page.daily.today")],
            [closedDay, formatDay(closedDay)],
          ]}
          onChange={setShownDay}
        />
        {groups.length > 0 && (
          <Select
            label={translate("page.daily.group")}
            value={group}
            options={[
              ["", translate("page.daily.everybody")],
              ...groups.map(({ code, name }): [string, string] => [code, name || code]),
            ]}
            onChange={setGroup}
          />
        )}
      </div>
      {leaderboard && leaderboard.entries.length === 0 && (
        <p>{translate(shownDay === day ? "page.daily.state.first" : "page.daily.nobody")}</p>
      )}
      {leaderboard && leaderboard.entries.length > 0 && (
        <table class="daily-board">
          <thead>
            <tr>
              <th scope="col">{capitalise(translate("common.place"))}</th>
              <th scope="col">{translate("page.daily.who")}</th>
              <th scope="col">{translate("page.skill.lost")}</th>
              <th scope="col">{capitalise(translate("page.points"))}</th>
            </tr>
          </thead>
          <tbody>
            {leaderboard.entries.map((entry) => (
              <Row
                key={`${entry.name} ${entry.tag} ${String(entry.you)}`}
                entry={entry}
                list={group === "" ? { day: leaderboard.day, game } : { group }}
              />
            ))}
          </tbody>
        </table>
      )}
      {leaderboard && leaderboard.you.begun > 0 && (
        <p class="hint-line">
          {translate("page.daily.count", {
            count: leaderboard.you.finished,
            begun: leaderboard.you.begun,
          })}
        </p>
      )}
    </Section>
  );
}

function Row({ entry, list }: { entry: DailyEntry; list: Partial<Reported> }): JSX.Element {
  return (
    <tr class={entry.you ? "you" : ""} aria-current={entry.you ? "true" : undefined}>
      <td>{entry.place === null ? "–" : `${entry.place}.`}</td>
      <td>
        {entry.name || translate(entry.you ? "page.seat.me" : "page.daily.somebody")}{" "}
        {entry.tag !== "" && <span class="tag">#{entry.tag}</span>}{" "}
        {entry.again && (
          <small title={translate("page.daily.again.why")}>{translate("page.daily.again")}</small>
        )}
        {!entry.you && <ReportButton about={{ ...list, shown: entry.name, tag: entry.tag }} />}
      </td>
      <td>{entry.loss === null ? "–" : formatLoss(entry.loss)}</td>
      <td>{entry.score ?? translate(`daily.${entry.state}`)}</td>
    </tr>
  );
}
