/** The connection of one table: says hello, comes back after every loss, and keeps the state of the table. */
import { openTransport } from "#backend";
import { type Piles, Witness } from "./fair/witness";
import { familyOf } from "./family";
import { forgetTable, tokensOf } from "./memory";
import { type Observable, observable } from "./observable";
import {
  type ClientMessage,
  type Layout,
  type MomentsMessage,
  PROTOCOL,
  type Refused,
  type ReviewMessage,
  type ServerMessage,
  type VerdictMessage,
} from "./protocol";
import { onWaking } from "./resume";
import { receive, type TableState, UNCONNECTED } from "./table-state";
import { spoken, translate } from "./translate";
import type { Transport } from "./transport";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
/** Requests that change the game: nothing else is touched until they are answered. */
const CHANGING: ReadonlySet<string> = new Set(["move", "roll", "undo", "enter", "correct"]);

type Distribute<T> = T extends { ref: number } ? Omit<T, "ref"> : never;
export type Request = Distribute<ClientMessage>;
type Answer = MomentsMessage | ReviewMessage | VerdictMessage;

export class Connection {
  readonly witness: Witness;
  readonly table: Observable<TableState> = observable(UNCONNECTED);
  private socket: Transport | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;
  private ref = 0;
  private ended = false;
  /** Whether a state has come over this socket. */
  private greeted = false;
  /** Requests that change the game and are not answered yet, by ref. */
  private unanswered = new Map<number, Request>();
  /** The tokens of the last hello. */
  private said: readonly string[] = [];
  private askers = new Map<number, (answer: Answer | Refused | null) => void>();
  private readonly stopWatching: () => void;

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
    addEventListener("online", this.hurry);
    this.stopWatching = onWaking(
      () => this.socket?.readyState === WebSocket.CLOSED && this.hurry(),
    );
  }

  /** Asks something that concerns nobody but who asks; `heard` returns whether more is to come. Rejects with the words of a refusal. */
  ask<T extends Answer>(request: Request, heard: (answer: T) => boolean = () => false): Promise<T> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Error(translate("page.reconnecting")));
        return;
      }
      this.send(request);
      const { ref } = this;
      this.askers.set(ref, (answer) => {
        if (answer === null || answer.type === "refused") {
          this.askers.delete(ref);
          failed(new Error(answer?.words ?? translate("page.reconnecting")));
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
      this.table.set({ ...table, why: null, whyRef: this.ref });
    }
    if (CHANGING.has(request.type)) {
      this.unanswered.set(this.ref, request);
      this.table.set({ ...table, notice: null, waiting: new Set([...table.waiting, this.ref]) });
    }
    const salted = request.type === "roll" ? this.witness.roll(this.ref, request.seat) : null;
    this.socket.send(JSON.stringify({ ...request, ...salted, ref: this.ref }));
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.hurry);
    this.stopWatching();
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
    this.said = tokensOf(this.code);
    this.witness.reconnected();
    const hello: ClientMessage = {
      type: "hello",
      protocol: PROTOCOL,
      tokens: [...this.said],
      language: spoken.get().language,
      seq: this.table.get().state?.seq ?? -1,
    };
    this.socket?.send(JSON.stringify(hello));
  }

  private open(): void {
    const before = this.socket;
    const socket = openTransport(this.code);
    const isCurrent = (): boolean => this.socket === socket;
    this.socket = socket;
    this.greeted = false;
    socket.onopen = () => isCurrent() && this.hello();
    socket.onmessage = (event: MessageEvent<string>) =>
      isCurrent() && this.take(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => isCurrent() && this.lost();
    before?.close();
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
    if (message.type === "ack" || message.type === "refused") {
      this.unanswered.delete(message.ref);
    }
    const next = receive(this.table.get(), message);
    this.testify(message, next);
    this.table.set(next);
    if (next.stranger) {
      forgetTable(this.code, this.said);
      this.table.set({ ...next, stranger: false });
      this.hello();
    }
    if (message.type === "state" && !this.greeted) {
      this.greeted = true;
      this.sendAgain();
    }
  }

  /** What was under way when the connection was lost may have been made or not: if it was, the server refuses it as stale. */
  private sendAgain(): void {
    const requests = [...this.unanswered.values()];
    this.unanswered.clear();
    for (const request of requests) {
      if (request.type !== "roll" || this.witness.wantsRollAgain()) {
        this.send(request);
      }
    }
  }

  /** What is said of sealed dice is checked before anybody sees it. */
  private testify(message: ServerMessage, { log }: TableState): void {
    if (message.type === "refused") {
      this.witness.refused(message.ref, message.reason);
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

  /** Tries at once, in the place of an attempt that began while there was no network. */
  private hurry = (): void => {
    if (this.table.get().link === "lost") {
      clearTimeout(this.timer);
      this.wait = FIRST_WAIT;
      this.open();
    }
  };
}
