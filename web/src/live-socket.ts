/** A websocket that detects a dead connection, which TCP reports only after minutes. */

import { onResume } from "./resume";
import type { Transport } from "./transport";

/** The ref of pings. */
export const PING_REF = 0;

const IDLE_AFTER = 4_000; // ms without a message until a ping
const IDLE_AFTER_HIDDEN = 10_000; // the same while nobody sees the page
const REPLY_DUE = 2_000; // ms without a reply until a ping
const REPLY_TIMEOUT = 6_000; // ms until a ping fails: a dead connection is detected within 10 s
const CONNECT_TIMEOUT = 8_000; // ms until an attempt to connect fails
const RESUME_TIMEOUT = 1_000; // ms until a ping fails after a sleep, when most connections are dead
const PING = JSON.stringify({ type: "ping", ref: PING_REF });

export class LiveSocket implements Transport {
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  readonly #socket: WebSocket;
  #closed = false;
  /** Something was sent and nothing was received since. */
  #awaitsReply = false;
  #timer = 0;
  readonly #stopListening: () => void;

  constructor(address: string) {
    this.#socket = new WebSocket(address);
    this.#socket.onopen = () => {
      this.#onActivity();
      this.onopen?.();
    };
    this.#socket.onmessage = (event: MessageEvent<string>) => {
      this.#onActivity();
      this.onmessage?.(event);
    };
    this.#socket.onclose = this.#shutDown;
    this.#schedule(CONNECT_TIMEOUT, this.#shutDown);
    addEventListener("offline", this.#shutDown);
    this.#stopListening = onResume(() => this.#ping(RESUME_TIMEOUT));
  }

  get readyState(): number {
    return this.#closed ? WebSocket.CLOSED : this.#socket.readyState;
  }

  send(text: string): void {
    this.#socket.send(text);
    if (!this.#awaitsReply) {
      this.#awaitsReply = true;
      this.#schedule(REPLY_DUE, () => this.#ping());
    }
  }

  close(): void {
    this.#shutDown();
  }

  #onActivity(): void {
    this.#awaitsReply = false;
    this.#schedule(document.hidden ? IDLE_AFTER_HIDDEN : IDLE_AFTER, () => this.#ping());
  }

  #ping(timeout = REPLY_TIMEOUT): void {
    if (this.readyState === WebSocket.OPEN) {
      this.#awaitsReply = true;
      this.#socket.send(PING);
      this.#schedule(timeout, this.#shutDown);
    }
  }

  #schedule(delay: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(action, delay);
  }

  /** Close without waiting for the other side, which may be unreachable. */
  #shutDown = (): void => {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("offline", this.#shutDown);
    this.#stopListening();
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.onclose?.();
  };
}
