import { describe, expect, it } from "vitest";
import type {
  CleverMoveView,
  CleverView,
  LogEntry,
  OddsMessage,
  PreviewMessage,
  StateMessage,
  WhyMessage,
} from "../src/protocol";
import { isIdle, receive, UNCONNECTED } from "../src/table-state";

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

  it("ignores hints that were not requested", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    expect(
      receive({ ...first, hintRef: -1 }, { type: "hint", ref: 1, seq: 1, seat: 0, moves: [] }).hint,
    ).toBeNull();
  });

  it("counts refusals", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    expect(
      receive(first, { type: "refused", ref: 1, seq: 1, reason: "stale", words: "" }).refusals,
    ).toBe(first.refusals + 1);
  });

  it("does not count refused previews", () => {
    const first = { ...receive(UNCONNECTED, state({ seq: 1 })), previewRef: 1 };
    expect(
      receive(first, { type: "refused", ref: 1, seq: 2, reason: "stale", words: "" }).refusals,
    ).toBe(first.refusals);
  });

  it("keeps a hint while others act and drops it when the player's moves change", () => {
    const first = receive(
      UNCONNECTED,
      state({ seq: 1, moves: [{ seat: 0, moves: [{ ...MOVE, id: 3 }] }] }),
    );
    const hinted = receive(
      { ...first, hintRef: 1 },
      { type: "hint", ref: 1, seq: 1, seat: 0, moves: [] },
    );
    const others = receive(
      hinted,
      state({ seq: 2, moves: [{ seat: 0, moves: [{ ...MOVE, id: 3 }] }] }),
    );
    expect(others.hint).not.toBeNull();
    expect(
      receive(others, state({ seq: 3, moves: [{ seat: 0, moves: [{ ...MOVE, id: 4 }] }] })).hint,
    ).toBeNull();
    expect(receive(others, state({ seq: 3 })).hint).toBeNull();
  });
});

describe("answers", () => {
  const odds = (seq: number): OddsMessage => ({
    type: "odds",
    ref: 1,
    seq,
    seat: 0,
    cards: [],
    fail: 0.5,
  });
  const moves = (id: number): Partial<StateMessage> => ({
    moves: [{ seat: 0, moves: [{ ...MOVE, id }] }],
  });

  it("about an older position are never shown", () => {
    const first = receive(UNCONNECTED, state({ seq: 1 }));
    const answered = receive(first, odds(1));
    expect(answered.odds).not.toBeNull();
    expect(receive(answered, state({ seq: 1 })).odds).not.toBeNull();
    const later = receive(answered, state({ seq: 2 }));
    expect(later.odds).toBeNull();
    expect(receive(later, odds(1)).odds).toBeNull();
  });

  it("to another request or for another position are dropped", () => {
    const asked = { ...receive(UNCONNECTED, state({ seq: 1 })), whyRef: 7 };
    const why: WhyMessage = { type: "why", ref: 7, seat: 0, words: ["So."] };
    expect(receive(asked, why).why).toBe(why);
    expect(receive(asked, { ...why, ref: 6 }).why).toBeNull();
    const later = receive(asked, state({ seq: 2 }));
    expect(receive(later, why).why).toBeNull();
    expect(receive(receive(asked, why), state({ seq: 2 })).why).toBeNull();
  });

  it("about previous moves are dropped", () => {
    const preview: PreviewMessage = { type: "preview", ref: 3, seq: 1, seat: 0, moves: [] };
    const asked = { ...receive(UNCONNECTED, state({ seq: 1, ...moves(5) })), previewRef: 3 };
    expect(receive(receive(asked, state({ seq: 2, ...moves(5) })), preview).preview).toBe(preview);
    expect(receive(receive(asked, state({ seq: 2, ...moves(6) })), preview).preview).toBeNull();
  });

  it("about a previous roll are dropped, although the moves are the same", () => {
    const first = receive(
      { ...receive(UNCONNECTED, state({ seq: 1, ...moves(5) })), hintRef: 1 },
      { type: "hint", ref: 1, seq: 1, seat: 0, moves: [] },
    );
    expect(first.hint).not.toBeNull();
    expect(
      receive(first, state({ seq: 4, ...moves(5), view: { ...VIEW, roll: 1 } })).hint,
    ).toBeNull();
    expect(
      receive(first, state({ seq: 9, ...moves(5), view: { ...VIEW, round: 2 } })).hint,
    ).toBeNull();
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
