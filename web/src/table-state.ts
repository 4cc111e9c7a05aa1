/** What a table looks like to this page, and how each message of the server changes it. Pure. */
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
import { type Marks, marksAfter } from "./table/marks";

/** Whoever sends pings by itself, and not for the player, does so with this number. */
export const PING_REF = 0;

export interface TableState {
  link: "connecting" | "open" | "lost" | "closed";
  state: StateMessage | null;
  /** The view before the last one: what is new can be shown as new. */
  before: View | null;
  /** What the last move of each player changed. */
  marks: Marks;
  log: readonly LogEntry[];
  /** Advice for the moves of now, kept while it is closed. */
  hint: HintMessage | null;
  /** The advice is to be shown, or is being waited for. */
  hintOpen: boolean;
  /** The question for a hint that still wants its answer; -1 for none. */
  hintRef: number;
  /** Chances in the position that is shown, and in no other. */
  odds: OddsMessage | null;
  /** Why things are as they are in the position that is shown, for whoever has asked. */
  why: WhyMessage | null;
  /** The question for it that still wants its answer; -1 for none. */
  whyRef: number;
  /** What each own move would do, as long as the moves are the same. */
  preview: PreviewMessage | null;
  /** The question for it: nobody asked it by hand, so a refusal needs no words. */
  previewRef: number;
  /** The seq of the first state with the own moves of now: what was worked out before is about others. */
  decisionSeq: number;
  invitation: InvitationMessage | null;
  /** A sentence of the server for the player: a refusal, a farewell. */
  notice: string | null;
  /** One that holds until the page is left: a computer player does not play as it should. */
  warning: string | null;
  /** Refs of messages not answered yet. */
  pending: ReadonlySet<number>;
  /** How far the game is by the last answer: a state older than that is no longer what one chooses from. */
  awaitedSeq: number;
  /** How often the server has said no. */
  refusals: number;
  /** Another page is needed: reload. */
  outdated: boolean;
  /** The server knows none of the tokens. */
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

/** Others may act while a player thinks; what he was told holds as long as the dice and his own moves are the same. */
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

/** Whether the player may choose: all he did is answered, and what came of it is shown. */
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
        return table; // an answer all the same
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
      // A stale message needs no words: the newer state is what the player sees next.
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
      return table; // answers to whoever asked, see Connection.ask
    case "pong":
      return { ...table, pending: without(table.pending, message.ref) };
    case "bye":
      return { ...table, notice: message.words };
  }
}
