/** The connection to a table: reconnects after every loss and keeps the state of the table. */
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
import { whenReachable } from "./reachability";
import { onResume } from "./resume";
import { receive, type TableState, UNCONNECTED } from "./table-state";
import { locale, translate } from "./translate";
import type { Transport } from "./transport";

const FIRST_DELAY = 300;
/** Browsers slow down a page that opens many sockets in vain; meanwhile it sends probes. */
const LONGEST_DELAY = 20_000;
/** An attempt that has not succeeded after these ms may have been made without a network. */
const ATTEMPT_GRACE = 1000;
/** Requests that change the game: the board is disabled until they are answered. */
const CHANGING: ReadonlySet<string> = new Set(["move", "roll", "undo", "enter", "correct"]);

type Distribute<T> = T extends { ref: number } ? Omit<T, "ref"> : never;
export type Request = Distribute<ClientMessage>;
type Answer = MomentsMessage | ReviewMessage | VerdictMessage;

export class Connection {
  readonly witness: Witness;
  readonly table: Observable<TableState> = observable(UNCONNECTED);
  #socket: Transport | null = null;
  #delay = FIRST_DELAY;
  #timer = 0;
  /** When the last attempt to connect was made. */
  #attemptedAt = 0;
  /** The last attempt was made because the server answered a probe. */
  #wasReachable = false;
  #stopProbing: (() => void) | null = null;
  #ref = 0;
  #closed = false;
  /** Whether this socket has received a state. */
  #hasState = false;
  /** Unanswered requests that change the game, by ref. */
  #unanswered = new Map<number, Request>();
  /** The language of the last hello. */
  #logLanguage = "";
  /** The tokens of the last hello. */
  #sentTokens: readonly string[] = [];
  #pendingAnswers = new Map<number, (answer: Answer | Refused | null) => void>();
  readonly #stopListening: () => void;

