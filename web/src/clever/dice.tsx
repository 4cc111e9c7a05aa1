import type { JSX } from "preact";
import { DieFace, RollArea } from "../art/die";
import { Icon } from "../art/icons";
import { hoverHandlers } from "../input";
import type { CleverLayout, CleverMoveView, CleverView } from "../protocol";
import { translate } from "../translate";

interface DiceProps {
  layout: CleverLayout;
  view: CleverView;
  seq: number;
  /** The dice were just rolled. */
  rolled: boolean;
  usable: ReadonlySet<number>;
  returnable: ReadonlyMap<number, CleverMoveView>;
  chosen: number | null;
  extraUsed: readonly number[];
  /** The shortcut key of each die. */
  keys: readonly string[];
  /** The die of the hinted move. */
  hinted: number;
  /** Dice that would go to the platter with the hovered one. */
  leaving: ReadonlySet<number>;
  name: (seat: number) => string;
  onDie: (die: number) => void;
  /** Called with null when no die is hovered. */
  onHover: (die: number | null) => void;
  onReturn: (move: CleverMoveView) => void;
  onRoll: (() => void) | null;
}

/**
 * The rolled dice, the three dice fields and the platter. Every die has a fixed slot in each, so
 * that dice do not shift when another one leaves.
 */
export function DiceTable(props: DiceProps): JSX.Element {
  const { layout, view, onRoll } = props;
  const isPlatterRoll = !view.dice.some((die) => die.lies === "hand");
  return (
    <>
      <h2 class="dice-heading">{heading(props, isPlatterRoll)}</h2>
      <div class={`tray large ${isPlatterRoll ? "platter" : "hand"}`}>
        <div class={`dice${onRoll ? " waiting" : ""}`}>
          <DieSlots of={isPlatterRoll ? "platter" : "hand"} {...props} />
          {onRoll && <RollArea onRoll={onRoll} />}
        </div>
      </div>
      <div class="tray laid">
        <h3>{translate("page.dice.fields")}</h3>
        <div class="dice">
          {fieldDice(view).map((die, slot) => (
            <span key={slot} class="slot">
              {die >= 0 ? (
                <Die die={die} {...props} />
              ) : (
                <span class="slot-number" aria-hidden="true">
                  {slot + 1}
                </span>
              )}
            </span>
          ))}
        </div>
      </div>
      <div class={`tray side ${isPlatterRoll ? "note" : "platter"}`}>
        <h3>{translate("page.dice.platter")}</h3>
        {isPlatterRoll ? (
          <p class="tray-note">
            <span class="note-head">{heading(props, isPlatterRoll)}</span>{" "}
            <span>{platterNote(view)}</span>
          </p>
        ) : (
          <div class="dice" style={{ "--places": layout.dice.length }}>
            <DieSlots of="platter" {...props} />
          </div>
        )}
      </div>
    </>
  );
}

function heading({ view, name }: DiceProps, isPlatterRoll: boolean): string {
  if (view.passive_turn) {
    return translate("page.dice.passive");
  }
  if (isPlatterRoll) {
    return translate("page.dice.served", { name: name(view.active) });
  }
  return translate(view.roll === 0 ? "page.dice.turn.start" : "page.dice.turn", {
    name: name(view.active),
    roll: view.roll,
  });
}

/** Return what players do with the platter now. */
function platterNote(view: CleverView): string {
  const stages = new Set(view.acting.map((seat) => view.sheets[seat]?.stage));
  return stages.has("take")
    ? translate("page.dice.taking")
    : stages.has("extra")
      ? translate("page.dice.extra")
      : "";
}

function DieSlots({ of, ...props }: DiceProps & { of: "hand" | "platter" }): JSX.Element {
  return (
    <>
      {props.layout.dice.map((_, die) => (
        <span key={die} class="place">
          {props.view.dice[die]?.lies === of && <Die die={die} {...props} />}
        </span>
      ))}
    </>
  );
}

/** Return the dice on the dice fields; in a solo game, including those of the passive turn. */
function fieldDice(view: CleverView): number[] {
  const others = view.dice
    .map((_, die) => die)
    .filter((die) => view.dice[die]?.lies === "field" && !view.fields.includes(die));
  return view.fields.map((die) => (die >= 0 ? die : (others.shift() ?? -1)));
}

function Die({
  die,
  keys,
  layout,
  view,
  seq,
  rolled,
  usable,
  returnable,
  chosen,
  hinted,
  leaving,
  extraUsed,
  onDie,
  onReturn,
  onHover,
}: DiceProps & { die: number }): JSX.Element {
  const colour = layout.dice[die]?.name ?? "white";
  const shortcut = keys[die] ?? "";
  const { face = 0, lies = "hand" } = view.dice[die] ?? {};
  const returnMove = returnable.get(die);
  const label = translate(face === 0 ? "page.die.unrolled" : "page.die", {
    colour: layout.words[`${colour} nominative`] ?? colour,
    face,
  });
  const tumbling = rolled && (lies === "hand" || view.passive_turn);
  const content = (
    <span
      key={tumbling ? seq : "still"}
      class={`die-body${tumbling ? " tumble" : ""}`}
      style={{ "--turn": die }}
    >
      <DieFace colour={colour} face={face} />
      <span class="die-letter" aria-hidden="true">
        {shortcut}
      </span>
      {returnMove && (
        <span class="die-badge">
          <Icon name="return" />
        </span>
      )}
    </span>
  );
  const classes = `die${extraUsed.includes(die) ? " spent" : ""}${hinted === die ? " hinted" : ""}${leaving.has(die) ? " leaving" : ""}`;
  if (returnMove || usable.has(die)) {
    return (
      <button
        type="button"
        class={`${classes} lit`}
        data-act
        data-die={die}
        data-key={shortcut}
        aria-pressed={chosen === die}
        {...(returnMove
          ? {
              "data-move": returnMove.text,
              "aria-label": returnMove.words,
              title: returnMove.words,
              onClick: () => onReturn(returnMove),
            }
          : {
              "aria-keyshortcuts": shortcut,
              "aria-label": label,
              onClick: () => onDie(die),
              ...hoverHandlers((isOver) => onHover(isOver ? die : null)),
            })}
      >
        {content}
      </button>
    );
  }
  return (
    <span class={classes} data-die={die} role="img" aria-label={label}>
      {content}
    </span>
  );
}
