import type { JSX } from "preact";
import type { HintMessage, MoveView } from "../protocol";
import { say, spoken } from "../words";

const SHOWN = 5;

/** The best moves with what they are worth; touching one makes it. */
export function Hints({ hint, moves, onMove }: { hint: HintMessage; moves: readonly MoveView[]; onMove: (move: MoveView) => void }): JSX.Element {
  const number = new Intl.NumberFormat(spoken.get().language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <section class="hints" aria-label={say("page.hint")}>
      <h2>{say("page.hint.title")}</h2>
      <ol>
        {hint.moves.slice(0, SHOWN).map((ranked) => {
          const move = moves.find((one) => one.id === ranked.move);
          return (
            <li key={ranked.move}>
              <button type="button" class="hint-move" disabled={!move} onClick={() => move && onMove(move)}>
                <span>{ranked.words}</span>
                <b>{number.format(ranked.expected)}{ranked.error > 0 && <small> ±{number.format(ranked.error)}</small>}</b>
                <small class="loss">{ranked.loss > 0.05 ? `−${number.format(ranked.loss)}` : say("page.hint.best")}</small>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
