/** The connection of one table: says hello, comes back after every loss, and keeps the state of the table. */
import { openWire } from "#authority";
import { familyOf } from "./family";
import { forgetTable, tokensOf } from "./memory";
import { observable, type Observable } from "./observable";
import {
  PROTOCOL,
  type ClientMessage,
  type Layout,
  type MomentsMessage,
  type Refused,
  type ReviewMessage,
  type ServerMessage,
  type VerdictMessage,
} from "./protocol";
import { type Piles, Witness } from "./seal/witness";
import { receive, UNCONNECTED, type TableState } from "./table-state";
import type { Wire } from "./wire";
import { say, spoken } from "./words";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const PING_EVERY = 20000;
/** Requests that change the game: nothing else is touched until they are answered. */
const CHANGING: ReadonlySet<string> = new Set(["move", "roll", "undo", "enter", "correct"]);

type Distribute<T> = T extends { ref: number } ? Omit<T, "ref"> : never;
export type Request = Distribute<ClientMessage>;
type Answer = MomentsMessage | ReviewMessage | VerdictMessage;

export class Connection {
  readonly witness: Witness;
  readonly table: Observable<TableState> = observable(UNCONNECTED);
  private socket: Wire | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;
  private ping = 0;
  private ref = 0;
  private ended = false;
  private askers = new Map<number, (answer: Answer | Refused | null) => void>();

  constructor(
    readonly code: string,
    layout: Layout,
    piles: Piles | null,
  ) {
    const family = familyOf(layout);
    this.witness = new Witness(code, {
      letters: family.letters(layout),
      shown: (view) => family.shown(layout, view),
      piles,
    });
    this.open();
    this.ping = window.setInterval(() => this.send({ type: "ping" }), PING_EVERY);
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  /** Asks something that concerns nobody but who asks; `heard` returns whether more is to come. Rejects with the words of a refusal. */
  ask<T extends Answer>(request: Request, heard: (answer: T) => boolean = () => false): Promise<T> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Error(say("page.reconnecting")));
        return;
      }
      this.send(request);
      const { ref } = this;
      this.askers.set(ref, (answer) => {
        if (answer === null || answer.type === "refused") {
          this.askers.delete(ref);
          failed(new Error(answer?.words ?? say("page.reconnecting")));
        } else if (!heard(answer as T)) {
          this.askers.delete(ref);
          done(answer as T);
        }
      });
    });
  }

  send(request: Request): void {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return;
    }
    this.ref += 1;
    const table = this.table.get();
    if (request.type === "hint") {
      this.table.set({ ...table, notice: null, hintOpen: true, hintRef: this.ref });
    }
    if (request.type === "preview") {
      this.table.set({ ...table, previewRef: this.ref });
    }
    if (request.type === "why") {
      this.table.set({ ...table, why: null });
    }
    if (CHANGING.has(request.type)) {
      this.table.set({ ...table, notice: null, waiting: new Set([...table.waiting, this.ref]) });
    }
    const salted =
      request.type === "roll" ? { salt: this.witness.roll(this.ref, request.seat) } : {};
    this.socket.send(JSON.stringify({ ...request, ...salted, ref: this.ref }));
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.ping);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  /** Shows or hides the advice; it is asked for once for the moves of now. */
  toggleHint(seq: number, seat: number): void {
    const table = this.table.get();
    if (table.hintOpen || table.hint?.seat === seat || table.hintRef >= 0) {
      this.table.set({ ...table, hintOpen: !table.hintOpen });
    } else {
      this.send({ type: "hint", seq, seat });
    }
  }

  /** What had to be said has been read. */
  dismiss(): void {
    this.table.set({ ...this.table.get(), notice: null });
  }

  /** Sits down again with the seats remembered now, as after joining. */
  hello(): void {
    const hello: ClientMessage = {
      type: "hello",
      protocol: PROTOCOL,
      tokens: tokensOf(this.code),
      language: spoken.get().language,
      seq: this.table.get().state?.seq ?? -1,
      salt: this.witness.hello(),
    };
    this.socket?.send(JSON.stringify(hello));
  }

  private open(): void {
    const socket = openWire(this.code);
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (event: MessageEvent<string>) =>
      this.take(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => this.lost();
  }

  private take(message: ServerMessage): void {
    this.wait = FIRST_WAIT;
    const asker = "ref" in message ? this.askers.get(message.ref) : undefined;
    if (
      asker &&
      (message.type === "refused" ||
        message.type === "moments" ||
        message.type === "review" ||
        message.type === "verdict")
    ) {
      asker(message);
      return;
    }
    const next = receive(this.table.get(), message);
    this.testify(message, next);
    this.table.set(next);
    if (next.stranger) {
      forgetTable(this.code);
      this.table.set({ ...next, stranger: false });
      this.hello();
    }
  }

  /** What is said of sealed dice is checked before anybody sees it. */
  private testify(message: ServerMessage, { log }: TableState): void {
    if (message.type === "ack" || message.type === "refused") {
      this.witness.answered(message.ref, message.type === "ack" ? message.seq : null);
    }
    if (message.type === "state") {
      this.witness.see(message, log);
    }
  }

  private lost(): void {
    for (const asker of [...this.askers.values()]) {
      asker(null);
    }
    if (this.ended) {
      return;
    }
    // Whatever was under way may or may not have been made; the next state tells.
    this.table.set({
      ...this.table.get(),
      link: "lost",
      hintOpen: false,
      hintRef: -1,
      waiting: new Set(),
      due: -1,
    });
    this.timer = window.setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  private hurry = (): void => {
    if (
      this.table.get().link === "lost" &&
      this.socket?.readyState === WebSocket.CLOSED &&
      !document.hidden
    ) {
      clearTimeout(this.timer);
      this.open();
    }
  };
}
