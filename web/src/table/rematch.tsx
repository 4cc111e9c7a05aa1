/** The rematch of a finished game. */
import type { JSX } from "preact";
import { memory, saveSeats, tokensOf } from "../memory";
import { useObservable } from "../observable";
import { tablePath } from "../paths";
import type { StateMessage } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";

export function followRematch(state: StateMessage): void {
  if (state.rematch) {
    saveSeats(state.rematch, tokensOf(state.table));
    go(tablePath(state.rematch));
  }
}

/** A banner for players who have not joined the rematch yet. */
export function RematchInvitation({ state }: { state: StateMessage }): JSX.Element | null {
  const remembered = useObservable(memory).seats;
  if (!state.rematch || Object.hasOwn(remembered, state.rematch)) {
    return null;
  }
  return (
    <p class="notice banner" role="alert">
      {translate("page.rematch.ready")}{" "}
      <button type="button" class="button small primary" onClick={() => followRematch(state)}>
        {translate("page.rematch.go")}
      </button>
    </p>
  );
}
