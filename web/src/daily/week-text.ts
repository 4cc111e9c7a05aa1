/** A week of a group as text. Pure. */
import { dateFormat, formatLoss } from "../format";
import type { Week, WeekMember } from "../protocol";
import { translate } from "../translate";

export const MEASURES = ["points", "skill"] as const;
export type Measure = (typeof MEASURES)[number];

export const memberName = ({ name, tag }: WeekMember): string =>
  `${name || translate("page.daily.somebody")} #${tag}`;

/** Members with a result, the best first. */
export const ranked = (members: readonly WeekMember[], by: Measure): WeekMember[] =>
  by === "points"
    ? [...members]
    : [...members].sort((a, b) => (a.skill_place ?? Infinity) - (b.skill_place ?? Infinity));

export const placeOf = ({ skill_place: place }: WeekMember): string =>
  place === null ? "–" : `${place}.`;

/** Return the week as text: both orders without days. */
export function weekText(week: Week, title: string, address: string): string {
  const date = dateFormat({ day: "numeric", month: "short", timeZone: "UTC" });
  const [first = "", last = ""] = [week.days[0], week.days.at(-1)];
  const list = (by: Measure): string =>
    ranked(week.members, by)
      .flatMap((member) => {
        if (by === "points") {
          return `${member.place}. ${memberName(member)} ${member.points}`;
        }
        return member.skill
          ? `${placeOf(member)} ${memberName(member)} ${formatLoss(member.skill.loss)}`
          : [];
      })
      .join(", ");
  return [
    `${title} · ${date.formatRange(Date.parse(first), Date.parse(last))}`,
    ...MEASURES.flatMap((by) =>
      list(by) === "" ? [] : translate(`page.week.shared.${by}`, { list: list(by) }),
    ),
    address,
  ].join("\n");
}
