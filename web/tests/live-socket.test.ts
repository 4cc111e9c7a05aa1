import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveSocket } from "../src/live-socket";

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static last: FakeSocket;
  readyState = FakeSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: string[] = [];
  left = false;

  constructor() {
    FakeSocket.last = this;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  send(text: string): void {
    this.sent.push(text);
  }

  /** The other side is unreachable and never confirms, so `onclose` is not called. */
  close(): void {
    this.left = true;
  }

  hear(data: string): void {
    this.onmessage?.({ data });
  }
}

const PING = '{"type":"ping","ref":0}';
const pageEvents = new EventTarget();
const documentEvents = Object.assign(new EventTarget(), { hidden: false });

function openSocket(): { transport: LiveSocket; socket: FakeSocket; ends: () => number } {
  const transport = new LiveSocket("ws://table");
  let ends = 0;
  transport.onclose = () => {
    ends += 1;
  };
  FakeSocket.last.open();
  return { transport, socket: FakeSocket.last, ends: () => ends };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", documentEvents);
  vi.stubGlobal("addEventListener", pageEvents.addEventListener.bind(pageEvents));
  vi.stubGlobal("removeEventListener", pageEvents.removeEventListener.bind(pageEvents));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a socket", () => {
  it("stays open while it gets answers", () => {
    const { socket, ends } = openSocket();
    for (let count = 0; count < 60; count += 1) {
      vi.advanceTimersByTime(9_000);
      socket.hear("pong");
    }
    expect(socket.sent.length).toBeGreaterThan(50);
    expect(ends()).toBe(0);
  });

  it("sends no ping while messages arrive", () => {
    const { socket } = openSocket();
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1_000);
      socket.hear("state");
    }
    expect(socket.sent).toEqual([]);
  });

  it("closes within ten seconds without a message", () => {
    const { transport, socket, ends } = openSocket();
    vi.advanceTimersByTime(4_000);
    expect(socket.sent).toEqual([PING]);
    vi.advanceTimersByTime(6_000);
    expect([ends(), transport.readyState, socket.left]).toEqual([1, FakeSocket.CLOSED, true]);
    socket.onclose?.();
    expect(ends()).toBe(1);
  });

  it("closes ten seconds after an unanswered move, whatever else is sent", () => {
    const { transport, socket, ends } = openSocket();
    for (let second = 0; second < 10; second += 1) {
      transport.send("move");
      vi.advanceTimersByTime(1_000);
    }
    expect(socket.sent).toContain(PING);
    expect(ends()).toBe(1);
  });

  it("closes if it cannot be opened", () => {
    const transport = new LiveSocket("ws://table");
    vi.advanceTimersByTime(8_000);
    expect(transport.readyState).toBe(FakeSocket.CLOSED);
  });

  it("closes when the network is lost", () => {
    const { ends } = openSocket();
    pageEvents.dispatchEvent(new Event("offline"));
    expect(ends()).toBe(1);
  });

  it("sends a ping with a shorter timeout when its page is shown again", () => {
    for (const wake of [
      () => documentEvents.dispatchEvent(new Event("visibilitychange")),
      () => pageEvents.dispatchEvent(new Event("pageshow")),
    ]) {
      const { socket, ends } = openSocket();
      wake();
      expect(socket.sent).toEqual([PING]);
      vi.advanceTimersByTime(1_000);
      expect(ends()).toBe(1);
    }
  });

  it("sends fewer pings while nobody sees its page", () => {
    documentEvents.hidden = true;
    const { socket } = openSocket();
    documentEvents.hidden = false;
    vi.advanceTimersByTime(9_000);
    expect(socket.sent).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(socket.sent).toEqual([PING]);
  });

  it("sends a ping when its device has slept", () => {
    const { socket } = openSocket();
    vi.advanceTimersByTime(2_000);
    socket.hear("state");
    vi.setSystemTime(Date.now() + 600_000); // timers stop while a device sleeps
    vi.advanceTimersByTime(2_000);
    expect(socket.sent).toEqual([PING]);
  });

  it("leaves no timers and listeners when it is closed", () => {
    const { transport, socket, ends } = openSocket();
    transport.close();
    pageEvents.dispatchEvent(new Event("pageshow"));
    vi.advanceTimersByTime(60_000);
    expect([socket.sent, ends(), vi.getTimerCount()]).toEqual([[], 1, 0]);
  });
});
