/** What a table does outside its own part of the page: title, notifications, sounds. */
import { useEffect } from "preact/hooks";
import { familyOf } from "../family";
import { type Feedback, giveFeedback, notify } from "../feedback";
import { claimSeat } from "../me/identity";
import type { StateMessage, View } from "../protocol";
import type { TableModel } from "./model";
import { promptFor, shownSeat } from "./shown-seat";

export function useTurnEffects(model: TableModel, title: string): void {
  const state = model.state.value;
  const before = model.before.value;
  const isSeated = (state?.you.length ?? 0) > 0;
  const isBusy = model.busy.value !== "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (isSeated) {
      claimSeat(model.connection.code);
    }
  }, [isSeated]);
  useEffect(() => {
    document.title = `${isBusy ? "● " : ""}${title} · Fox & Clover`;
  }, [title, isBusy]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (isBusy && state && !state.over) {
      void notify(title, promptFor(state, shownSeat(state, null)));
      giveFeedback("turn");
    }
  }, [isBusy]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (state && before) {
      giveFeedback(feedbackFor(before, state));
    }
  }, [state?.seq]);
}

/** Return the feedback for a change. */
function feedbackFor(before: View, { view, over, you }: StateMessage): Feedback {
  if (over) {
    return "end";
  }
  if (before.chance === "roll" && view.chance !== "roll") {
    return "roll";
  }
  return you.some((seat) => familyOf(view).gainsBonus(before, view, seat)) ? "bonus" : "write";
}
