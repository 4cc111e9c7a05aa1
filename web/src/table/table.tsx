import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { pages } from "#backend";
import { Icon } from "../art/icons";
import { DiceEntry } from "../companion/entry";
import type { Connection } from "../connection";
import { type BoardActions, drawingOf } from "../drawing";
import { DiceWarning } from "../fair/seal";
import { familyOf } from "../family";
import { type Feedback, giveFeedback, notify } from "../feedback";
import { claimSeat } from "../me/identity";
import { useMedia, WIDE } from "../media";
import { useObservable } from "../observable";
import { HOME } from "../paths";
import type { GameInfo, Layout, MoveView, StateMessage, View } from "../protocol";
import { go, type NavigationState } from "../route";
import { isIdle } from "../table-state";
import { translate } from "../translate";
import { ConnectionBanner } from "../ui/connection-banner";
import { Lazy } from "../ui/lazy";
import { Banner } from "../ui/notices";
import { Coach } from "./coach";
import { Hints } from "./hints";
import { Log } from "./log";
import { OtherSheets } from "./other-sheets";
import { Players } from "./players";
import { PromptBar } from "./prompt";
import { followRematch, RematchInvitation } from "./rematch";
import { useShortcuts } from "./shortcuts";
import { busySeats, movesOf, promptFor, shownSeat } from "./shown-seat";
import { TopBar } from "./top-bar";

const loadDialogs = (): Promise<typeof import("./dialogs")> => import("./dialogs");

const NO_MARKS: ReadonlySet<string> = new Set();
const EXPLAINABLE = [
  ".dice-panel span[data-die]",
  ".sheet-panel span.cell", // not on the small sheets
  ".sheet-panel .level .card:not(button)",
  ".sheet-panel .levels:has(.zone.lit) .zone:not(.lit) .card-space",
].join();
const NOTICE_SHOWN = 7000;
// Ms after a change: an earlier click was meant for the previous state.
const DELIBERATE_AFTER = 500;
const PREVIEW_DELAY = 60;

