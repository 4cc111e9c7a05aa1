/** The state of a table in this page, and how messages change it. Pure. */
import { familyOf } from "./family";
import { PING_REF } from "./live-socket";
import type { LogEntry, ReactionMessage, ServerMessage, StateMessage, View } from "./protocol";

/** Marks of what the last move of each player changed on their sheet or levels, by seat. */
export type Marks = readonly ReadonlySet<string>[];

export interface TableState {
  link: "connecting" | "open" | "lost" | "closed";
  state: StateMessage | null;
  /** The previous view, to highlight changes. */
  before: View | null;
  /** Marks of what the last move of each player changed. */
  marks: Marks;
  log: readonly LogEntry[];
  /** Seq of the first state with the player's current moves. */
  decisionSeq: number;
  /** A message of the server for the player. */
  notice: string | null;
  /** A permanent message: a computer player is weaker than its strength. */
  warning: string | null;
  /** The newest reaction of a player; each message is another object. */
  reaction: ReactionMessage | null;
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
  decisionSeq: -1,
  notice: null,
  warning: null,
  reaction: null,
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

/** Whether the dice and the player's moves are the same, although others may have moved. */
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
      return {
        ...table,
        link: "open",
        state: message,
        before: table.state && table.state.seq < message.seq ? table.state.view : null,
        marks: table.state ? marksAfter(table.marks, table.state.view, message.view) : [],
        log: [...table.log.slice(0, message.log_from), ...message.log],
        decisionSeq: unchanged ? table.decisionSeq : message.seq,
        notice: unchanged ? table.notice : null,
      };
    }
    case "seats":
      return table.state
        ? {
            ...table,
            state: {
              ...table.state,
              seats: message.seats,
              spectators: message.spectators,
              watchers: message.watchers,
            },
          }
        : table;
    case "ack":
      return { ...table, pending: without(table.pending, message.ref), awaitedSeq: message.seq };
    case "refused": {
      if (message.ref === PING_REF) {
        return table; // a refused ping is a reply too
      }
      const pending = without(table.pending, message.ref);
      table = { ...table, refusals: table.refusals + 1 };
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
        notice: message.reason === "stale" ? table.notice : message.words,
      };
    }
    case "reaction":
      return { ...table, reaction: message };
    case "pace":
      return table.state ? { ...table, state: { ...table.state, pace: message.pace } } : table;
    case "rematch":
      return table.state ? { ...table, state: { ...table.state, rematch: message.table } } : table;
    case "bye":
      return { ...table, notice: message.words };
    default:
      return table; // a pong, or an answer that nobody waits for any more
  }
}
