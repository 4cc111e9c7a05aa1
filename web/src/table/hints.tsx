import type { JSX } from "preact";
import { formatPoints } from "../format";
import type { HintMessage, MoveView } from "../protocol";
import { translate } from "../translate";

const SHOWN = 5;

interface HintsProps {
  thinking: boolean;
  hint: HintMessage | null;
  moves: readonly MoveView[];
  /** The score of the seat. */
  points: number;
  /** The selected move: its place is marked, a second click makes it. */
  selected: number | null;
  onSelect: (move: number) => void;
  onMove: (move: MoveView) => void;
}

/** The best moves with their expected scores. */
export function Hints({
  thinking,
  hint,
  moves,
  points,
  selected,
  onSelect,
  onMove,
}: HintsProps): JSX.Element | null {
  if (!hint) {
    return thinking ? (
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
                  selected === ranked.move && move ? onMove(move) : onSelect(ranked.move)
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
