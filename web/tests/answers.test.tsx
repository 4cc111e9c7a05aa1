// @vitest-environment happy-dom
import { render } from "preact";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Question, useAnswer } from "../src/answers";
import { Connection } from "../src/connection";
import { loadFamily } from "../src/family";
import type { OddsMessage, StateMessage } from "../src/protocol";
import { locale } from "../src/translate";
import { LAYOUT, loseSocket, openSocket, receive, refOf, STATE, sentOf } from "./fake-table";

vi.mock("#backend", async () => (await import("./fake-table")).silentBackend);

const app = document.createElement("div");
let connection: Connection;

function Shown({ question }: { question: Question | null }): string {
  const { pending, answer, failure } = useAnswer(connection, question).value;
  return failure?.message ?? (answer ? JSON.stringify(answer) : pending ? "pending" : "nothing");
}

const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(500));

async function ask(question: Question | null): Promise<void> {
  render(<Shown question={question} />, app);
  await settle();
}

async function hear(message: Parameters<typeof receive>[0]): Promise<void> {
  receive(message);
  await settle();
}

const state = (seq: number, part: Partial<StateMessage> = {}): StateMessage => ({
  ...STATE,
  seq,
  ...part,
});
const nextRoll = (seq: number): StateMessage =>
  state(seq, { view: { ...STATE.view, roll: STATE.view.roll + 1 } });
const odds = (seq: number, fail: number): OddsMessage => ({
  type: "odds",
  ref: refOf("odds"),
  seq,
  seat: 0,
  cards: [],
  fail,
});

beforeAll(() => loadFamily("clever"));

beforeEach(async () => {
  vi.useFakeTimers();
  connection = new Connection("bcdfgh", LAYOUT);
  openSocket();
  await hear(state(1));
});

afterEach(() => {
  render(null, app);
  connection.close();
  locale.set({ language: "en", texts: {} });
  vi.useRealTimers();
});

describe("odds", () => {
  it("of an older roll disappear with the next roll", async () => {
    await ask({ type: "odds", seat: 0 });
    expect(app.textContent).toBe("pending");
    await hear(odds(1, 0.5));
    expect(app.textContent).toContain("0.5");
    await hear(nextRoll(2));
    expect(app.textContent).toBe("pending");
    await hear(odds(2, 0.25));
    expect(app.textContent).toContain("0.25");
  });

  it("that arrive after the next roll are not shown", async () => {
    await ask({ type: "odds", seat: 0 });
    const late = odds(1, 0.5);
    await hear(nextRoll(2));
    await hear(late);
    expect(app.textContent).toBe("pending");
    expect(sentOf("odds").map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe("a question", () => {
  it("is asked once per position, seat and language", async () => {
    await ask({ type: "odds", seat: 0 });
    await hear(odds(1, 0.5));
    await ask(null);
    await ask({ type: "odds", seat: 0 });
    expect(app.textContent).toContain("0.5");
    expect(sentOf("odds")).toHaveLength(1);
    await ask({ type: "odds", seat: 1 });
    expect(sentOf("odds")).toHaveLength(2);
    locale.set({ language: "nl", texts: {} });
    await settle();
    expect(sentOf("odds")).toHaveLength(3);
  });

  it("about the own moves keeps its answer while others act", async () => {
    await ask({ type: "hint", seat: 0 });
    await hear({ type: "hint", ref: refOf("hint"), seq: 1, seat: 0, moves: [] });
    await hear(state(2));
    expect(app.textContent).toContain('"hint"');
    await hear(nextRoll(3));
    expect(app.textContent).toBe("pending");
  });

  it("is asked again after a lost connection", async () => {
    await ask({ type: "odds", seat: 0 });
    loseSocket();
    await settle();
    openSocket();
    await hear(state(1));
    expect(sentOf("odds")).toHaveLength(1); // on the new socket
    await hear(odds(1, 0.5));
    expect(app.textContent).toContain("0.5");
  });

  it("that is refused shows the reason, and changes nothing else at the table", async () => {
    await ask({ type: "why", seat: 0 });
    const before = connection.table.get();
    await hear({
      type: "refused",
      ref: refOf("why"),
      seq: 1,
      reason: "too_fast",
      words: "Not so fast.",
    });
    expect(app.textContent).toBe("Not so fast.");
    expect(connection.table.get()).toBe(before);
  });

  it("that is too late waits for the next state", async () => {
    await ask({ type: "odds", seat: 0 });
    await hear({ type: "refused", ref: refOf("odds"), seq: 2, reason: "stale", words: "Old." });
    expect(app.textContent).toBe("nothing");
    await hear(nextRoll(2));
    expect(app.textContent).toBe("pending");
  });
});
