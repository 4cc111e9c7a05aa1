/** A websocket that notices when nobody is at the other end any more, which TCP does not tell for minutes. */

import { onWaking } from "./resume";
import { PING_REF } from "./table-state";
import type { Transport } from "./transport";

const QUIET = 10_000; // ms without a message after which it asks whether anybody is there
const UNANSWERED = 2_000; // the same after something was sent
const PATIENCE = 8_000; // ms it waits for the answer, or to be opened
const WAKING_PATIENCE = 4_000; // after a sleep, when nobody is likely to answer
const PING = JSON.stringify({ type: "ping", ref: PING_REF });

export class LiveSocket implements Transport {
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  private readonly socket: WebSocket;
  private ended = false;
  /** Something was sent and nothing has come since. */
  private waits = false;
  private timer = 0;
  private readonly stopWatching: () => void;

  constructor(address: string) {
    this.socket = new WebSocket(address);
    this.socket.onopen = () => {
      this.heard();
      this.onopen?.();
    };
    this.socket.onmessage = (event: MessageEvent<string>) => {
      this.heard();
      this.onmessage?.(event);
    };
    this.socket.onclose = this.end;
    this.after(PATIENCE, this.end);
    addEventListener("offline", this.end);
    this.stopWatching = onWaking(() => this.ask(WAKING_PATIENCE));
  }

  get readyState(): number {
    return this.ended ? WebSocket.CLOSED : this.socket.readyState;
  }

  send(text: string): void {
    this.socket.send(text);
    if (!this.waits) {
      this.waits = true;
      this.after(UNANSWERED, () => this.ask());
    }
  }

  close(): void {
    this.end();
  }

  private heard(): void {
    this.waits = false;
    this.after(QUIET, () => this.ask());
  }

  private ask(patience = PATIENCE): void {
    if (this.readyState === WebSocket.OPEN) {
      this.waits = true;
      this.socket.send(PING);
      this.after(patience, this.end);
    }
  }

  private after(wait: number, work: () => void): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(work, wait);
  }

  /** Ends without waiting for the other side, which may be out of reach. */
  private end = (): void => {
    if (this.ended) {
      return;
    }
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("offline", this.end);
    this.stopWatching();
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.onclose?.();
  };
}
