import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "../art/icons";
import { familyOf, type PendingMove } from "../family";
import type { MoveView } from "../protocol";
import { translate, translateOptional } from "../translate";
import { useConfirmation } from "../ui/forms";

export interface PromptNote {
  /** Wide screens show the moves of others in the log. */
  about: "turn" | "others";
  words: string;
}

interface PromptBarProps {
  text: string;
  /** The text is about what the player has chosen so far. */
  choosing: boolean;
  notice: string | null;
  /** What happened before, in one line. */
  note: PromptNote | null;
  moves: readonly MoveView[];
  enabled: boolean;
  /** Play final moves at once. */
  instant: boolean;
  hinting: boolean;
  pending: PendingMove | null;
  onMove: (move: MoveView) => void;
  onRoll: (() => void) | null;
  /** The roll decides the start player. */
  drawsStartPlayer: boolean;
  onUndo: (() => void) | null;
  /** A computer player is about to act, which ends the chance to undo. */
  undoEnds: boolean;
  onHint: (() => void) | null;
  onWhy: (() => void) | null;
  /** Further buttons. */
  children: ComponentChildren;
}

/** What the player has to do, tools, and moves that have buttons. */
export function PromptBar({
  text,
  choosing,
  notice,
  note,
  moves,
  enabled,
  instant,
  hinting,
  pending,
  onMove,
  onRoll,
  drawsStartPlayer,
  onUndo,
  undoEnds,
  onHint,
  onWhy,
  children,
}: PromptBarProps): JSX.Element {
  return (
    <section
      class={`prompt with-tools${choosing ? " choosing" : ""}`}
      aria-label={translate("page.prompt")}
    >
      <div class="prompt-texts">
        <p
          class={`prompt-words${notice === null ? "" : " notice"}`}
          role={notice === null ? undefined : "alert"}
        >
          {notice ?? text}
        </p>
        {note && <p class={`prompt-note about-${note.about}`}>{note.words}</p>}
      </div>
      <div class="prompt-tools">
        <ToolButton icon="why" label={translate("why.ask")} onClick={onWhy} />
        <ToolButton
          icon="undo"
          label={translate("page.undo")}
          ends={undoEnds}
          onClick={enabled ? onUndo : null}
        />
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
            <Icon name="roll" /> {translate(drawsStartPlayer ? "start_player.draw" : "page.roll")}
          </button>
        )}
        {pending ? (
          <ConfirmButtons {...pending} />
        ) : (
          <>
            {children}
            <MoveButtons moves={moves} enabled={enabled} careful={!instant} onMove={onMove} />
          </>
        )}
      </div>
    </section>
  );
}

/** The buttons for a move that was chosen. */
export function ConfirmButtons({ onConfirm, onCancel }: PendingMove): JSX.Element {
  return (
    <>
      <button type="button" class="button primary confirm" data-act onClick={onConfirm}>
        <Icon name="check" /> {translate("page.confirm")}
      </button>
      <button type="button" class="button" onClick={onCancel}>
        <Icon name="close" /> {translate("page.confirm.cancel")}
      </button>
    </>
  );
}

/** All moves that have buttons. */
export function MoveButtons({
  moves,
  enabled,
  careful = false,
  onMove,
}: {
  moves: readonly MoveView[];
  enabled: boolean;
  /** Moves that cannot be undone must be confirmed. */
  careful?: boolean;
  onMove: (move: MoveView) => void;
}): JSX.Element {
  return (
    <>
      {moves.map((move) => {
        const { moveIcons, confirmedMoves, finalMoves } = familyOf({ kind: move.family });
        const icon = moveIcons[move.kind];
        return (
          icon && (
            <MoveButton
              key={move.id}
              move={move}
              icon={icon}
              isConfirmed={
                moves.length > 1 &&
                (confirmedMoves.has(move.kind) || (careful && finalMoves.has(move.kind)))
              }
              enabled={enabled}
              onMove={onMove}
            />
          )
        );
      })}
    </>
  );
}

/** A button for a move, which may ask for a second click. */
function MoveButton({
  move,
  icon,
  isConfirmed,
  enabled,
  onMove,
}: {
  move: MoveView;
  icon: IconName;
  isConfirmed: boolean;
  enabled: boolean;
  onMove: (move: MoveView) => void;
}): JSX.Element {
  const { confirming, handlers } = useConfirmation(() => onMove(move), isConfirmed);
  // A short text, if there is one.
  const text = translateOptional(`page.move.${move.kind}`) ?? move.words;
  return (
    <button
      type="button"
      class={`button move-${move.kind}${confirming ? " asked" : ""}`}
      data-act
      data-move={move.text}
      title={move.words}
      disabled={!enabled}
      {...handlers}
    >
      <Icon name={icon} /> <span>{confirming ? translate(`page.sure.${move.kind}`) : text}</span>
    </button>
  );
}

function ToolButton({
  icon,
  label,
  pressed,
  ends = false,
  onClick,
}: {
  icon: IconName;
  label: string;
  pressed?: boolean;
  /** Only for a moment. */
  ends?: boolean;
  onClick: (() => void) | null;
}): JSX.Element {
  return (
    <button
      type="button"
      class={`button quiet tool${ends ? " ends" : ""}`}
      title={label}
      aria-pressed={pressed}
      disabled={!onClick}
      onClick={() => onClick?.()}
    >
      <Icon name={icon} /> <span class="tool-label">{label}</span>
    </button>
  );
}
