/** The board of the shown seat and its prompt. */
import { computed, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Asked, useAnswer } from "../answers";
import { Icon } from "../art/icons";
import { type BoardActions, familyOf, type PendingMove } from "../family";
import { useMedia, WIDE } from "../media";
import { memory } from "../memory";
import { useSelected } from "../observable";
import type { HintMessage, Layout, StateMessage } from "../protocol";
import { translate } from "../translate";
import { Lazy } from "../ui/lazy";
import type { TableModel } from "./model";
import { PromptBar } from "./prompt";

const NO_MARKS: ReadonlySet<string> = new Set();
const PREVIEW_DELAY = 60;

interface TableBoardProps {
  model: TableModel;
  layout: Layout;
  state: StateMessage;
  hint: ReadonlySignal<Asked<HintMessage>>;
  /** Explains what the player can and cannot do. */
  onWhy: (() => void) | null;
  onSeats: () => void;
  onResult: () => void;
}

export const loadHints = async () => (await import("./hints")).Hints;

const loadFinished = async () => (await import("./finished")).Finished;

export function TableBoard(props: TableBoardProps): JSX.Element {
  const { model, layout, state } = props;
  const seat = model.seat.value;
  const moves = model.moves.value;
  const enabled = model.idle.value;
  const isOwn = model.isOwn.value;
  const hint = props.hint.value.answer;
  const hinted = model.selectedIn(hint) ?? hint?.moves[0]?.move;
  const instant = useSelected(memory, (settings) => settings.instant);
  const { Board } = familyOf(layout);
  const actions: BoardActions = {
    seat,
    enabled: enabled && isOwn,
    marks: model.marks.value[seat] ?? NO_MARKS,
    previews: usePreviews(model),
    hinted: moves.find((move) => move.id === hinted) ?? null,
    instant,
    name: model.name,
    onMove: model.move,
    onRoll: enabled && model.roller.value !== undefined ? model.roll : null,
    renderPrompt: (choices, instead = null, pending = null) => (
      <TablePrompt {...props} instead={instead} choices={choices} pending={pending} />
    ),
  };
  return (
    <Board
      layout={layout}
      view={state.view}
      before={model.before.value}
      seq={state.seq}
      moves={moves}
      actions={actions}
      connection={model.connection}
    />
  );
}

/** Ask for the previews of the player's moves. */
function usePreviews(model: TableModel): BoardActions["previews"] {
  const isNeeded = model.isOwn.value && model.moves.value.length > 0;
  const asked = useAnswer(
    model.connection,
    isNeeded ? { type: "preview", seat: model.seat.value } : null,
    PREVIEW_DELAY,
  );
  return useMemo(() => computed(() => asked.value.answer?.moves ?? []), [asked]);
}

function TablePrompt({
  model,
  state,
  hint,
  onWhy,
  onSeats,
  onResult,
  choices,
  instead,
  pending,
}: TableBoardProps & {
  choices: ComponentChildren;
  instead: string | null;
  pending: PendingMove | null;
}): JSX.Element {
  const wide = useMedia(WIDE);
  const enabled = model.idle.value;
  const isAway = state.resting.length > 0 && state.you.length === 0;
  return (
    <PromptBar
      text={instead ?? (isAway ? translate("page.seats.resting") : model.prompt.value)}
      choosing={instead !== null || pending !== null}
      notice={model.notice.value}
      note={model.note.value}
      moves={model.isOwn.value ? model.moves.value : []}
      enabled={enabled}
      instant={useSelected(memory, (settings) => settings.instant)}
      hinting={model.hinting.value}
      pending={pending}
      onMove={model.move}
      onRoll={model.roller.value === undefined ? null : model.roll}
      drawsStartPlayer={state.view.chance === "lot"}
      onUndo={model.undoes.value && model.undo}
      undoEnds={model.undoEnds.value}
      onHint={model.canHint.value ? model.toggleHint : null}
      onWhy={onWhy}
    >
      {!wide && model.hinting.value ? (
        <Lazy load={loadHints} kind="unseen" props={{ model, asked: hint, state }} />
      ) : (
        choices
      )}
      {state.resting.map((seat) => (
        <button
          key={seat}
          type="button"
          class="button primary"
          onClick={() => model.connection.send({ type: "seat", seat, change: "return" })}
        >
          <Icon name="person" /> {translate("page.seats.return")}
        </button>
      ))}
      {state.over && <Lazy load={loadFinished} kind="unseen" props={{ model, state, onResult }} />}
      {waitsForAbsentPlayers(state) && (
        <button type="button" class="button" onClick={onSeats}>
          <Icon name="next" /> {translate("page.seats.on")}
        </button>
      )}
    </PromptBar>
  );
}

/** Whether the table waits only for absent players, and this page can replace them. */
function waitsForAbsentPlayers({ seats, acting, rollers, host, over }: StateMessage): boolean {
  const awaited = seats.filter(({ seat }) => acting.includes(seat) || rollers.includes(seat));
  return (
    host &&
    !over &&
    awaited.length > 0 &&
    awaited.every((seat) => seat.kind === "person" && !seat.connected)
  );
}
