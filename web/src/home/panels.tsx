import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { memory } from "../memory";
import { useObservable } from "../observable";
import { LOOK, momentPath } from "../paths";
import { unsolvedMistakes } from "../review/mistakes";
import { go } from "../route";
import { translate } from "../translate";

/** What one can learn from: games that were written down, and one's own mistakes. */
export function LearnPanel(): JSX.Element {
  const unsolved = unsolvedMistakes(useObservable(memory).mistakes);
  const [latest] = unsolved;
  return (
    <section class="panel">
      <h2>
        <Icon name="chart" /> {translate("page.learn")}
      </h2>
      <div class="row">
        <button type="button" class="button" onClick={() => go(LOOK)}>
          <Icon name="eye" /> {translate("page.look")}
        </button>
        {latest && (
          <button
            type="button"
            class="button"
            onClick={() => go(momentPath(latest.code, "mistakes"))}
          >
            <Icon name="again" />{" "}
            {translate("page.learn.mistakes", {
              count: unsolved.reduce((sum, { count }) => sum + count, 0),
            })}
          </button>
        )}
      </div>
    </section>
  );
}
