import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "../art/icons";
import type { MoveView } from "../protocol";
import { sayIfThere, translate } from "../translate";

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

/** Longer sentences are set smaller, so that the prompt keeps its height. */
const LONG = 32;
const LONGER = 45;

interface PromptBarProps {
  words: string;
  notice: string | null;
  moves: readonly MoveView[];
  enabled: boolean;
  hinting: boolean;
  onMove: (move: MoveView) => void;
  onRoll: (() => void) | null;
  /** What is rolled for is the lot that tells who begins. */
  lot: boolean;
  onUndo: (() => void) | null;
  onHint: (() => void) | null;
  onWhy: (() => void) | null;
  /** What else can be pressed now; it stands in the row of the buttons, which never changes its height. */
  children: ComponentChildren;
}

/** What is expected now, and every move that is a plain button. */
export function PromptBar({
  words,
  notice,
  moves,
  enabled,
  hinting,
  onMove,
  onRoll,
  lot,
  onUndo,
  onHint,
  onWhy,
  children,
}: PromptBarProps): JSX.Element {
  const said = notice ?? words;
  return (
    <section class="guide prompt" aria-label={translate("page.prompt")}>
      <div class="prompt-head">
        <p
          class={`prompt-words${said.length > LONGER ? " longer" : said.length > LONG ? " long" : ""}${notice === null ? "" : " notice"}`}
          role={notice === null ? undefined : "alert"}
        >
          {said}
        </p>
        <Tool icon="why" label={translate("why.ask")} onUse={onWhy} />
        <Tool icon="undo" label={translate("page.undo")} onUse={enabled ? onUndo : null} />
        <Tool
          icon="bulb"
          label={translate("page.hint")}
          pressed={hinting}
          onUse={enabled ? onHint : null}
        />
      </div>
      <div class="prompt-buttons">
        {onRoll && (
          <button
            type="button"
            class="button primary roll"
            data-act
            disabled={!enabled}
            onClick={onRoll}
          >
            <Icon name="reroll" /> {translate(lot ? "lot.draw" : "page.roll")}
          </button>
        )}
        {children}
        <PlainMoves moves={moves} enabled={enabled} onMove={onMove} />
      </div>
    </section>
  );
}

/** Every move that is a plain button. */
export function PlainMoves({
  moves,
  enabled,
  onMove,
}: {
  moves: readonly MoveView[];
  enabled: boolean;
  onMove: (move: MoveView) => void;
}): JSX.Element {
  const plain = moves.filter((move) => PLAIN[move.kind] !== undefined);
  return (
    <>
      {plain.map((move) => (
        <PlainMove
          key={move.id}
          move={move}
          better={moves.length > 1}
          enabled={enabled}
          onMove={onMove}
        />
      ))}
    </>
  );
}

/** A button for a move; to fail although something could be done is asked once more. */
function PlainMove({
  move,
  better,
  enabled,
  onMove,
}: {
  move: MoveView;
  better: boolean;
  enabled: boolean;
  onMove: (move: MoveView) => void;
}): JSX.Element {
  const [asked, setAsked] = useState(false);
  const asks = better && move.kind === "fail" && !asked;
  const words = sayIfThere(`page.move.${move.kind}`) ?? move.words; // shorter where the prompt says the rest
  return (
    <button
      type="button"
      class={`button move-${move.kind}`}
      data-act
      data-move={move.text}
      title={move.words}
      disabled={!enabled}
      onClick={() => (asks ? setAsked(true) : onMove(move))}
      onBlur={() => setAsked(false)}
    >
      <Icon name={PLAIN[move.kind] ?? "next"} />{" "}
      <span>{asked ? translate("page.fail.sure") : words}</span>
    </button>
  );
}

function Tool({
  icon,
  label,
  pressed,
  onUse,
}: {
  icon: IconName;
  label: string;
  pressed?: boolean;
  onUse: (() => void) | null;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button quiet tool"
      title={label}
      aria-pressed={pressed}
      disabled={!onUse}
      onClick={() => onUse?.()}
    >
      <Icon name={icon} /> <span class="tool-label">{label}</span>
    </button>
  );
}
