import type { JSX } from "preact";
import type { Rating } from "../protocol";
import { translate } from "../translate";

export function grade(rating: Rating): string {
  return translate(`rating.grade.${rating.grade}`);
}

/** All levels of a game alone, the best first. */
export function Ratings({ levels, reached }: { levels: Rating[]; reached?: number }): JSX.Element {
  return (
    <table class="level-table">
      <tbody>
        {levels.map((level, at) => (
          <tr
            key={level.grade}
            class={at === reached ? "reached" : ""}
            aria-current={at === reached ? "true" : undefined}
          >
            <th scope="row">
              {level.lowest === null
                ? translate("rating.below", { points: levels[at - 1]?.lowest ?? 0 })
                : translate("rating.from", { points: level.lowest })}
            </th>
            <td>{grade(level)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
