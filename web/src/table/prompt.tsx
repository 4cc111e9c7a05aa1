import type { JSX } from "preact";
import { Icon, type IconName } from "../art/icons";
import type { MoveView } from "../protocol";
import { say } from "../words";

/** Moves that touch no die, card or field: they are buttons. */
const PLAIN: Partial<Record<MoveView["kind"], IconName>> = {
  reroll: "reroll",
  pass: "next",
  done: "check",
  keep: "check",
  exchange: "again",
  pay: "clover",
  fail: "close",
  stay: "up",
  out: "check",
};

interface PromptBarProps {
  words: string;
  notice: string | null;
  moves: readonly MoveView[];
  enabled: boolean;
  onMove: (move: MoveView) => void;
  onRoll: (() => void) | null;
  onUndo: (() => void) | null;
  onHint: (() => void) | null;
}

/** What is expected now, and every move that is a plain button. */
export function PromptBar({ words, notice, moves, enabled, onMove, onRoll, onUndo, onHint }: PromptBarProps): JSX.Element {
  const plain = moves.filter((move) => PLAIN[move.kind] !== undefined);
  return (
    <section class="prompt" aria-label={say("page.prompt")}>
      <p class="prompt-words">{words}</p>
      {notice !== null && <p class="notice" role="alert">{notice}</p>}
      <div class="prompt-buttons">
        {onRoll && (
          <button type="button" class="button primary roll" data-act disabled={!enabled} onClick={onRoll}><Icon name="reroll" /> {say("page.roll")}</button>
        )}
        {plain.map((move) => (
          <button key={move.id} type="button" class={`button move-${move.kind}`} data-act data-move={move.text} disabled={!enabled} onClick={() => onMove(move)}>
            <Icon name={PLAIN[move.kind] ?? "next"} /> {move.words}
          </button>
        ))}
        <span class="prompt-tools">
          <button type="button" class="button quiet" disabled={!onUndo || !enabled} onClick={() => onUndo?.()}><Icon name="undo" /> {say("page.undo")}</button>
          <button type="button" class="button quiet" disabled={!onHint || !enabled} onClick={() => onHint?.()}><Icon name="bulb" /> {say("page.hint")}</button>
        </span>
      </div>
    </section>
  );
}