export function Table({
  connection,
  game,
  strengths,
  layout,
}: {
  connection: Connection;
  game: GameInfo;
  strengths: readonly string[];
  layout: Layout;
}): JSX.Element {
  const { name: title } = game;
  const table = useObservable(connection.table);
  const [chosenSeat, setChosenSeat] = useState<number | null>(null);
  const [dialog, setDialog] = useState<
    "" | "rules" | "why" | "log" | "result" | "invitation" | "seats"
  >("");
  const { state } = table;
  const [rematchRequested, setRematchRequested] = useState(false);
  const seated = (state?.you.length ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (seated) {
      claimSeat(connection.code);
    }
  }, [seated]);
  const ownBusySeats = state ? busySeats(state).join() : "";
  // Show the player's own sheet again when they must act.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => setChosenSeat(null), [ownBusySeats]);
  useEffect(() => {
    if (state?.over) {
      setDialog("result");
    }
  }, [state?.over]);
  // Open the invitation of a new table for friends.
  useEffect(() => {
    if (state?.invitation && (history.state as NavigationState | null)?.invites) {
      history.replaceState(null, "");
      setDialog("invitation");
    }
  }, [state?.invitation]);
  // Go to the rematch that this player requested; the others get an invitation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (rematchRequested && state?.rematch) {
      followRematch(state);
    }
  }, [rematchRequested, state?.rematch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    document.title = `${state && busySeats(state).length > 0 ? "● " : ""}${title} · Fox & Clover`;
  }, [title, ownBusySeats]);
  const isBusy = ownBusySeats !== "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (isBusy && state && !state.over) {
      void notify(title, promptFor(state, shownSeat(state, null)));
      giveFeedback("turn");
    }
  }, [isBusy]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const feedback = state && table.before ? feedbackFor(table.before, state) : null;
    if (feedback) {
      giveFeedback(feedback);
    }
  }, [state?.seq]);
  const names = useMemo(
    () => (state?.seats ?? []).map((seat) => (seat.open ? translate("page.seat.open") : seat.name)),
    [state?.seats],
  );
  const seat = state ? shownSeat(state, chosenSeat) : 0;
  const moves = state ? movesOf(state, seat) : [];
  const idle = isIdle(table);
  const isOwn = state?.you.includes(seat) ?? false;
  const roller =
    state?.rollers.find((due) => due === seat && isOwn) ??
    state?.rollers.find((due) => state.you.includes(due));
  const seq = state?.seq ?? 0;
  const roll =
    roller === undefined ? null : (): void => connection.send({ type: "roll", seq, seat: roller });
  // The move "reroll" rolls without a second click, unless it is refused.
  const rerolling = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    rerolling.current = false;
  }, [table.refusals]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (rerolling.current && roll) {
      rerolling.current = false;
      roll();
    }
  }, [seq]);
  const undoSeat = state?.undo.includes(seat) ? seat : state?.undo[0];
  const ownSeat = state?.you[0] ?? 0;
  const correct = (): void => connection.send({ type: "correct", seq, seat: ownSeat });
  const undoMove =
    undoSeat === undefined
      ? null
      : (): void => connection.send({ type: "undo", seq, seat: undoSeat });
  const undo = undoMove ?? (state?.correct ? correct : null);
  const shownHint = table.hintOpen && table.hint?.seat === seat ? table.hint : null;
  const thinking = table.hintOpen && table.hintRef >= 0;
  const toggleHint =
    moves.length === 0 || state?.daily ? null : (): void => connection.toggleHint(seq, seat);
  const whyTarget = useRef<string | undefined>(undefined);
  const sendWhy = (): void =>
    connection.send(
      whyTarget.current === undefined
        ? { type: "why", seat }
        : { type: "why", seat, about: whyTarget.current },
    );
  const openWhy = (about?: string): void => {
    whyTarget.current = about;
    sendWhy();
    setDialog("why");
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (dialog === "why" && table.link === "open") {
      sendWhy(); // the answer may be outdated
    }
  }, [seq, table.link]);
  const explainTurn = !isOwn || state?.over ? null : (): void => openWhy();
  const changedAt = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useLayoutEffect(() => {
    changedAt.current = Date.now();
  }, [seq, seat]);
  // Explain why a clicked die, field, card or level cannot be used.
  const explainTouched = (event: MouseEvent): void => {
    const isDeliberate = Date.now() - changedAt.current > DELIBERATE_AFTER;
    const touched =
      event.target instanceof Element ? event.target.closest<HTMLElement>(EXPLAINABLE) : null;
    if (explainTurn && isDeliberate && moves.length > 0 && touched) {
      openWhy(familyOf(layout).targetName(layout, touched));
    }
  };
  const [hintedMove, setHintedMove] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => setHintedMove(null), [shownHint]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const timer = table.notice === null ? 0 : setTimeout(() => connection.dismiss(), NOTICE_SHOWN);
    return () => clearTimeout(timer);
  }, [table.notice]);
  const wide = useMedia(WIDE);
  const wantsPreview = isOwn && moves.length > 0 && table.link === "open" && !table.preview;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    // Other players may move quickly: ask only when the position is stable.
    const timer = wantsPreview
      ? setTimeout(() => connection.send({ type: "preview", seq, seat }), PREVIEW_DELAY)
      : 0;
    return () => clearTimeout(timer);
  }, [wantsPreview, seq, seat]);
  useShortcuts({ r: roll, u: undo, h: toggleHint, "?": () => setDialog("rules") }, seq);
  if (state === null) {
    return <Connecting notice={table.notice} outdated={table.outdated} />;
  }
  const onMove = (move: MoveView): void => {
    rerolling.current = move.kind === "reroll";
    connection.send({ type: "move", seq, seat, move: move.id });
  };
  const words = promptFor(state, seat);
  const prompt =
    state.you.length > 1 && isOwn && state.acting.includes(seat)
      ? `${names[seat] ?? ""}: ${words}`
      : words;
  const hints = (
    <Hints
      thinking={thinking}
      hint={shownHint}
      moves={moves}
      points={state.scores[seat] ?? 0}
      selected={hintedMove}
      onSelect={setHintedMove}
      onMove={onMove}
    />
  );
  const actions: BoardActions = {
    seat,
    enabled: idle && isOwn,
    marks: table.marks[seat] ?? NO_MARKS,
    previews: table.preview?.seat === seat ? table.preview.moves : [],
    hinted: moves.find((move) => move.id === (hintedMove ?? shownHint?.moves[0]?.move)) ?? null,
    name: (at) => names[at] ?? "",
    onMove,
    onRoll: idle ? roll : null,
    renderPrompt: (choices, instead = null) => (
      <PromptBar
        text={
          instead ??
          (state.resting.length > 0 && state.you.length === 0
            ? translate("page.seats.resting")
            : prompt)
        }
        notice={table.notice}
        moves={isOwn ? moves : []}
        enabled={idle}
        hinting={shownHint !== null || thinking}
        onMove={onMove}
        onRoll={roll}
        drawsStartPlayer={state.view.chance === "lot"}
        onUndo={undo}
        onHint={toggleHint}
        onWhy={explainTurn}
      >
        {!wide && (shownHint || thinking) ? hints : choices}
        {state.resting.map((restingSeat) => (
          <button
            key={restingSeat}
            type="button"
            class="button primary"
            onClick={() => connection.send({ type: "seat", seat: restingSeat, change: "return" })}
          >
            <Icon name="person" /> {translate("page.seats.return")}
          </button>
        ))}
        {waitsForAbsentPlayers(state) && (
          <button type="button" class="button" onClick={() => setDialog("seats")}>
            <Icon name="next" /> {translate("page.seats.on")}
          </button>
        )}
      </PromptBar>
    ),
  };
  const invite = state.invitation === null ? null : (): void => setDialog("invitation");
  const rematch = (): void => {
    if (state.rematch) {
      followRematch(state);
    } else {
      setRematchRequested(true);
      connection.send({ type: "rematch" });
    }
  };
  const closeDialog = (): void => setDialog("");
  const { Board, Picture } = drawingOf(layout);
  return (
    <div class={`table kind-${layout.kind}`}>
      <TopBar
        connection={connection}
        title={title}
        layout={layout}
        state={state}
        onRules={() => setDialog("rules")}
        onLog={() => setDialog("log")}
        onResult={state.over ? () => setDialog("result") : null}
        onInvite={invite}
        onSeats={state.seats.length > 1 ? () => setDialog("seats") : null}
      />
      {table.outdated && (
        <p class="notice banner" role="alert">
          {translate("page.outdated")} <Reload />
        </p>
      )}
      <DiceWarning witness={connection.witness} />
      {table.warning !== null && <Banner text={table.warning} />}
      <Players state={state} shown={seat} onInvite={invite} onShow={setChosenSeat} />
      <ConnectionBanner link={table.link} />
      {/** biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled for the whole page */}
      <main class="stage" onClick={explainTouched}>
        <h1 class="sr">{title}</h1>
        <Board
          layout={layout}
          view={state.view}
          before={table.before}
          seq={seq}
          moves={moves}
          actions={actions}
          connection={connection}
          odds={table.odds}
        />
        <OtherSheets
          layout={layout}
          state={state}
          marks={table.marks}
          shown={seat}
          name={actions.name}
          onShow={setChosenSeat}
        />
        {state.typed_dice && (
          <DiceEntry
            key={table.refusals}
            state={state}
            layout={layout}
            enabled={idle}
            onEnter={(text) => connection.send({ type: "enter", seq, seat: ownSeat, text })}
            onCorrect={correct}
          />
        )}
        <aside class="log-side">
          {wide && hints}
          <Log log={table.log} name={actions.name} />
        </aside>
      </main>
      <Coach state={state} seat={seat} family={layout.kind} />
      <p class="sr" role="status" aria-live="polite">
        {[table.log.at(-1)?.words, prompt].join(" ")}
      </p>
      {dialog === "rules" && (
        <Lazy
          key="rules"
          load={async () => (await loadDialogs()).RulesDialog}
          kind="above"
          props={{
            layout,
            title,
            credit: translate("page.credit", {
              designer: game.designer,
              publisher: game.publisher,
            }),
            picture: <Picture layout={layout} />,
            onClose: closeDialog,
          }}
        />
      )}
      {dialog === "why" && (
        <Lazy
          key="why"
          load={async () => (await loadDialogs()).WhyDialog}
          kind="above"
          props={{
            answer: table.why?.seat === seat ? table.why : null,
            onRules: () => setDialog("rules"),
            onClose: closeDialog,
          }}
        />
      )}
      {dialog === "log" && <Log log={table.log} name={actions.name} onClose={closeDialog} />}
      {dialog === "invitation" && (
        <Lazy
          key="invitation"
          load={async () => (await loadDialogs()).InvitationDialog}
          kind="above"
          props={{ connection, title, onClose: closeDialog }}
        />
      )}
      {dialog === "seats" && (
        <Lazy
          key="seats"
          load={async () => (await loadDialogs()).SeatsDialog}
          kind="above"
          props={{
            connection,
            state,
            notice: table.notice,
            strengths,
            onInvite: invite,
            onClose: closeDialog,
          }}
        />
      )}
      {dialog === "result" && state.result && (
        <Lazy
          load={async () => (await import("./result")).ResultDialog}
          kind="above"
          props={{
            code: connection.code,
            title,
            layout,
            state,
            result: state.result,
            ended: table.log.at(-1)?.at ?? 0,
            name: actions.name,
            onRematch: state.you.length > 0 || state.rematch ? rematch : null,
            onClose: closeDialog,
          }}
        />
      )}
      {pages.dayOver && state.daily !== null && seated && !state.over && (
        <Lazy load={pages.dayOver} kind="unseen" props={{ day: state.daily }} />
      )}
      <RematchInvitation state={state} />
    </div>
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

/** Return the feedback for a change. */
function feedbackFor(before: View, { view, over, you }: StateMessage): Feedback | null {
  if (over) {
    return "end";
  }
  if (before.chance === "roll" && view.chance !== "roll") {
    return "roll";
  }
  return you.some((seat) => familyOf(view).gainsBonus(before, view, seat)) ? "bonus" : "write";
}

function Reload(): JSX.Element {
  return (
    <button type="button" class="button small" onClick={() => location.reload()}>
      {translate("page.reload")}
    </button>
  );
}

function Connecting({
  notice,
  outdated,
}: {
  notice: string | null;
  outdated: boolean;
}): JSX.Element {
  if (outdated) {
    return (
      <main class="lost">
        <p role="alert">{translate("page.outdated")}</p>
        <Reload />
      </main>
    );
  }
  return (
    <main class="lost">
      <p role="status">{notice ?? translate("page.connecting")}</p>
      {notice !== null && (
        <button type="button" class="button primary" onClick={() => go(HOME)}>
          {translate("page.lost.home")}
        </button>
      )}
    </main>
  );
}
