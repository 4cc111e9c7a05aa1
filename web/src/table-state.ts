/** The state of a table in this page, and how messages change it. Pure. */
import { familyOf } from "./family";
import type {
  HintMessage,
  InvitationMessage,
  LogEntry,
  OddsMessage,
  PreviewMessage,
  ServerMessage,
  StateMessage,
  View,
  WhyMessage,
} from "./protocol";

/** Marks of what the last move of each player changed on their sheet or levels, by seat. */
export type Marks = readonly ReadonlySet<string>[];

/** The ref of pings. */
export const PING_REF = 0;

export interface TableState {
  link: "connecting" | "open" | "lost" | "closed";
  state: StateMessage | null;
  /** The previous view, to highlight changes. */
  before: View | null;
  /** Marks of what the last move of each player changed. */
  marks: Marks;
  log: readonly LogEntry[];
  /** The hint for the current moves; kept while it is hidden. */
  hint: HintMessage | null;
  /** The hint is shown or requested. */
  hintOpen: boolean;
  /** Ref of the pending request for a hint; -1 for none. */
  hintRef: number;
  /** Odds of the shown position. */
  odds: OddsMessage | null;
  /** Explanation of the shown position, if requested. */
  why: WhyMessage | null;
  /** Ref of the pending request for it; -1 for none. */
  whyRef: number;
  /** Previews of the player's current moves. */
  preview: PreviewMessage | null;
  /** Ref of the request for it; it is automatic, so a refusal is not shown. */
  previewRef: number;
  /** Seq of the first state with the current moves; older previews are for other moves. */
  decisionSeq: number;
  invitation: InvitationMessage | null;
  /** A message of the server for the player. */
  notice: string | null;
  /** A permanent message: a computer player is weaker than its strength. */
  warning: string | null;
  /** Refs of unanswered requests. */
  pending: ReadonlySet<number>;
  /** Seq of the last answer; an older state must not be used for moves. */
  awaitedSeq: number;
  /** Number of refusals. */
  refusals: number;
  /** The page is too old for the server: reload. */
  outdated: boolean;
  /** The server does not know the tokens. */
  unknownToken: boolean;
}

export const UNCONNECTED: TableState = {
  link: "connecting",
  state: null,
  before: null,
  marks: [],
  log: [],
  hint: null,
  hintOpen: false,
  hintRef: -1,
  odds: null,
  why: null,
  whyRef: -1,
  preview: null,
  previewRef: -1,
  decisionSeq: -1,
  invitation: null,
  notice: null,
  warning: null,
  pending: new Set(),
  awaitedSeq: -1,
  refusals: 0,
  outdated: false,
  unknownToken: false,
};

function without(pending: ReadonlySet<number>, ref: number): ReadonlySet<number> {
  const remaining = new Set(pending);
  remaining.delete(ref);
  return remaining;
}

/** Return the marks after a new view: new ones of players who moved, valid ones of the others. */
function marksAfter(marks: Marks, before: View, now: View): Marks {
  const family = familyOf(now);
  return Array.from({ length: family.seatCount(now) }, (_, seat) => {
    const newMarks = family.newMarks(before, now, seat);
    return newMarks.size > 0
      ? newMarks
      : new Set([...(marks[seat] ?? [])].filter((mark) => family.hasMark(now, seat, mark)));
  });
}

/**
 * Whether hints and previews are still valid: the dice and the player's moves are the same,
 * although others may have moved.
 */
function sameDecision(before: StateMessage | null, now: StateMessage): boolean {
  const moves = (state: StateMessage, seat: number): string =>
    (state.moves.find((entry) => entry.seat === seat)?.moves ?? []).map((move) => move.id).join();
  return (
    before !== null &&
    before.view.round === now.view.round &&
    before.view.roll === now.view.roll &&
    now.you.every((seat) => moves(before, seat) === moves(now, seat))
  );
}

/** Whether the player can act: all requests are answered and their result is shown. */
export function isIdle({ link, pending, state, awaitedSeq }: TableState): boolean {
  return link === "open" && pending.size === 0 && state !== null && state.seq >= awaitedSeq;
}

export function receive(table: TableState, message: ServerMessage): TableState {
  switch (message.type) {
    case "state": {
      const unchanged = sameDecision(table.state, message);
      const sameState = table.state?.seq === message.seq;
      return {
        ...table,
        link: "open",
        state: message,
        before: table.state && table.state.seq < message.seq ? table.state.view : null,
        marks: table.state ? marksAfter(table.marks, table.state.view, message.view) : [],
        log: [...table.log.slice(0, message.log_from), ...message.log],
        hint: unchanged ? table.hint : null,
        preview: unchanged ? table.preview : null,
        hintOpen: unchanged && table.hintOpen,
        hintRef: unchanged ? table.hintRef : -1,
        decisionSeq: unchanged ? table.decisionSeq : message.seq,
        odds: sameState ? table.odds : null,
        why: sameState ? table.why : null,
        whyRef: sameState ? table.whyRef : -1,
        notice: unchanged ? table.notice : null,
      };
    }
    case "seats":
      return table.state
        ? {
            ...table,
            state: { ...table.state, seats: message.seats, spectators: message.spectators },
          }
        : table;
    case "ack":
      return { ...table, pending: without(table.pending, message.ref), awaitedSeq: message.seq };
    case "refused": {
      if (message.ref === PING_REF) {
        return table; // a refused ping is a reply too
      }
      const pending = without(table.pending, message.ref);
      if (message.ref >= 0 && message.ref === table.previewRef) {
        return { ...table, pending };
      }
      table = {
        ...table,
        refusals: table.refusals + 1,
        ...(message.ref === table.hintRef ? { hintRef: -1, hintOpen: false } : {}),
      };
      if (message.reason === "old_page") {
        return { ...table, pending, outdated: true };
      }
      if (message.reason === "unknown_token") {
        return { ...table, pending, unknownToken: true };
      }
      if (message.reason === "weaker_player") {
        return { ...table, pending, warning: message.words };
      }
      // No notice for stale requests: the newer state follows.
      return {
        ...table,
        pending,
        notice:
          message.reason === "stale" || message.reason === "no_odds" ? table.notice : message.words,
      };
    }
    case "hint":
      return message.ref === table.hintRef ? { ...table, hint: message, hintRef: -1 } : table;
    case "odds":
      return message.seq === table.state?.seq ? { ...table, odds: message } : table;
    case "why":
      return message.ref === table.whyRef ? { ...table, why: message, whyRef: -1 } : table;
    case "preview":
      return message.ref === table.previewRef && message.seq >= table.decisionSeq
        ? { ...table, preview: message }
        : table;
    case "invitation":
      return { ...table, pending: without(table.pending, message.ref), invitation: message };
    case "pace":
      return table.state ? { ...table, state: { ...table.state, pace: message.pace } } : table;
    case "rematch":
      return table.state ? { ...table, state: { ...table.state, rematch: message.table } } : table;
    case "moments":
    case "review":
    case "verdict":
      return table; // handled by Connection.ask
    case "pong":
      return { ...table, pending: without(table.pending, message.ref) };
    case "bye":
      return { ...table, notice: message.words };
  }
}
