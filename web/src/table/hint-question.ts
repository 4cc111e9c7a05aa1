import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Asked, useAnswer } from "../answers";
import type { HintMessage } from "../protocol";
import type { TableModel } from "./model";

/** Ask for the hint while it is to be shown; a refusal becomes a notice. */
export function useHint(model: TableModel): ReadonlySignal<Asked<HintMessage>> {
  const asked = useAnswer(
    model.connection,
    model.hinting.value ? { type: "hint", seat: model.seat.value } : null,
  );
  useEffect(
    () =>
      effect(() => {
        const { failure } = asked.value;
        if (failure && model.hinting.peek()) {
          model.toggleHint();
          model.connection.notify(failure.message);
        }
      }),
    [model, asked],
  );
  return asked;
}
