import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "../art/icons";
import type { MoveView } from "../protocol";
import { translate, translateOptional } from "../translate";
import { useConfirmation } from "../ui/confirmation";

/** Moves that touch no die, card or field: they are buttons. */
const MOVE_ICONS: Partial<Record<MoveView["kind"], IconName>> = {
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
  text: string;
  notice: string | null;
  moves: readonly MoveView[];
  enabled: boolean;
  hinting: boolean;
  onMove: (move: MoveView) => void;
  onRoll: (() => void) | null;
  /** What is rolled for is the lot that tells who begins. */
  drawsStartPlayer: boolean;
  onUndo: (() => void) | null;
  onHint: (() => void) | null;
  onWhy: (() => void) | null;
  /** What else can be pressed now; it stands in the row of the buttons, which never changes its height. */
  children: ComponentChildren;
}

/** What is expected now, and every move that is a plain button. */
export function PromptBar({
  text,
  notice,
  moves,
  enabled,
  hinting,
  onMove,
  onRoll,
  drawsStartPlayer,
  onUndo,
  onHint,
  onWhy,
  children,
}: PromptBarProps): JSX.Element {
  const shownText = notice ?? text;
  return (
    <section class="guide prompt" aria-label={translate("page.prompt")}>
      <div class="prompt-head">
        <p
          class={`prompt-words${shownText.length > LONGER ? " longer" : shownText.length > LONG ? " long" : ""}${notice === null ? "" : " notice"}`}
          role={notice === null ? undefined : "alert"}
        >
          {shownText}
        </p>
        <ToolButton icon="why" label={translate("why.ask")} onClick={onWhy} />
        <ToolButton icon="undo" label={translate("page.undo")} onClick={enabled ? onUndo : null} />
        <ToolButton
          icon="bulb"
          label={translate("page.hint")}
          pressed={hinting}
          onClick={enabled ? onHint : null}
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
            <Icon name="reroll" /> {translate(drawsStartPlayer ? "lot.draw" : "page.roll")}
          </button>
        )}
        {children}
        <MoveButtons moves={moves} enabled={enabled} onMove={onMove} />
      </div>
    </section>
  );
}

/** Every move that is a plain button. */
export function MoveButtons({
  moves,
  enabled,
  onMove,
}: {
  moves: readonly MoveView[];
  enabled: boolean;
  onMove: (move: MoveView) => void;
}): JSX.Element {
  const buttons = moves.filter((move) => MOVE_ICONS[move.kind] !== undefined);
  return (
    <>
      {buttons.map((move) => (
        <MoveButton
          key={move.id}
          move={move}
          hasAlternative={moves.length > 1}
          enabled={enabled}
          onMove={onMove}
        />
      ))}
    </>
  );
}

/** A button for a move; to fail although something could be done is asked once more. */
function MoveButton({
  move,
  hasAlternative,
  enabled,
  onMove,
}: {
  move: MoveView;
  hasAlternative: boolean;
  enabled: boolean;
  onMove: (move: MoveView) => void;
}): JSX.Element {
  const { confirming, handlers } = useConfirmation(
    () => onMove(move),
    hasAlternative && move.kind === "fail",
  );
  const text = translateOptional(`page.move.${move.kind}`) ?? move.words; // shorter where the prompt says the rest
  return (
    <button
      type="button"
      class={`button move-${move.kind}`}
      data-act
      data-move={move.text}
      title={move.words}
      disabled={!enabled}
      {...handlers}
    >
      <Icon name={MOVE_ICONS[move.kind] ?? "next"} />{" "}
      <span>{confirming ? translate("page.fail.sure") : text}</span>
    </button>
  );
}

function ToolButton({
  icon,
  label,
  pressed,
  onClick,
}: {
  icon: IconName;
  label: string;
  pressed?: boolean;
  onClick: (() => void) | null;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button quiet tool"
      title={label}
      aria-pressed={pressed}
      disabled={!onClick}
      onClick={() => onClick?.()}
    >
      <Icon name={icon} /> <span class="tool-label">{label}</span>
    </button>
  );
}
