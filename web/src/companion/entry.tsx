/** Entry of real dice and cards: you roll, then enter the results. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { DieFace } from "../art/die";
import { Icon } from "../art/icons";
import { familyOf } from "../family";
import { useGameStyle } from "../game-style";
import type { Layout, StateMessage, View, WantedEntry } from "../protocol";
import { translate } from "../translate";
import "../styles/companion.css";
import { addFace, removeLastFace, rollText, type TypedRoll } from "./faces";

const FACES = [1, 2, 3, 4, 5, 6] as const;

interface DiceEntryProps {
  state: StateMessage;
  layout: Layout;
  enabled: boolean;
  onEnter: (text: string) => void;
  onCorrect: () => void;
}

/** The entry that the game needs now. */
export function DiceEntry({
  state,
  layout,
  enabled,
  onEnter,
  onCorrect,
}: DiceEntryProps): JSX.Element | null {
  const { entry } = state;
  if (entry === null) {
    return null;
  }
  return (
    <section class="entry" aria-label={translate("page.entry")}>
      {entry.kind === "roll" ? (
        <RollEntry
          key={state.seq}
          view={state.view}
          layout={layout}
          enabled={enabled}
          onEnter={onEnter}
        />
      ) : (
        <Outcomes
          key={state.seq}
          entry={entry}
          view={state.view}
          layout={layout}
          enabled={enabled}
          onEnter={onEnter}
        />
      )}
      {state.correct && (
        <button type="button" class="button small quiet" disabled={!enabled} onClick={onCorrect}>
          <Icon name="undo" /> {translate("page.entry.back")}
        </button>
      )}
    </section>
  );
}

/** One click per die; a die can be selected to correct it, and the last one sends the roll. */
function RollEntry({
  view,
  layout,
  enabled,
  onEnter,
}: {
  view: View;
  layout: Layout;
  enabled: boolean;
  onEnter: (text: string) => void;
}): JSX.Element {
  const dice = useMemo(() => familyOf(layout).rolledDice(layout, view), [view, layout]);
  // Keys may be pressed faster than the page is drawn, so each update builds on the previous one.
  const [{ faces, at }, setTypedRoll] = useState<TypedRoll>(() => ({
    faces: dice.map(() => 0),
    at: 0,
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (!faces.includes(0)) {
      onEnter(rollText(faces));
    }
  }, [faces]);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Backspace" && enabled) {
        setTypedRoll(removeLastFace);
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const { words } = useGameStyle();
  const colourName = (name: string): string => words[`${name} nominative`] ?? name;
  const colour = dice[at] ?? "";
  return (
    <>
      <p class="entry-words" aria-live="polite">
        {translate("page.entry.die", { colour: words[`${colour} adjective`] ?? colour })}
      </p>
      <div class="entry-dice">
        {dice.map((name, index) => (
          <button
            key={index}
            type="button"
            class={`entry-die${index === at ? " now" : ""}`}
            aria-pressed={index === at}
            aria-label={translate(faces[index] ? "page.die" : "page.die.unrolled", {
              colour: colourName(name),
              face: faces[index] ?? 0,
            })}
            onClick={() => setTypedRoll((typedRoll) => ({ ...typedRoll, at: index }))}
          >
            <DieFace colour={name} face={faces[index] ?? 0} />
          </button>
        ))}
      </div>
      <div class="entry-faces">
        {FACES.map((face) => (
          <button
            key={face}
            type="button"
            class="entry-face"
            data-act
            data-key={face}
            disabled={!enabled}
            aria-label={translate("page.die", { colour: colourName(colour), face })}
            onClick={() => setTypedRoll((typedRoll) => addFace(typedRoll, face))}
          >
            <DieFace colour={colour} face={face} />
            <span aria-hidden="true">{face}</span>
          </button>
        ))}
      </div>
    </>
  );
}

const cardNumber = (text: string): string => text.replace(/^card /, "");

/** All possible outcomes of a drawn card or of tied dice. Typing a number filters the cards. */
function Outcomes({
  entry,
  view,
  layout,
  enabled,
  onEnter,
}: {
  entry: WantedEntry;
  view: View;
  layout: Layout;
  enabled: boolean;
  onEnter: (text: string) => void;
}): JSX.Element {
  const [typed, setTyped] = useState("");
  const matching = entry.outcomes.filter((text) => cardNumber(text).startsWith(typed));
  const submit = (event: Event): void => {
    event.preventDefault();
    const exact =
      matching.find((text) => cardNumber(text) === typed) ??
      (matching.length === 1 ? matching[0] : undefined);
    // An impossible entry is sent too: the server explains the error.
    onEnter(exact ?? typed);
    setTyped("");
  };
  const cards = entry.kind === "draw";
  if (entry.kind === "lot") {
    return (
      <>
        <p class="entry-words">{translate("start_player.prompt")}</p>
        <div class="entry-outcomes">
          {entry.outcomes.map((text, seat) => (
            <button
              key={text}
              type="button"
              class="button"
              data-act
              disabled={!enabled}
              onClick={() => onEnter(text)}
            >
              {translate("start_player.seat", { seat: seat + 1 })}
            </button>
          ))}
        </div>
      </>
    );
  }
  return (
    <>
      <form class="entry-head" onSubmit={submit}>
        <p class="entry-words">{translate(cards ? "page.entry.card" : "page.entry.tie")}</p>
        {cards && (
          <input
            type="text"
            inputMode="numeric"
            pattern="[0-9]{1,3}b?"
            maxLength={4}
            value={typed}
            aria-label={translate("page.entry.number")}
            placeholder={translate("page.entry.number")}
            onInput={(event) => setTyped(event.currentTarget.value.trim().toLowerCase())}
          />
        )}
      </form>
      <div class="entry-outcomes">
        {matching.map((text) => (
          <Outcome
            key={text}
            text={text}
            view={view}
            layout={layout}
            enabled={enabled}
            onEnter={onEnter}
          />
        ))}
      </div>
    </>
  );
}

function Outcome({
  text,
  view,
  layout,
  enabled,
  onEnter,
}: {
  text: string;
  view: View;
  layout: Layout;
  enabled: boolean;
  onEnter: (text: string) => void;
}): JSX.Element {
  const { Outcome: Drawn } = familyOf(layout);
  return (
    <button
      type="button"
      class="entry-outcome"
      data-act
      disabled={!enabled}
      onClick={() => onEnter(text)}
    >
      <Drawn layout={layout} view={view} text={text} />
    </button>
  );
}
