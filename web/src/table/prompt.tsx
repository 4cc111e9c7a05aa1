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
      <div class="prompt-head">
        <p class="prompt-words">{words}</p>
        <Tool icon="undo" label={say("page.undo")} onUse={enabled ? onUndo : null} />
        <Tool icon="bulb" label={say("page.hint")} onUse={enabled ? onHint : null} />
      </div>
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
      </div>
    </section>
  );
}

function Tool({ icon, label, onUse }: { icon: IconName; label: string; onUse: (() => void) | null }): JSX.Element {
  return (
    <button type="button" class="button quiet tool" title={label} disabled={!onUse} onClick={() => onUse?.()}>
      <Icon name={icon} /> <span class="tool-label">{label}</span>
    </button>
  );
}
