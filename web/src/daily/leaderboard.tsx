import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api";
import type { Board, DailyEntry, DailyGroup } from "../protocol";
import { capitalise, translate } from "../translate";
import { Section } from "../ui/section";
import { board } from "./api";
import { dayWords } from "./day";

interface BoardProps {
  game: string;
  day: string;
  closed: string;
  groups: readonly DailyGroup[];
  onFailure: (error: ApiError) => void;
}

/** The list of a day: of everybody or of a group, today's or that of the last day that is closed. */
export function DailyBoard({ game, day, closed, groups, onFailure }: BoardProps): JSX.Element {
  const [group, setGroup] = useState("");
  const [wanted, setWanted] = useState(day);
  const [shown, setShown] = useState<Board | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    board(game, wanted, group).then(setShown, onFailure);
  }, [game, wanted, group]);
  return (
    <Section icon="trophy" title={translate("page.daily.list")}>
      <div class="row">
        <select
          aria-label={translate("page.daily.day")}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        >
          <option value={day}>{translate("page.daily.today")}</option>
          <option value={closed}>{dayWords(closed)}</option>
        </select>
        {groups.length > 0 && (
          <select
            aria-label={translate("page.daily.group")}
            value={group}
            onChange={(event) => setGroup(event.currentTarget.value)}
          >
            <option value="">{translate("page.daily.everybody")}</option>
            {groups.map(({ code, name }) => (
              <option key={code} value={code}>
                {name || code}
              </option>
            ))}
          </select>
        )}
      </div>
      {shown && shown.entries.length === 0 && <p>{translate("page.daily.nobody")}</p>}
      {shown && shown.entries.length > 0 && (
        <table class="daily-board">
          <thead>
            <tr>
              <th scope="col">{capitalise(translate("common.place"))}</th>
              <th scope="col">{translate("page.daily.who")}</th>
              <th scope="col">{capitalise(translate("page.points"))}</th>
            </tr>
          </thead>
          <tbody>
            {shown.entries.map((entry) => (
              <Row key={`${entry.name} ${entry.tag} ${String(entry.you)}`} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
      {shown && (
        <p class="hint-line">
          {translate("page.daily.count", { count: shown.you.finished, begun: shown.you.begun })}
        </p>
      )}
    </Section>
  );
}

function Row({ entry }: { entry: DailyEntry }): JSX.Element {
  return (
    <tr class={entry.you ? "you" : ""} aria-current={entry.you ? "true" : undefined}>
      <td>{entry.place === null ? "–" : `${entry.place}.`}</td>
      <td>
        {entry.name || translate("page.daily.somebody")}{" "}
        {entry.tag !== "" && <span class="tag">#{entry.tag}</span>}{" "}
        {entry.again && (
          <small title={translate("page.daily.again.why")}>{translate("page.daily.again")}</small>
        )}
      </td>
      <td>{entry.score ?? translate(`daily.${entry.state}`)}</td>
    </tr>
  );
}
