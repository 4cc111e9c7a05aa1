/** What a table looks like to this page, and how each message of the server changes it. Pure. */
import type { HintMessage, LogEntry, OddsMessage, ServerMessage, StateMessage, View } from "./protocol";

export interface TableState {
  link: "connecting" | "open" | "lost" | "closed";
  state: StateMessage | null;
  /** The view before the last one: what is new can be shown as new. */
  before: View | null;
  log: readonly LogEntry[];
  hint: HintMessage | null;
  odds: OddsMessage | null;
  /** A sentence of the server for the player: a refusal, a farewell. */
  notice: string | null;
  /** Refs of messages not answered yet. */
  waiting: ReadonlySet<number>;
  /** Another page is needed: reload. */
  outdated: boolean;
  /** The server knows none of the tokens. */
  stranger: boolean;
}

export const UNCONNECTED: TableState = {
  link: "connecting",
  state: null,
  before: null,
  log: [],
  hint: null,
  odds: null,
  notice: null,
  waiting: new Set(),
  outdated: false,
  stranger: false,
};

function answered(waiting: ReadonlySet<number>, ref: number): ReadonlySet<number> {
  const left = new Set(waiting);
  left.delete(ref);
  return left;
}

export function receive(table: TableState, message: ServerMessage): TableState {
  switch (message.type) {
    case "state":
      return {
        ...table,
        link: "open",
        state: message,
        before: table.state && table.state.seq < message.seq ? table.state.view : null,
        log: [...table.log.slice(0, message.log_from), ...message.log],
        hint: table.hint?.seq === message.seq ? table.hint : null,
        odds: table.odds?.seq === message.seq ? table.odds : null,
        notice: null,
      };
    case "seats":
      return table.state ? { ...table, state: { ...table.state, seats: message.seats, spectators: message.spectators } } : table;
    case "ack":
      return { ...table, waiting: answered(table.waiting, message.ref) };
    case "refused": {
      const waiting = answered(table.waiting, message.ref);
      if (message.reason === "old_page") {
        return { ...table, waiting, outdated: true };
      }
      if (message.reason === "unknown_token") {
        return { ...table, waiting, stranger: true };
      }
      // A stale message needs no words: the newer state is what the player sees next.
      return { ...table, waiting, notice: message.reason === "stale" || message.reason === "no_odds" ? table.notice : message.words };
    }
    case "hint":
      return { ...table, waiting: answered(table.waiting, message.ref), hint: message };
    case "odds":
      return { ...table, waiting: answered(table.waiting, message.ref), odds: message };
    case "pace":
      return table.state ? { ...table, state: { ...table.state, pace: message.pace } } : table;
    case "rematch":
      return table.state ? { ...table, state: { ...table.state, rematch: message.table } } : table;
    case "pong":
      return { ...table, waiting: answered(table.waiting, message.ref) };
    case "bye":
      return { ...table, notice: message.words };
  }
}
