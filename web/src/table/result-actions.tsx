import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../art/icons";
import { DAILY_PATH } from "../paths";
import type { StateMessage } from "../protocol";
import { replayPath } from "../review/last-moment";
import { translate } from "../translate";
import { Link } from "../ui/link";
import "../styles/result-actions.css";

/** What to do with a finished game: review it, play again, and the rest. */
export function ResultActions({
  state,
  onRematch,
  children,
}: {
  state: StateMessage;
  onRematch: (() => void) | null;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="result-actions">
      {state.daily === null ? (
        onRematch && (
          <button type="button" class="button primary rematch" onClick={onRematch}>
            <span class="either-label">
              <span class={state.rematch ? "later" : ""}>
                <Icon name="again" /> {translate("page.rematch")}
              </span>
              <span class={state.rematch ? "" : "later"}>
                <Icon name="again" /> {translate("page.rematch.go")}
              </span>
            </span>
          </button>
        )
      ) : (
        <Link class="button primary" href={DAILY_PATH}>
          <Icon name="sun" /> {translate("page.daily")}
        </Link>
      )}
      <Link class="button" href={replayPath(state.table)}>
        <Icon name="chart" /> {translate("page.review")}
      </Link>
      {children}
    </div>
  );
}
