import type { JSX } from "preact";
import type { Level } from "../protocol";
import { say } from "../words";

export function grade(level: Level): string {
  return say(`rating.grade.${level.grade}`);
}

/** All levels of a game alone, the best first. */
export function Levels({ levels, reached }: { levels: Level[]; reached?: number }): JSX.Element {
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
                ? say("rating.below", { points: levels[at - 1]?.lowest ?? 0 })
                : say("rating.from", { points: level.lowest })}
            </th>
            <td>{grade(level)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
