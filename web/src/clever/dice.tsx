import type { JSX } from "preact";
import { DieFace } from "../art/die";
import { Icon } from "../art/icons";
import type { CleverLayout, CleverMoveView, CleverView } from "../protocol";
import { say } from "../words";

interface DiceProps {
  layout: CleverLayout;
  view: CleverView;
  seq: number;
  /** The dice fell just now. */
  rolled: boolean;
  usable: ReadonlySet<number>;
  returnable: ReadonlyMap<number, CleverMoveView>;
  chosen: number | null;
  extraUsed: readonly number[];
  name: (seat: number) => string;
  onDie: (die: number) => void;
  onReturn: (move: CleverMoveView) => void;
  onRoll: (() => void) | null;
}

/** Hand, the three dice fields and the platter. */
export function DiceTable(props: DiceProps): JSX.Element {
  const { layout, view, name, onRoll } = props;
  const at = (place: string): number[] => layout.dice.map((_, die) => die).filter((die) => view.dice[die]?.place === place);
  const heading = view.passive_turn ? say("page.dice.passive") : say(view.roll === 0 ? "page.dice.turn.start" : "page.dice.turn", { name: name(view.active), roll: view.roll });
  return (
    <>
      <h2 class="dice-heading">{heading}</h2>
      <div class="tray hand">
        <h3>{say("page.dice.hand")}</h3>
        <div class={`dice${onRoll ? " waiting" : ""}`}>
          {at("hand").map((die) => <Die key={die} die={die} {...props} />)}
          {onRoll && <button type="button" class="tray-roll" tabIndex={-1} aria-hidden="true" onClick={onRoll} />}
        </div>
      </div>
      <div class="tray laid">
        <h3>{say("page.dice.fields")}</h3>
        <div class="dice">
          {laidDice(view).map((die, slot) => (
            <span key={slot} class="slot">{die >= 0 ? <Die die={die} {...props} /> : <span class="slot-number" aria-hidden="true">{slot + 1}</span>}</span>
          ))}
        </div>
      </div>
      <div class="tray platter">
        <h3>{say("page.dice.platter")}</h3>
        <div class="dice">{at("platter").map((die) => <Die key={die} die={die} {...props} />)}</div>
      </div>
    </>
  );
}

/** The dice fields; alone, the dice that count as another player's lie there too. */
function laidDice(view: CleverView): number[] {
  const others = view.dice.map((_, die) => die).filter((die) => view.dice[die]?.place === "field" && !view.fields.includes(die));
  return view.fields.map((die) => (die >= 0 ? die : (others.shift() ?? -1)));
}

function Die({ die, layout, view, seq, rolled, usable, returnable, chosen, extraUsed, onDie, onReturn }: DiceProps & { die: number }): JSX.Element {
  const { name: colour = "white", letter = "" } = layout.dice[die] ?? {};
  const { face = 0, place = "hand" } = view.dice[die] ?? {};
  const back = returnable.get(die);
  const label = say(face === 0 ? "page.die.unrolled" : "page.die", { colour: say(`page.colour.${colour}`), face });
  const tumbling = rolled && (place === "hand" || view.passive_turn);
  const inside = (
    <span key={tumbling ? seq : "still"} class={`die-body${tumbling ? " tumble" : ""}`} style={{ "--turn": die }}>
      <DieFace colour={colour} face={face} />
      <span class="die-letter" aria-hidden="true">{letter}</span>
      {back && <span class="die-badge"><Icon name="return" /></span>}
    </span>
  );
  const classes = `die${extraUsed.includes(die) ? " spent" : ""}`;
  if (back) {
    return <button type="button" class={`${classes} lit`} data-act data-die={die} data-move={back.text} aria-label={back.words} title={back.words} onClick={() => onReturn(back)}>{inside}</button>;
  }
  if (usable.has(die)) {
    return <button type="button" class={`${classes} lit`} data-act data-die={die} aria-label={label} aria-pressed={chosen === die} onClick={() => onDie(die)}>{inside}</button>;
  }
  return <span class={classes} data-die={die} role="img" aria-label={label}>{inside}</span>;
}
