import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { dates } from "../dates";
import { called } from "../me/game-list";
import { momentPath } from "../paths";
import type { GameInfo, GroupGame, GroupMember, GroupPair, Together } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";
import { together } from "./api";

/** Who plays whom in a group, and with which results. */
export function GroupResults({
  code,
  offered,
}: {
  code: string;
  offered: readonly GameInfo[];
}): JSX.Element | null {
  const [told, setTold] = useState<Together | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    together(code).then(setTold, (error: ApiError) => setFailure(error.message));
  }, [code]);
  if (told === null) {
    return failure === null ? null : (
      <p class="notice" role="alert">
        {failure}
      </p>
    );
  }
  const { members, pairs, games } = told;
  const names = members.map(nameOf);
  return (
    <div class="group-results">
      <Members members={members} />
      {pairs.length > 0 ? (
        <Pairs pairs={pairs} names={names} />
      ) : (
        <p class="hint-line">{translate("page.group.no_games")}</p>
      )}
      {games.length > 0 && (
        <ul class="tables" aria-label={translate("page.group.last")}>
          {games.map((game) => (
            <Game
              key={game.table}
              game={game}
              names={names}
              title={offered.find((one) => one.key === game.game)?.name ?? game.game}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const nameOf = ({ name, tag }: GroupMember): string =>
  `${name || translate("page.daily.somebody")} #${tag}`;

function Members({ members }: { members: readonly GroupMember[] }): JSX.Element {
  const columns = ["games", "won", "days", "best"] as const;
  return (
    <table class="daily-board">
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
            key={nameOf(member)}
            class={member.you ? "you" : ""}
            aria-current={member.you ? "true" : undefined}
          >
            <th scope="row">{nameOf(member)}</th>
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
    <table class="daily-board">
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

function Game({
  game,
  names,
  title,
}: {
  game: GroupGame;
  names: readonly string[];
  title: string;
}): JSX.Element {
  const when = dates({ dateStyle: "medium" });
  const seats = [...game.seats]
    .sort((a, b) => a.place - b.place)
    .map(
      (seat) =>
        `${seat.place}. ${seat.member === null ? called(seat.name) : names[seat.member]} ${seat.score}`,
    );
  return (
    <li class="me-game">
      <span class="me-what">
        <strong>{title}</strong>
        <span>{seats.join(" · ")}</span>
        <small>{when.format(game.at * 1000)}</small>
      </span>
      <button type="button" class="button small" onClick={() => go(momentPath(game.table, 0))}>
        <Icon name="chart" /> {translate("page.me.replay")}
      </button>
    </li>
  );
}
