/** The rematch of a finished game. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { memory, saveSeats, tokensOf } from "../memory";
import { useObservable } from "../observable";
import { tablePath } from "../paths";
import type { StateMessage } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";
import type { TableModel } from "./model";

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

/** Return what goes to the rematch, and requests it first if there is none; others are invited. */
export function useRematch({ connection }: TableModel, state: StateMessage): () => void {
  const [isRequested, setRequested] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (isRequested && state.rematch) {
      followRematch(state);
    }
  }, [isRequested, state.rematch]);
  return () => {
    if (state.rematch) {
      followRematch(state);
    } else {
      setRequested(true);
      connection.send({ type: "rematch" });
    }
  };
}
