/** The connection to a table: reconnects after every loss and keeps the state of the table. */
import { openTransport } from "#backend";
import { AnswerCache } from "./answers";
import { ApiError } from "./api";
import { Witness } from "./fair/witness";
import { familyOf } from "./family";
import { forgetTable, memory, tokensOf } from "./memory";
import { type Observable, observable } from "./observable";
import {
  type ClientMessage,
  type HintMessage,
  type InvitationMessage,
  type Layout,
  type LineMessage,
  type MomentsMessage,
  type OddsMessage,
  PROTOCOL,
  type PreviewMessage,
  type Refused,
  type ReviewMessage,
  type ServerMessage,
  type VerdictMessage,
  type WhyMessage,
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
const ATTEMPT_GRACE = 700;
/** Requests that change the game: the board is disabled until they are answered. */
const CHANGING: ReadonlySet<string> = new Set(["move", "roll", "undo", "enter", "correct"]);

type Distribute<T> = T extends { ref: number } ? Omit<T, "ref"> : never;
export type Request = Distribute<ClientMessage>;

/** The answer to each type of request that only its sender needs. */
export interface AnswerTo {
  hint: HintMessage;
  odds: OddsMessage;
  preview: PreviewMessage;
  why: WhyMessage;
  invite: InvitationMessage;
  network: InvitationMessage;
  moments: MomentsMessage;
  review: ReviewMessage;
  verdict: VerdictMessage;
  line: LineMessage;
}
type Answer = AnswerTo[keyof AnswerTo];

export class Connection {
  readonly witness: Witness;
  readonly table: Observable<TableState> = observable(UNCONNECTED);
  readonly answers = new AnswerCache(this);
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
  /** The seat that rolls after the move just made, without another click; null if none does. */
  #nextRoller: number | null = null;
  /** The state between such a move and its roll, which is not shown: the dice have not changed. */
  #unshown: TableState | null = null;
  /** The language of the last hello. */
  #logLanguage = "";
  /** The tokens of the last hello. */
  #sentTokens: readonly string[] = [];
  #pendingAnswers = new Map<number, (answer: Answer | Refused | null) => void>();
  readonly #stopListening: () => void;

  constructor(
    readonly code: string,
    layout: Layout,
  ) {
    const family = familyOf(layout);
    this.witness = new Witness(code, {
      letters: family.letters(layout),
      shownDice: (view) => family.shownDice(layout, view),
      piles: family.piles(layout),
    });
    this.#open();
    addEventListener("online", this.#reconnectNow);
    this.#stopListening = onResume(() => this.#attemptGrace() === 0 && this.#reconnectNow());
  }

  /**
   * Send a request whose answers only the caller needs; `onPartial` returns whether more will
   * follow. Rejects with an `ApiError`: a refusal, or a lost connection.
   */
  ask<K extends keyof AnswerTo>(
    request: Request & { type: K },
    onPartial: (answer: AnswerTo[K]) => boolean = () => false,
  ): Promise<AnswerTo[K]> {
    return new Promise((resolve, reject) => {
      const fail = (refusal: Refused | null): void =>
        reject(
          new ApiError(
            refusal?.reason ?? "offline",
            refusal?.words ?? translate("page.reconnecting"),
          ),
        );
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        fail(null);
        return;
      }
      this.send(request);
      const ref = this.#ref;
      this.#pendingAnswers.set(ref, (answer) => {
        if (answer === null || answer.type === "refused") {
          this.#pendingAnswers.delete(ref);
          fail(answer);
        } else if (!onPartial(answer as AnswerTo[K])) {
          this.#pendingAnswers.delete(ref);
          resolve(answer as AnswerTo[K]);
        }
      });
    });
  }

  send(request: Request): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return;
    }
    this.#ref += 1;
    if (CHANGING.has(request.type)) {
      this.#nextRoller = null;
      this.#unanswered.set(this.#ref, request);
      const table = this.#unshown ?? this.table.get();
      this.#set({ ...table, notice: null, pending: new Set([...table.pending, this.#ref]) });
    }
    const rollParameters =
      request.type === "roll" ? this.witness.roll(this.#ref, request.seat) : null;
    this.#socket.send(JSON.stringify({ ...request, ...rollParameters, ref: this.#ref }));
  }

  /** Send a move, and roll as soon as that is possible; what is between them is not shown. */
  sendAndRoll(move: Request & { type: "move" }): void {
    this.send(move);
    this.#nextRoller = move.seat;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#endProbes();
    removeEventListener("online", this.#reconnectNow);
    this.#stopListening();
    this.#socket?.close();
  }

  /** Show a notice, or none. */
  notify(notice: string | null): void {
    const table = this.table.get();
    if (table.notice !== notice) {
      this.table.set({ ...table, notice });
    }
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
    if (onAnswer && message.type !== "ack" && message.type !== "pong" && "ref" in message) {
      onAnswer(message);
      return;
    }
    if (message.type === "ack" || message.type === "refused") {
      this.#unanswered.delete(message.ref);
    }
    if (message.type === "refused") {
      this.#nextRoller = null;
    }
    const next = receive(this.#unshown ?? this.table.get(), message);
    this.#checkDice(message, next);
    if (message.type === "state" && this.#rollsAfter(next)) {
      return;
    }
    if (message.type === "state" || message.type === "refused") {
      this.#unshown = null;
    }
    this.#set(next);
    if (next.unknownToken) {
      forgetTable(this.code, this.#sentTokens);
      this.table.set({ ...next, unknownToken: false });
      this.hello();
    }
    if (message.type === "state" && !this.#hasState) {
      this.#hasState = true;
      const { watchingAs } = memory.get();
      if (watchingAs !== "" && message.you.length + message.resting.length === 0) {
        this.send({ type: "watch", name: watchingAs });
      }
      this.#resendUnanswered();
    }
  }

  /** Change the state of the table: the shown one, or the one that is not shown. */
  #set(next: TableState): void {
    if (this.#unshown) {
      this.#unshown = next;
    } else {
      this.table.set(next);
    }
  }

  /** Roll if the move just made says so, and return whether that was done. */
  #rollsAfter(next: TableState): boolean {
    const seat = this.#nextRoller;
    if (seat === null || !next.state?.rollers.includes(seat)) {
      return false;
    }
    this.#unshown = next;
    this.send({ type: "roll", seq: next.state.seq, seat });
    return true;
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
    const table = this.#unshown ?? this.table.get();
    this.#unshown = null;
    this.#nextRoller = null;
    this.table.set({
      ...table,
      link: "lost",
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

  /** Return the ms until an attempt that is under way hangs; 0 if there is none, or it hangs. */
  #attemptGrace(): number {
    return this.#socket?.readyState === WebSocket.CLOSED
      ? 0
      : Math.max(0, this.#attemptedAt + ATTEMPT_GRACE - Date.now());
  }

  /** Reconnect now that the server answers; if that fails, a delayed attempt follows. */
  #onReachable = (): void => {
    this.#stopProbing = null;
    this.#wasReachable = true;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(this.#reconnectNow, this.#attemptGrace());
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