  constructor(
    readonly code: string,
    layout: Layout,
    piles: Piles | null,
  ) {
    const family = familyOf(layout);
    this.witness = new Witness(code, {
      letters: family.letters(layout),
      shownDice: (view) => family.shownDice(layout, view),
      piles,
    });
    this.#open();
    addEventListener("online", this.#reconnectNow);
    this.#stopListening = onResume(() => this.#isAttemptStuck() && this.#reconnectNow());
  }

  /**
   * Send a request whose answers only the caller needs; `onPartial` returns whether more will
   * follow. Rejects with the text of a refusal.
   */
  ask<T extends Answer>(
    request: Request,
    onPartial: (answer: T) => boolean = () => false,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(new Error(translate("page.reconnecting")));
        return;
      }
      this.send(request);
      const ref = this.#ref;
      this.#pendingAnswers.set(ref, (answer) => {
        if (answer === null || answer.type === "refused") {
          this.#pendingAnswers.delete(ref);
          reject(new Error(answer?.words ?? translate("page.reconnecting")));
        } else if (!onPartial(answer as T)) {
          this.#pendingAnswers.delete(ref);
          resolve(answer as T);
        }
      });
    });
  }

  send(request: Request): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return;
    }
    this.#ref += 1;
    const table = this.table.get();
    if (request.type === "hint") {
      this.table.set({ ...table, notice: null, hintOpen: true, hintRef: this.#ref });
    }
    if (request.type === "preview") {
      this.table.set({ ...table, previewRef: this.#ref });
    }
    if (request.type === "why") {
      this.table.set({ ...table, why: null, whyRef: this.#ref });
    }
    if (CHANGING.has(request.type)) {
      this.#unanswered.set(this.#ref, request);
      this.table.set({ ...table, notice: null, pending: new Set([...table.pending, this.#ref]) });
    }
    const rollParameters =
      request.type === "roll" ? this.witness.roll(this.#ref, request.seat) : null;
    this.#socket.send(JSON.stringify({ ...request, ...rollParameters, ref: this.#ref }));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#endProbes();
    removeEventListener("online", this.#reconnectNow);
    this.#stopListening();
    this.#socket?.close();
  }

  /** Show or hide the hint; it is requested once per decision. */
  toggleHint(seq: number, seat: number): void {
    const table = this.table.get();
    if (table.hintOpen || table.hint?.seat === seat || table.hintRef >= 0) {
      this.table.set({ ...table, hintOpen: !table.hintOpen });
    } else {
      this.send({ type: "hint", seq, seat });
    }
  }

  /** Remove the notice. */
  dismiss(): void {
    this.table.set({ ...this.table.get(), notice: null });
  }

  /** Identify with the seats stored now, for example after joining. */
  hello(): void {
    this.#sentTokens = tokensOf(this.code);
    this.witness.reconnected();
    const { language } = locale.get();
    const isLogValid = language === this.#logLanguage;
    this.#logLanguage = language;
    const hello: ClientMessage = {
      type: "hello",
      protocol: PROTOCOL,
      tokens: [...this.#sentTokens],
      language,
      seq: (isLogValid ? this.table.get().state?.seq : undefined) ?? -1,
    };
    this.#socket?.send(JSON.stringify(hello));
  }

  #open(): void {
    const previous = this.#socket;
    const socket = openTransport(this.code);
    const isCurrent = (): boolean => this.#socket === socket;
    this.#socket = socket;
    this.#attemptedAt = Date.now();
    this.#hasState = false;
    socket.onopen = () => isCurrent() && this.hello();
    socket.onmessage = (event: MessageEvent<string>) =>
      isCurrent() && this.#handle(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => isCurrent() && this.#onLost();
    previous?.close();
  }

  #handle(message: ServerMessage): void {
    this.#delay = FIRST_DELAY;
    this.#wasReachable = false;
    this.#endProbes();
    const onAnswer = "ref" in message ? this.#pendingAnswers.get(message.ref) : undefined;
    if (
      onAnswer &&
      (message.type === "refused" ||
        message.type === "moments" ||
        message.type === "review" ||
        message.type === "verdict")
    ) {
      onAnswer(message);
      return;
    }
    if (message.type === "ack" || message.type === "refused") {
      this.#unanswered.delete(message.ref);
    }
    const next = receive(this.table.get(), message);
    this.#checkDice(message, next);
    this.table.set(next);
    if (next.unknownToken) {
      forgetTable(this.code, this.#sentTokens);
      this.table.set({ ...next, unknownToken: false });
      this.hello();
    }
    if (message.type === "state" && !this.#hasState) {
      this.#hasState = true;
      this.#resendUnanswered();
    }
  }

  /** Send unanswered requests again; the server refuses those it has already processed as stale. */
  #resendUnanswered(): void {
    const requests = [...this.#unanswered.values()];
    this.#unanswered.clear();
    for (const request of requests) {
      if (request.type !== "roll" || this.witness.shouldResendRoll()) {
        this.send(request);
      }
    }
  }

  /** Check fair dice before they are shown. */
  #checkDice(message: ServerMessage, { log }: TableState): void {
    if (message.type === "refused") {
      this.witness.refused(message.ref, message.reason);
    }
    if (message.type === "state") {
      this.witness.observe(message, log);
    }
  }

  #onLost(): void {
    for (const onAnswer of [...this.#pendingAnswers.values()]) {
      onAnswer(null);
    }
    if (this.#closed) {
      return;
    }
    this.table.set({
      ...this.table.get(),
      link: "lost",
      hintOpen: false,
      hintRef: -1,
      pending: new Set(),
      awaitedSeq: -1,
    });
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#wasReachable = false;
      this.#open();
    }, this.#delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
    if (!this.#wasReachable) {
      this.#stopProbing ??= whenReachable(this.#onReachable);
    }
  }

  /** Whether no attempt is under way, or one that hangs. */
  #isAttemptStuck(): boolean {
    return (
      this.#socket?.readyState === WebSocket.CLOSED ||
      Date.now() - this.#attemptedAt > ATTEMPT_GRACE
    );
  }

  /** Reconnect now that the server answers; if that fails, a delayed attempt follows. */
  #onReachable = (): void => {
    this.#stopProbing = null;
    this.#wasReachable = true;
    if (this.#isAttemptStuck()) {
      this.#reconnectNow();
    }
  };

  #endProbes(): void {
    this.#stopProbing?.();
    this.#stopProbing = null;
  }

  /** Reconnect immediately instead of waiting for the next attempt. */
  #reconnectNow = (): void => {
    if (this.table.get().link === "lost") {
      clearTimeout(this.#timer);
      this.#open();
    }
  };
}
