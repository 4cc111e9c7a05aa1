import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BoardActions } from "../family";
import { useGameStyle } from "../game-style";
import { isTouchInput } from "../input";
import type { CleverLayout, CleverMoveView, CleverView, MoveView } from "../protocol";
import { SheetPanel } from "../table/sheet-panel";
import { translate } from "../translate";
import { Bonus } from "./bonus";
import {
  type Choice,
  cellKey,
  chosenMove,
  hasChoice,
  highlight,
  isEntry,
  matchingMoves,
  NOTHING,
  playedMove,
  touch,
  withOnlyBonus,
} from "./choice";
import { DiceTable } from "./dice";
import { dieKeys } from "./die-keys";
import { previewMoves } from "./preview";
import { Sheet } from "./sheet";

interface CleverBoardProps {
  layout: CleverLayout;
  view: CleverView;
  before: CleverView | null;
  seq: number;
  moves: readonly MoveView[];
  actions: BoardActions;
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const NO_DICE: ReadonlySet<number> = new Set();
const NO_GHOSTS: ReadonlyMap<string, number> = new Map();

/** Return the choice including what is hovered; null if nothing is chosen or hovered. */
function hoveredChoice(
  choice: Choice,
  hovered: Partial<Choice> | null,
  isChosen: boolean,
): Choice | null {
  return hovered || isChosen ? { ...choice, ...hovered } : null;
}

/** What is chosen and hovered at a seat in a state; in another one nothing is. */
interface Interaction {
  at: string;
  choice: Choice;
  hovered: Partial<Choice> | null;
  /** A move chosen as a whole: it returns a die, or enters a chosen number. */
  move: CleverMoveView | null;
}

export function CleverBoard({
  layout,
  view,
  before,
  seq,
  moves,
  actions,
}: CleverBoardProps): JSX.Element | null {
  const { seat, enabled, hinted } = actions;
  const at = `${seq} ${seat}`;
  const nothing: Interaction = { at, choice: NOTHING, hovered: null, move: null };
  const [interaction, setInteraction] = useState(nothing);
  const interact = (change: Partial<Interaction>): void =>
    setInteraction((before) => ({ ...(before.at === at ? before : nothing), ...change }));
  const { choice: touched, hovered, move: whole } = interaction.at === at ? interaction : nothing;
  const setHovered = (place: Partial<Choice> | null): void => interact({ hovered: place });
  const sheet = view.sheets[seat];
  if (!sheet) {
    return null;
  }
  const legal = enabled ? moves.filter((move) => move.family === "clever") : [];
  const choice = withOnlyBonus(legal, touched);
  const highlights = highlight(legal, choice);
  const onTouch = (change: Partial<Choice>): void => {
    const next = touch(legal, touched, change);
    // Without hovering, the first tap on a die is the only way to see where it fits.
    const plays = actions.instant && (change.die === undefined || !isTouchInput());
    const move =
      playedMove(legal, touched, change) ??
      (plays ? chosenMove(legal, withOnlyBonus(legal, next)) : null);
    if (move) {
      actions.onMove(move);
    } else {
      interact({ choice: next, move: null });
    }
  };
  const choose = (move: CleverMoveView, kept: Choice): void =>
    actions.instant || whole?.id === move.id
      ? actions.onMove(move)
      : interact({ choice: kept, move });
  const isChosen = hasChoice(touched);
  const pending = whole ?? (isChosen ? chosenMove(legal, choice) : null);
  const previewed = hoveredChoice(choice, hovered, isChosen);
  const preview = previewed
    ? previewMoves(
        layout,
        whole ? [whole] : matchingMoves(legal, previewed),
        actions.previews.value,
      )
    : null;
  const chosen = choice.die !== null || choice.bonus !== null;
  const hintedMove = hinted?.family === "clever" ? hinted : null;
  const asksNumber = highlights.numbers.length > 0 && (isChosen || actions.instant);
  const choices = asksNumber ? (
    <Numbers moves={highlights.numbers} onNumber={(move) => choose(move, touched)} />
  ) : (
    <Heap
      heap={sheet.heap}
      open={highlights.bonuses}
      chosen={choice.bonus}
      onBonus={(bonus) => onTouch({ bonus })}
    />
  );
  return (
    <>
      {actions.renderPrompt(
        choices,
        preview?.words ?? pending?.words ?? (asksNumber ? translate("page.number") : null),
        pending && {
          onConfirm: () => actions.onMove(pending),
          // After a number, the field stays chosen.
          onCancel: () => interact(whole ? { move: null } : nothing),
        },
      )}
      <section class="dice-panel" aria-label={translate("page.dice")}>
        <DiceTable
          layout={layout}
          view={view}
          seq={seq}
          rolled={before?.chance === "roll" && view.chance !== "roll"}
          usable={highlights.dice}
          returnable={
            new Map(legal.filter((move) => move.kind === "return").map((move) => [move.die, move]))
          }
          chosen={whole?.die ?? choice.die}
          hinted={hintedMove?.die ?? -1}
          leaving={preview?.leaving ?? NO_DICE}
          extraUsed={sheet.extra_used}
          keys={dieKeys(layout.dice.map((die) => layout.words[die.name] ?? die.name))}
          name={actions.name}
          onDie={(die) => onTouch({ die })}
          onHover={(die) => setHovered(die === null ? null : { die })}
          onReturn={(move) => choose(move, NOTHING)}
          onRoll={actions.onRoll}
        />
      </section>
      <SheetPanel>
        <div class={chosen ? "chosen" : ""}>
          <Sheet
            layout={layout}
            sheet={sheet}
            owner={actions.name(seat)}
            lit={legal.some(isEntry) ? highlights.cells : NO_FIELDS}
            fresh={actions.marks}
            hinted={hintedMove ? cellKey(hintedMove.area, hintedMove.cell) : ""}
            chosen={touched.area === null ? "" : cellKey(touched.area, touched.cell ?? 0)}
            ghosts={preview?.ghosts ?? NO_GHOSTS}
            onCell={(area, cell) => onTouch({ area, cell })}
            onHover={setHovered}
          />
        </div>
      </SheetPanel>
    </>
  );
}

/** Bonuses that are won and not placed yet. */
function Heap({
  heap,
  open,
  chosen,
  onBonus,
}: {
  heap: readonly string[];
  open: ReadonlySet<string>;
  chosen: string | null;
  onBonus: (bonus: string) => void;
}): JSX.Element | null {
  const { words } = useGameStyle();
  if (heap.length === 0) {
    return null;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
    <div class="heap" role="group" aria-label={translate("page.heap")}>
      {heap.map((bonus, at) =>
        open.has(bonus) ? (
          <button
            key={at}
            type="button"
            class="heap-bonus"
            data-act
            aria-pressed={chosen === bonus}
            aria-label={words[bonus]}
            onClick={() => onBonus(bonus)}
          >
            <Bonus name={bonus} /> <span>{words[bonus]}</span>
          </button>
        ) : (
          <span key={at} class="heap-bonus">
            <Bonus name={bonus} /> <span>{words[bonus]}</span>
          </span>
        ),
      )}
    </div>
  );
}

/** Buttons for moves that differ only in the number. */
function Numbers({
  moves,
  onNumber,
}: {
  moves: readonly CleverMoveView[];
  onNumber: (move: CleverMoveView) => void;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
    <div class="numbers" role="group" aria-label={translate("page.number")}>
      {moves.map((move) => (
        <button
          key={move.id}
          type="button"
          class="number-button"
          data-act
          data-key={String(move.value)}
          data-move={move.text}
          title={move.words}
          aria-label={move.words}
          onClick={() => onNumber(move)}
        >
          {move.value}
        </button>
      ))}
    </div>
  );
}
