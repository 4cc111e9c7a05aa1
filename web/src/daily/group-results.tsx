import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { dateFormat, gameName } from "../format";
import { playerLabel } from "../me/game-list";
import { momentPath } from "../paths";
import type { GameInfo, GroupGame, GroupMember, GroupPair, Together } from "../protocol";
import { translate } from "../translate";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";
import { fetchGroupResults } from "./api";
import { ReportButton } from "./report";
import { GroupWeek } from "./week";

/** The results of the members of a group against each other. */
export function GroupResults({
  code,
  offered,
}: {
  code: string;
  offered: readonly GameInfo[];
}): JSX.Element | null {
  const [results, setResults] = useState<Together | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    fetchGroupResults(code).then(setResults, setFailure);
  }, [code]);
  if (results === null) {
    return <Failure text={failure?.message} />;
  }
  const { members, pairs, games } = results;
  const names = members.map(memberName);
  return (
    <div class="group-results">
      <Members members={members} group={code} />
      <GroupWeek code={code} offered={offered} />
      {pairs.length > 0 ? (
        <Pairs pairs={pairs} names={names} />
      ) : (
        <p class="hint-line">{translate("page.group.no_games")}</p>
      )}
      {games.length > 0 && (
        <ul class="tables" aria-label={translate("page.group.last")}>
          {games.map((game) => (
            <GameRow
              key={game.table}
              game={game}
              names={names}
              title={gameName(offered, game.game)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const memberName = ({ name, tag }: GroupMember): string =>
  `${name || translate("page.daily.somebody")} #${tag}`;

function Members({
  members,
  group,
}: {
  members: readonly GroupMember[];
  group: string;
}): JSX.Element {
  const columns = ["games", "won", "days", "best"] as const;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <table class="daily-board" tabIndex={0}>
      <caption class="sr">
        {translate("page.daily.groups.members", { count: members.length })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{translate("page.daily.who")}</th>
          {columns.map((name) => (
            <th key={name} scope="col" title={translate(`page.group.${name}.why`)}>
              {translate(`page.group.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr
            key={memberName(member)}
            class={member.you ? "you" : ""}
            aria-current={member.you ? "true" : undefined}
          >
            <th scope="row">
              {memberName(member)}
              {!member.you && (
                <ReportButton about={{ group, shown: member.name, tag: member.tag }} />
              )}
            </th>
            {columns.map((name) => (
              <td key={name}>{member[name]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pairs({
  pairs,
  names,
}: {
  pairs: readonly GroupPair[];
  names: readonly string[];
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <table class="daily-board" tabIndex={0}>
      <caption>{translate("page.group.pairs")}</caption>
      <thead>
        <tr>
          <th scope="col">{translate("page.daily.who")}</th>
          <th scope="col">{translate("page.me.games")}</th>
          <th scope="col">{translate("page.group.ahead")}</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair) => (
          <tr key={`${pair.one} ${pair.other}`}>
            <th scope="row">
              {names[pair.one]} – {names[pair.other]}
            </th>
            <td>{pair.games}</td>
            <td>
              {pair.ahead} : {pair.behind}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function GameRow({
  game,
  names,
  title,
}: {
  game: GroupGame;
  names: readonly string[];
  title: string;
}): JSX.Element {
  const when = dateFormat({ dateStyle: "medium" });
  const seats = [...game.seats]
    .sort((a, b) => a.place - b.place)
    .map(
      (seat) =>
        `${seat.place}. ${seat.member === null ? playerLabel(seat.name) : names[seat.member]} ${seat.score}`,
    );
  return (
    <li class="me-game">
      <span class="me-what">
        <strong>{title}</strong>
        <span>{seats.join(" · ")}</span>
        <small>{when.format(game.at * 1000)}</small>
      </span>
      <Link class="button small" href={momentPath(game.table, 0)}>
        <Icon name="chart" /> {translate("page.me.replay")}
      </Link>
    </li>
  );
}
