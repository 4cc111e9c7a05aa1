import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { pages } from "#backend";
import { Icon } from "../art/icons";
import { Entry } from "../companion/entry";
import type { Connection } from "../connection";
import { drawingOf } from "../drawing";
import { Alarm } from "../fair/seal";
import { familyOf } from "../family";
import { type Feedback, giveFeedback, notify } from "../feedback";
import { claimSeat } from "../me/api";
import { useMedia, WIDE } from "../media";
import { useObservable } from "../observable";
import { HOME } from "../paths";
import type { GameInfo, Layout, MoveView, Preview, StateMessage, View } from "../protocol";
import { go, type NavigationState } from "../route";
import { isIdle } from "../table-state";
import { translate } from "../translate";
import { Banner } from "../ui/banner";
import { Lazy } from "../ui/lazy";
import { Coach } from "./coach";
import { Hints } from "./hints";
import { Log } from "./log";
import { Others } from "./other-sheets";
import { Players } from "./players";
import { PromptBar } from "./prompt";
import { followRematch, RematchInvitation } from "./rematch";
import { useShortcuts } from "./shortcuts";
import { busySeats, movesOf, promptFor, shownSeat } from "./shown-seat";
import { TopBar } from "./top-bar";

const dialogs = (): Promise<typeof import("./dialogs")> => import("./dialogs");

/** Everything a board needs besides its own layout and view. */
export interface BoardActions {
  seat: number;
  /** False while the last message is under way, or when another player's seat is shown. */
  enabled: boolean;
  name: (seat: number) => string;
  onMove: (move: MoveView) => void;
  onRoll: (() => void) | null;
  /** What the last move of the shown player changed. */
  marks: ReadonlySet<string>;
  /** What each of the moves would do; empty until the server has told. */
  previews: readonly Preview[];
  /** The move the advice points at. */
  hinted: MoveView | null;
  /** Draws the prompt with what only the board knows: further buttons, and words that take the place of the usual ones. */
  guide: (choices: ComponentChildren, words?: string | null) => JSX.Element;
}

const NO_MARKS: ReadonlySet<string> = new Set();
const REFUSED = [
  ".dice-panel span[data-die]",
  ".sheet-panel span.cell", // not on the small sheets of the others
  ".sheet-panel .level .card:not(button)",
  ".sheet-panel .levels:has(.zone.lit) .zone:not(.lit) .card-space",
].join();
const NOTICE_STAYS = 7000;
const MEANT = 500; // ms that things have looked as they do: a finger that was late, or tapped twice, asks nothing
const SETTLED = 60;

