import { beforeAll, describe, expect, it } from "vitest";
import { loadFamily } from "../src/family";
import type { CleverMoveView, CleverView, LogEntry, StateMessage } from "../src/protocol";
import { isIdle, receive, UNCONNECTED } from "../src/table-state";

beforeAll(() => loadFamily("clever"));

const VIEW: CleverView = {
  kind: "clever",
  round: 1,
  rounds: 6,
  active: 0,
  passive_turn: false,
  roll: 0,
  dice: [],
  fields: [],
  follow: [],
  chance: "",
  acting: [],
  over: false,
  places: [],
  sheets: [],
};

const MOVE: CleverMoveView = {
  family: "clever",
  id: 0,
  text: "",
  words: "",
  kind: "pass",
  die: -1,
  area: -1,
  cell: -1,
  value: 0,
  bonus: "",
};

function entry(index: number): LogEntry {
  return { index, seat: 0, text: `m${index}`, words: `move ${index}`, at: 0 };
}

function state(part: Partial<StateMessage>): StateMessage {
  return {
    type: "state",
    table: "bcdfgh",
    seq: 0,
    game: "ganz-schoen-clever",
    you: [0],
    resting: [],
    host: true,
    seats: [],
    spectators: 0,
    watchers: [],
    view: VIEW,
    acting: [],
    moves: [],
    prompts: [],
    headline: "",
    rollers: [],
    undo: [],
    scores: [],
    log_from: 0,
    log: [],
    over: false,
    result: null,
    invitation: null,
    rematch: null,
    deadline: null,
    practice: false,
    daily: null,
    typed_dice: false,
    entry: null,
    correct: false,
    sealing: null,
    pace: 0,
    ...part,
  };
}

describe("the log", () => {
  it("grows with new entries and shrinks with an undo", () => {
    const first = receive(UNCONNECTED, state({ seq: 2, log: [entry(0), entry(1)] }));
    const second = receive(first, state({ seq: 3, log_from: 2, log: [entry(2)] }));
    expect(second.log.map(({ index }) => index)).toEqual([0, 1, 2]);
    const undone = receive(second, state({ seq: 4, log_from: 2, log: [] }));
    expect(undone.log.map(({ index }) => index)).toEqual([0, 1]);
  });
});

describe("a new state", () => {
  it("keeps the previous view, unless the state is repeated", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    expect(first.before).toBeNull();
    expect(receive(first, state({ seq: 2 })).before).toBe(first.state?.view);
    expect(receive(first, state({ seq: 1 })).before).toBeNull();
  });

  it("counts refusals", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    expect(
      receive(first, { type: "refused", ref: 1, seq: 1, reason: "stale", words: "" }).refusals,
    ).toBe(first.refusals + 1);
  });

  it("belongs to the same decision while only others act", () => {
    const moves = (id: number): Partial<StateMessage> => ({
      moves: [{ seat: 0, moves: [{ ...MOVE, id }] }],
    });
    const first = receive(UNCONNECTED, state({ seq: 1, ...moves(5) }));
    expect(receive(first, state({ seq: 2, ...moves(5) })).decisionSeq).toBe(1);
    expect(receive(first, state({ seq: 2, ...moves(6) })).decisionSeq).toBe(2);
    expect(receive(first, state({ seq: 2 })).decisionSeq).toBe(2);
    for (const later of [
      { ...VIEW, roll: 1 },
      { ...VIEW, round: 2 },
    ]) {
      expect(receive(first, state({ seq: 4, ...moves(5), view: later })).decisionSeq).toBe(4);
    }
  });
});

describe("a pong", () => {
  it("changes nothing", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    expect(receive(first, { type: "pong", ref: 0 })).toBe(first);
  });
});

describe("the board", () => {
  it("is disabled until the answer and its state have arrived", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    expect(isIdle(first)).toBe(true);
    const sent = { ...first, pending: new Set([1]) };
    expect(isIdle(sent)).toBe(false);
    const acknowledged = receive(sent, { type: "ack", ref: 1, seq: 2 });
    expect(isIdle(acknowledged)).toBe(false);
    expect(isIdle(receive(acknowledged, state({ seq: 2 })))).toBe(true);
  });
});

describe("refusals", () => {
  const pending = { ...UNCONNECTED, pending: new Set([4, 5]) };

  it("show the server's text and enable the board", () => {
    const after = receive(pending, {
      type: "refused",
      ref: 4,
      seq: 1,
      reason: "illegal_move",
      words: "No.",
    });
    expect(after.notice).toBe("No.");
    expect([...after.pending]).toEqual([5]);
  });

  it("of stale requests show nothing", () => {
    expect(
      receive(pending, { type: "refused", ref: 4, seq: 1, reason: "stale", words: "Old." }).notice,
    ).toBeNull();
  });

  it("of an old page need a reload, of unknown tokens another hello", () => {
    expect(
      receive(pending, { type: "refused", ref: -1, seq: 0, reason: "old_page", words: "" })
        .outdated,
    ).toBe(true);
    expect(
      receive(pending, { type: "refused", ref: -1, seq: 0, reason: "unknown_token", words: "" })
        .unknownToken,
    ).toBe(true);
  });

  it("about weaker computer players stay visible", () => {
    const answered = receive(UNCONNECTED, {
      type: "refused",
      ref: -1,
      seq: 1,
      reason: "weaker_player",
      words: "Seat 2 is weaker.",
    });
    expect(receive(answered, state({ seq: 2, moves: [{ seat: 0, moves: [MOVE] }] })).warning).toBe(
      "Seat 2 is weaker.",
    );
  });
});
