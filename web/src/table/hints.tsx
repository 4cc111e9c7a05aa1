import type { ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Asked } from "../answers";
import { formatPoints } from "../format";
import type { HintMessage, StateMessage } from "../protocol";
import { translate } from "../translate";
import type { TableModel } from "./model";

const SHOWN = 5;

/**
 * The best moves with their expected scores. The place of the selected one is marked; a second
 * click makes it.
 */
export function Hints({
  model,
  asked,
  state,
}: {
  model: TableModel;
  asked: ReadonlySignal<Asked<HintMessage>>;
  state: StateMessage;
}): JSX.Element | null {
  const hint = asked.value.answer;
  const moves = model.moves.value;
  const points = state.scores[model.seat.value] ?? 0;
  const selected = model.selectedIn(hint);
  if (!hint) {
    return model.hinting.value ? (
      <p class="hints thinking" role="status">
        {translate("page.hint.thinking")}
      </p>
    ) : null;
  }
  return (
    <section class="hints" aria-label={translate("page.hint")}>
      <h2>{translate("page.hint.title")}</h2>
      <ol>
        {hint.moves.slice(0, SHOWN).map((ranked, at) => {
          const move = moves.find((candidate) => candidate.id === ranked.move);
          // In unusual positions the values rank the moves but are no realistic scores.
          const plausible = ranked.expected >= points;
          const isSelected = (selected ?? hint.moves[0]?.move) === ranked.move;
          return (
            <li key={ranked.move}>
              <button
                type="button"
                class="hint-move"
                disabled={!move}
                aria-pressed={isSelected}
                onClick={() =>
                  selected === ranked.move && move
                    ? model.move(move)
                    : model.select(hint, ranked.move)
                }
              >
                <span>{ranked.words}</span>
                <b>
                  {plausible && formatPoints(ranked.expected)}
                  {plausible && ranked.error > 0 && <small> ±{formatPoints(ranked.error)}</small>}
                </b>
                <small class="loss">
                  {at === 0 || ranked.loss <= 0.05
                    ? translate("page.hint.best")
                    : plausible && `−${formatPoints(ranked.loss)}`}
                </small>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
