import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Connection as ConnectionType, Request } from "../src/connection";
import type { Layout } from "../src/protocol";
import type { Transport } from "../src/transport";

const backend = vi.hoisted(() => ({
  sockets: [] as FakeTransport[],
  /** Whether the server answers a probe; null if nothing arrives. */
  answer: null as boolean | null,
  probes: 0,
}));

class FakeTransport implements Transport {
  readyState = 0;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  sent: { type: string; [name: string]: unknown }[] = [];

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<string>);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

vi.mock("#backend", () => ({
  SITE: false,
  openTransport: () => {
    backend.sockets.push(new FakeTransport());
    return backend.sockets.at(-1);
  },
  probe: (signal: AbortSignal) => {
    backend.probes += 1;
    return new Promise<boolean>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      if (backend.answer !== null) {
        resolve(backend.answer);
      }
    });
  },
}));
vi.mock("../src/family", () => ({
  familyOf: () => ({ letters: () => "", piles: () => null, seatCount: () => 0 }),
}));
vi.mock("../src/fair/witness", () => ({
  Witness: class {
    roll = () => null;
    reconnected = () => undefined;
    refused = () => undefined;
    observe = () => undefined;
    shouldResendRoll = () => true;
  },
}));

const pageEvents = new EventTarget();
const MOVE: Request = { type: "move", seq: 3, seat: 0, move: 7 };
const state = (seq: number): object => ({
  type: "state",
  seq,
  log: [],
  log_from: 0,
  moves: [],
  you: [],
  view: {},
});

let connection: ConnectionType;
const socket = (): FakeTransport => backend.sockets.at(-1) as FakeTransport;
const movesSent = (): object[] => socket().sent.filter(({ type }) => type === "move");

/** Open the socket as a server that knows the table does. */
function answer(seq = 3): void {
  socket().open();
  socket().hear(state(seq));
}

beforeEach(async () => {
  vi.useFakeTimers();
  Object.assign(backend, { sockets: [], answer: null, probes: 0 });
  vi.stubGlobal("WebSocket", { OPEN: 1, CLOSED: 3 });
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal("addEventListener", pageEvents.addEventListener.bind(pageEvents));
  vi.stubGlobal("removeEventListener", pageEvents.removeEventListener.bind(pageEvents));
  const { Connection } = await import("../src/connection");
  connection = new Connection("k7m2xq", {} as Layout);
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a lost connection", () => {
  it("is shown until the state arrives again", () => {
    answer();
    expect(connection.table.get().link).toBe("open");
    socket().close();
    expect(connection.table.get().link).toBe("lost");
    vi.advanceTimersByTime(300);
    socket().open();
    expect(connection.table.get().link).toBe("lost");
    socket().hear(state(3));
    expect(connection.table.get().link).toBe("open");
  });

  it("sends an unanswered move once for each connection, and an answered one never again", () => {
    answer();
    connection.send(MOVE);
    socket().close();
    vi.advanceTimersByTime(300);
    expect(socket().sent).toEqual([]);
    answer();
    socket().hear(state(3));
    expect(movesSent()).toEqual([{ ...MOVE, ref: 2 }]);
    socket().hear({ type: "ack", ref: 2, seq: 4 });
    socket().close();
    vi.advanceTimersByTime(300);
    answer(4);
    expect(movesSent()).toEqual([]);
  });

  it("forgets a repeated move that the server refuses as stale", () => {
    answer();
    connection.send(MOVE);
    socket().close();
    vi.advanceTimersByTime(300);
    answer(4);
    socket().hear({ type: "refused", ref: 2, reason: "stale", words: "" });
    socket().close();
    vi.advanceTimersByTime(300);
    answer(4);
    expect(movesSent()).toEqual([]);
    expect(connection.table.get().pending.size).toBe(0);
  });

  it("is back within a second after a long time without a network", async () => {
    answer();
    socket().close();
    for (let second = 0; second < 120; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      socket().close(); // each attempt fails
    }
    const attempts = backend.sockets.length;
    expect(attempts).toBeLessThan(15); // browsers slow down pages that open more
    backend.answer = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(backend.sockets.length).toBeGreaterThan(attempts);
    answer();
    const { probes } = backend;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(backend.probes).toBe(probes);
  });

  it("gives up an attempt that hangs when the server answers", async () => {
    answer();
    socket().close();
    await vi.advanceTimersByTimeAsync(2_000);
    const hanging = socket();
    backend.answer = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(hanging.readyState).toBe(3);
    expect(socket()).not.toBe(hanging);
  });

  it("gives up an attempt made just before the network returned", async () => {
    answer();
    socket().close();
    await vi.advanceTimersByTimeAsync(400);
    const early = socket();
    expect(early.readyState).toBe(0);
    backend.answer = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(socket()).not.toBe(early);
    answer();
    const attempts = backend.sockets.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(backend.sockets.length).toBe(attempts);
  });

  it("does not flood a server that answers but opens no socket", async () => {
    answer();
    backend.answer = true;
    socket().close();
    for (let step = 0; step < 600; step += 1) {
      await vi.advanceTimersByTimeAsync(100);
      if (socket().readyState === 0) {
        socket().close();
      }
    }
    expect(backend.sockets.length).toBeLessThan(25);
  });

  it("tries again at once when the browser is online", () => {
    answer();
    socket().close();
    for (let attempt = 0; attempt < 8; attempt += 1) {
      vi.advanceTimersByTime(20_000);
      socket().close();
    }
    const attempts = backend.sockets.length;
    pageEvents.dispatchEvent(new Event("online"));
    expect(backend.sockets.length).toBe(attempts + 1);
  });

  it("leaves no timers when the table is left", async () => {
    answer();
    socket().close();
    await vi.advanceTimersByTimeAsync(700);
    connection.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("asks for the whole log in the language chosen while the connection was lost", async () => {
  const { locale } = await import("../src/translate");
  answer();
  socket().close();
  locale.set({ ...locale.get(), language: "nl" });
  vi.advanceTimersByTime(300);
  socket().open();
  expect(socket().sent).toMatchObject([{ type: "hello", language: "nl", seq: -1 }]);
  socket().hear(state(3));
  socket().close();
  vi.advanceTimersByTime(300);
  socket().open();
  expect(socket().sent).toMatchObject([{ type: "hello", language: "nl", seq: 3 }]);
});
