import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { dateFormat, formatLoss, gameName } from "../format";
import { placeText } from "../me/skill-text";
import { DAILY_PATH } from "../paths";
import type { GameInfo, Week, WeekMember } from "../protocol";
import { shareText } from "../sharing";
import { capitalise, translate } from "../translate";
import { Select } from "../ui/forms";
import { Failure } from "../ui/notices";
import { fetchWeek } from "./api";
import { dayOf } from "./streak";
import { MEASURES, type Measure, memberName, placeOf, ranked, weekText } from "./week-text";

const LOOK_AGAIN = 10_000;
const WEEK = 7 * 86_400_000;
/** The seven daily challenges of a week of a group, by points or by skill. */
export function GroupWeek({
  code,
  offered,
}: {
  code: string;
  offered: readonly GameInfo[];
}): JSX.Element {
  const games = offered.filter(({ players }) => players.includes(1));
  const [chosen, setChosen] = useState("");
  const game = chosen || (games[0]?.key ?? "");
  const [day, setDay] = useState("");
  const [by, setBy] = useState<Measure>("points");
  const [week, setWeek] = useState<Week | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let timer = 0;
    let unmounted = false;
    const load = (): void =>
      void fetchWeek(code, game, day).then((found) => {
        if (!unmounted) {
          setWeek(found);
          timer = found.reviewing > 0 ? window.setTimeout(load, LOOK_AGAIN) : 0;
        }
      }, setFailure);
    if (game !== "") {
      load();
    }
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [code, game, day]);
  return (
    <section class="week" aria-label={translate("page.week")}>
      <div class="row">
        <Select
          label={translate("page.me.game")}
          value={game}
          options={games.map(({ key, name }): [string, string] => [key, name])}
          onChange={setChosen}
        />
        <Select
          label={translate("page.week")}
          value={day}
          options={[
            ["", translate("page.week.this")],
            [dayOf(Date.now() - WEEK), translate("page.week.last")],
          ]}
          onChange={setDay}
        />
        <Select
          label={translate("page.week.by")}
          value={by}
          options={MEASURES.map((name): [string, string] => [
            name,
            translate(`page.week.by.${name}`),
          ])}
          onChange={(value) => setBy(MEASURES.find((name) => name === value) ?? "points")}
        />
      </div>
      <Failure text={failure?.message} />
      {week && <WeekTable week={week} by={by} />}
      <p class="hint-line">{translate("page.week.why")}</p>
      {week && week.reviewing > 0 && (
        <p class="hint-line" role="status">
          {translate("page.skill.waiting", { count: week.reviewing })}
        </p>
      )}
      {week && <ShareWeek week={week} title={gameName(offered, week.game)} />}
    </section>
  );
}

const isFuture = (day = ""): boolean => day > dayOf(Date.now());

function WeekTable({ week, by }: { week: Week; by: Measure }): JSX.Element {
  const weekday = dateFormat({ weekday: "short", timeZone: "UTC" });
  const daily = ({ scores, losses }: WeekMember): readonly string[] =>
    by === "points"
      ? scores.map((score, at) => (isFuture(week.days[at]) ? "" : `${score ?? 0}`))
      : losses.map((loss) => (loss === null ? "–" : formatLoss(loss)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <div class="week-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{capitalise(translate("common.place"))}</th>
            <th scope="col">{translate("page.daily.who")}</th>
            <th scope="col">
              {by === "points"
                ? capitalise(translate("common.total"))
                : translate("page.skill.lost")}
            </th>
            {week.days.map((day) => (
              <th key={day} scope="col">
                {weekday.format(Date.parse(day))}
              </th>
            ))}
            {by === "skill" && <th scope="col">{translate("page.skill.rating")}</th>}
          </tr>
        </thead>
        <tbody>
          {ranked(week.members, by).map((member) => (
            <tr
              key={memberName(member)}
              class={member.you ? "you" : ""}
              aria-current={member.you ? "true" : undefined}
            >
              <td>{by === "points" ? `${member.place}.` : placeOf(member)}</td>
              <th scope="row">{memberName(member)}</th>
              <td class="sum">
                {by === "points"
                  ? member.points
                  : member.skill
                    ? formatLoss(member.skill.loss)
                    : "–"}
              </td>
              {daily(member).map((text, at) => (
                <td key={week.days[at]}>{text}</td>
              ))}
              {by === "skill" && (
                <td>
                  {member.rating
                    ? `${formatLoss(member.rating.loss)} · ${placeText(member.rating)}`
                    : "–"}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ShareWeek({ week, title }: { week: Week; title: string }): JSX.Element {
  const [shared, setShared] = useState(false);
  const address = new URL(DAILY_PATH, location.href).href;
  return (
    <button
      type="button"
      class="button small"
      onClick={() => void shareText(weekText(week, title, address)).then(setShared)}
    >
      <Icon name={shared ? "check" : "link"} /> {translate("page.week.share")}
    </button>
  );
}
