import type { JSX } from "preact";
import type { Rating } from "../protocol";
import { translate } from "../translate";

export function ratingName(rating: Rating): string {
  return translate(`rating.grade.${rating.grade}`);
}

/** All ratings of a solo game, the best first. */
export function Ratings({
  ratings,
  reached,
}: {
  ratings: Rating[];
  reached?: number;
}): JSX.Element {
  return (
    <table class="rating-table">
      <tbody>
        {ratings.map((rating, at) => (
          <tr
            key={rating.grade}
            class={at === reached ? "reached" : ""}
            aria-current={at === reached ? "true" : undefined}
          >
            <th scope="row">
              {rating.lowest === null
                ? translate("rating.below", { points: ratings[at - 1]?.lowest ?? 0 })
                : translate("rating.from", { points: rating.lowest })}
            </th>
            <td>{ratingName(rating)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
