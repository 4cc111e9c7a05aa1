import type { JSX } from "preact";
import { Icon } from "../art/icons";
import type { StateMessage } from "../protocol";
import { translate } from "../translate";
import type { TableModel } from "./model";
import { useRematch } from "./rematch";
import { ResultActions } from "./result-actions";

/** The actions of a finished table, instead of moves. */
export function Finished({
  model,
  state,
  onResult,
}: {
  model: TableModel;
  state: StateMessage;
  onResult: () => void;
}): JSX.Element {
  const rematch = useRematch(model, state);
  return (
    <ResultActions state={state} onRematch={state.you.length > 0 || state.rematch ? rematch : null}>
      <button
        type="button"
        class="button"
        aria-label={translate("page.result")}
        title={translate("page.result")}
        onClick={onResult}
      >
        <Icon name="trophy" />
      </button>
    </ResultActions>
  );
}