export function Table({
  connection,
  game,
  levels,
  layout,
}: {
  connection: Connection;
  game: GameInfo;
  levels: readonly string[];
  layout: Layout;
}): JSX.Element {
  const { name: title } = game;
  const table = useObservable(connection.table);
  const [chosen, setChosen] = useState<number | null>(null);
  const [open, setOpen] = useState<
    "" | "rules" | "why" | "log" | "result" | "invitation" | "seats"
  >("");
  const { state } = table;
  const [again, setAgain] = useState(false);
  const seated = (state?.you.length ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (seated) {
      claimSeat(connection.code);
    }
  }, [seated]);
  const busyKey = state ? busySeats(state).join() : "";
  // Whoever looks at another sheet comes back to his own when he is to act.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => setChosen(null), [busyKey]);
  useEffect(() => {
    if (state?.over) {
      setOpen("result");
    }
  }, [state?.over]);
  // Whoever has just opened a table for friends wants to invite them.
  useEffect(() => {
    if (state?.invitation && (history.state as NavigationState | null)?.invites) {
      history.replaceState(null, "");
      setOpen("invitation");
    }
  }, [state?.invitation]);
  // Whoever asked for a rematch goes there at once; the others are invited.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (again && state?.rematch) {
      followRematch(state);
    }
  }, [again, state?.rematch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    document.title = `${state && busySeats(state).length > 0 ? "● " : ""}${title} · Fox & Clover`;
  }, [title, busyKey]);
  const busy = busyKey !== "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (busy && state && !state.over) {
      void notify(title, promptFor(state, shownSeat(state, null)));
      giveFeedback("turn");
    }
  }, [busy]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    const felt = state && table.before ? feelingOf(table.before, state) : null;
    if (felt) {
      giveFeedback(felt);
    }
  }, [state?.seq]);
  const names = useMemo(
    () => (state?.seats ?? []).map((seat) => (seat.open ? translate("page.seat.open") : seat.name)),
    [state?.seats],
  );
  const seat = state ? shownSeat(state, chosen) : 0;
  const moves = state ? movesOf(state, seat) : [];
  const idle = isIdle(table);
  const mine = state?.you.includes(seat) ?? false;
  const roller =
    state?.rollers.find((one) => one === seat && mine) ??
    state?.rollers.find((one) => state.you.includes(one));
  const seq = state?.seq ?? 0;
  const roll =
    roller === undefined ? null : (): void => connection.send({ type: "roll", seq, seat: roller });
  // Whoever throws the dice again has said so already: no second touch for the roll itself, unless the move was refused.
  const rerolling = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    rerolling.current = false;
  }, [table.refusals]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (rerolling.current && roll) {
      rerolling.current = false;
      roll();
    }
  }, [seq]);
  const undoSeat = state?.undo.includes(seat) ? seat : state?.undo[0];
  const holder = state?.you[0] ?? 0;
  const correct = (): void => connection.send({ type: "correct", seq, seat: holder });
  const takeBack =
    undoSeat === undefined
      ? null
      : (): void => connection.send({ type: "undo", seq, seat: undoSeat });
  const undo = takeBack ?? (state?.correct ? correct : null);
  const advice = table.hintOpen && table.hint?.seat === seat ? table.hint : null;
  const thinking = table.hintOpen && table.hintRef >= 0;
  const hint =
    moves.length === 0 || state?.daily ? null : (): void => connection.toggleHint(seq, seat);
  const asked = useRef<string | undefined>(undefined);
  const askWhy = (): void =>
    connection.send(
      asked.current === undefined
        ? { type: "why", seat }
        : { type: "why", seat, about: asked.current },
    );
  const ask = (about?: string): void => {
    asked.current = about;
    askWhy();
    setOpen("why");
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (open === "why" && table.link === "open") {
      askWhy(); // what was answered may not hold any more
    }
  }, [seq, table.link]);
  const why = !mine || state?.over ? null : (): void => ask();
  const changed = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useLayoutEffect(() => {
    changed.current = Date.now();
  }, [seq, seat]);
  // Whoever touches a die, a field, a card or a level that cannot be used is told why.
  const explain = (event: MouseEvent): void => {
    const meant = Date.now() - changed.current > MEANT;
    const touched =
      event.target instanceof Element ? event.target.closest<HTMLElement>(REFUSED) : null;
    if (why && meant && moves.length > 0 && touched) {
      ask(familyOf(layout).thing(layout, touched));
    }
  };
  const [pointed, setPointed] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => setPointed(null), [advice]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    const timer = table.notice === null ? 0 : setTimeout(() => connection.dismiss(), NOTICE_STAYS);
    return () => clearTimeout(timer);
  }, [table.notice]);
  const wide = useMedia(WIDE);
  const wanted = mine && moves.length > 0 && table.link === "open" && !table.preview;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    // Others move quickly: ask when the position has stood for a moment.
    const timer = wanted
      ? setTimeout(() => connection.send({ type: "preview", seq, seat }), SETTLED)
      : 0;
    return () => clearTimeout(timer);
  }, [wanted, seq, seat]);
  useShortcuts({ r: roll, u: undo, h: hint, "?": () => setOpen("rules") }, seq);
  if (state === null) {
    return <Waiting notice={table.notice} outdated={table.outdated} />;
  }
  const onMove = (move: MoveView): void => {
    rerolling.current = move.kind === "reroll";
    connection.send({ type: "move", seq, seat, move: move.id });
  };
  const words = promptFor(state, seat);
  const prompt =
    state.you.length > 1 && mine && state.acting.includes(seat)
      ? `${names[seat] ?? ""}: ${words}`
      : words;
  const hints = (
    <Hints
      thinking={thinking}
      hint={advice}
      moves={moves}
      points={state.scores[seat] ?? 0}
      pointed={pointed}
      onPoint={setPointed}
      onMove={onMove}
    />
  );
  const actions: BoardActions = {
    seat,
    enabled: idle && mine,
    marks: table.marks[seat] ?? NO_MARKS,
    previews: table.preview?.seat === seat ? table.preview.moves : [],
    hinted: moves.find((move) => move.id === (pointed ?? advice?.moves[0]?.move)) ?? null,
    name: (at) => names[at] ?? "",
    onMove,
    onRoll: idle ? roll : null,
    guide: (choices, instead = null) => (
      <PromptBar
        words={
          instead ??
          (state.resting.length > 0 && state.you.length === 0
            ? translate("page.seats.resting")
            : prompt)
        }
        notice={table.notice}
        moves={mine ? moves : []}
        enabled={idle}
        hinting={advice !== null || thinking}
        onMove={onMove}
        onRoll={roll}
        lot={state.view.chance === "lot"}
        onUndo={undo}
        onHint={hint}
        onWhy={why}
      >
        {!wide && (advice || thinking) ? hints : choices}
        {state.resting.map((one) => (
          <button
            key={one}
            type="button"
            class="button primary"
            onClick={() => connection.send({ type: "seat", seat: one, change: "return" })}
          >
            <Icon name="person" /> {translate("page.seats.return")}
          </button>
        ))}
        {waitsForNobody(state) && (
          <button type="button" class="button" onClick={() => setOpen("seats")}>
            <Icon name="next" /> {translate("page.seats.on")}
          </button>
        )}
      </PromptBar>
    ),
  };
  const invite = state.invitation === null ? null : (): void => setOpen("invitation");
  const rematch = (): void => {
    if (state.rematch) {
      followRematch(state);
    } else {
      setAgain(true);
      connection.send({ type: "rematch" });
    }
  };
  const close = (): void => setOpen("");
  const { Board, Picture } = drawingOf(layout);
  return (
    <div class={`table kind-${layout.kind}`}>
      <TopBar
        connection={connection}
        title={title}
        layout={layout}
        state={state}
        onRules={() => setOpen("rules")}
        onLog={() => setOpen("log")}
        onResult={state.over ? () => setOpen("result") : null}
        onInvite={invite}
        onSeats={state.seats.length > 1 ? () => setOpen("seats") : null}
      />
      {table.outdated && (
        <p class="notice banner" role="alert">
          {translate("page.outdated")} <Reload />
        </p>
      )}
      <Alarm witness={connection.witness} />
      {table.warning !== null && <Banner words={table.warning} />}
      <Players state={state} shown={seat} onInvite={invite} onShow={setChosen} />
      {table.link !== "open" && (
        <p class="offline" role="alert">
          <Icon name="wifi" /> {translate("page.reconnecting")}
        </p>
      )}
      {/** biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled for the whole page */}
      <main class="stage" onClick={explain}>
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
        <Others
          layout={layout}
          state={state}
          marks={table.marks}
          shown={seat}
          name={actions.name}
          onShow={setChosen}
        />
        {state.typed_dice && (
          <Entry
            key={table.refusals}
            state={state}
            layout={layout}
            enabled={idle}
            onEnter={(text) => connection.send({ type: "enter", seq, seat: holder, text })}
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
      {open === "rules" && (
        <Lazy
          key="rules"
          load={async () => (await dialogs()).Rules}
          kind="above"
          props={{
            layout,
            title,
            credit: translate("page.credit", {
              designer: game.designer,
              publisher: game.publisher,
            }),
            picture: <Picture layout={layout} />,
            onClose: close,
          }}
        />
      )}
      {open === "why" && (
        <Lazy
          key="why"
          load={async () => (await dialogs()).Why}
          kind="above"
          props={{
            answer: table.why?.seat === seat ? table.why : null,
            onRules: () => setOpen("rules"),
            onClose: close,
          }}
        />
      )}
      {open === "log" && <Log log={table.log} name={actions.name} onClose={close} />}
      {open === "invitation" && (
        <Lazy
          key="invitation"
          load={async () => (await dialogs()).Invitation}
          kind="above"
          props={{ connection, title, onClose: close }}
        />
      )}
      {open === "seats" && (
        <Lazy
          key="seats"
          load={async () => (await dialogs()).Seats}
          kind="above"
          props={{
            connection,
            state,
            notice: table.notice,
            levels,
            onInvite: invite,
            onClose: close,
          }}
        />
      )}
      {open === "result" && state.result && (
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
            onClose: close,
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

/** Whether the table waits for people none of whom is there, and this page may give their seats to others. */
function waitsForNobody({ seats, acting, rollers, host, over }: StateMessage): boolean {
  const awaited = seats.filter(({ seat }) => acting.includes(seat) || rollers.includes(seat));
  return (
    host &&
    !over &&
    awaited.length > 0 &&
    awaited.every((seat) => seat.kind === "person" && !seat.connected)
  );
}

/** What one hears of what has just happened. */
function feelingOf(before: View, { view, over, you }: StateMessage): Feedback | null {
  if (over) {
    return "end";
  }
  if (before.chance === "roll" && view.chance !== "roll") {
    return "roll";
  }
  return you.some((seat) => familyOf(view).hasGained(before, view, seat)) ? "bonus" : "write";
}

function Reload(): JSX.Element {
  return (
    <button type="button" class="button small" onClick={() => location.reload()}>
      {translate("page.reload")}
    </button>
  );
}

function Waiting({ notice, outdated }: { notice: string | null; outdated: boolean }): JSX.Element {
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
