/** Checks the provably fair dice of a table: the rolls this page requests and every draw. */
import { type Observable, observable } from "../observable";
import type { LogEntry, Reason, SealRoller, SeatInfo, StateMessage, View } from "../protocol";
import {
  CHAIN_LENGTH,
  drawMark,
  firstPool,
  generator,
  isRoll,
  MARK_DIGITS,
  matchesRoll,
  mixSalt,
  platterDraws,
  randomBelow,
  secretBefore,
  startPlayerDraws,
} from "./draws";
import { type DiceRecord, type HeldSeat, loadRecord, updateRecord, type Violation } from "./record";
import { toHex } from "./sha256";

const SALT_BYTES = 16;

const newSalt = (): string => toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

export interface WitnessReport {
  /** False for tables without a commitment. */
  sealed: boolean;
  /** The dice of this table should be provable and are not. */
  unprovable: boolean;
  /** Number of checked draws. */
  draws: number;
  broken: Violation | null;
  /** Number of own requests for which another player rolled first. */
  overtaken: number;
  /** The person also plays on another device. */
  elsewhere: boolean;
}

/** Cards left in the piles that were drawn from, by colour. */
export type RemainingCards = Readonly<Record<string, readonly string[]>>;

/** The view just before a draw, and the seat whose move caused it. */
export interface TableBefore<V = View> {
  view: V;
  mover: number;
}

/** The card piles of a game. */
export interface Piles<V = View> {
  /**
   * Return what a draw chooses from and what is left after it; null if the server's list is wrong.
   */
  drawCandidates: (
    text: string,
    announced: readonly string[] | null,
    players: number,
    left: RemainingCards,
    before: TableBefore<V> | null,
  ) => { from: readonly string[]; left: RemainingCards } | null;
  /** Whether every card is somewhere exactly once: on the table, in a pile or under it. */
  isComplete: (view: V, left: RemainingCards, log: readonly LogEntry[]) => boolean;
}

/** What the witness needs to know about a game. */
interface GameKnowledge {
  /** Letters of the dice in the order of the sheet, for rolls that name their dice. */
  letters: string;
  /** The dice on the table, in the notation of rolls. */
  shownDice: (view: View) => readonly string[];
  piles: Piles | null;
}

interface CheckedDraw {
  index: number;
  secret: string;
  pool: Uint8Array;
  /** The commitment of the next chain, as published last. */
  next: string;
  salt: string;
  left: RemainingCards;
  text: string;
}

/** The last state message. */
interface LastState {
  state: StateMessage;
  logLength: number;
}

/** Parameters of a roll request: the entropy pool this page has seen, and the salt to mix in. */
export interface SentRoll {
  seat: number;
  pool: string;
  salt: string;
}

const CHANCE = -1;

export class Witness {
  readonly report: Observable<WitnessReport>;
  /** Other tabs may change it: it is read before each message and written once after it. */
  #record: DiceRecord;
  #changes: Partial<DiceRecord> = {};
  #checkedDraws: CheckedDraw[] = [];
  #last: LastState | null = null;
  /** Draw numbers of unanswered roll requests, by ref. */
  #pendingRolls = new Map<number, number>();
  /** The draw requested on this connection and not refused: that request cannot be late. */
  #sentDraw = 0;
  readonly #game: GameKnowledge;

  constructor(
    readonly table: string,
    game: GameKnowledge,
  ) {
    this.#game = game;
    this.#record = loadRecord(table);
    this.report = observable(this.#summarise(false));
  }

  /** Forget what was pending: after a new hello requests and states may be lost. */
  reconnected(): void {
    this.#pendingRolls.clear();
    this.#sentDraw = 0;
    this.#last = null;
  }

  /** Return the parameters of a roll request; repeated requests for a draw get the same ones. */
  roll(ref: number, seat: number): SentRoll | null {
    if (!this.#last?.state.sealing) {
      return null;
    }
    const { sealing, rollers, you } = this.#last.state;
    const draw = this.#checkedDraws.length + 1;
    this.#record = loadRecord(this.table);
    const { requests } = this.#record;
    const previous = requests.find(
      (sent) => sent.draw === draw && rollers.includes(sent.seat) && you.includes(sent.seat),
    );
    const request = previous ?? { draw, seat, salt: newSalt() };
    if (!previous) {
      this.#change({ requests: [...requests.filter((sent) => sent.draw !== draw), request] });
      this.#write();
    }
    this.#pendingRolls.set(ref, draw);
    this.#sentDraw = draw;
    return { seat: request.seat, salt: request.salt, pool: toHex(this.#poolOf(sealing.context)) };
  }

  /**
   * Whether a roll requested before is still to be made.
   * A salt must never be sent before its draw is due: the server could compute that roll.
   */
  shouldResendRoll(): boolean {
    return (
      !this.#last?.state.sealing ||
      loadRecord(this.table).requests.some(({ draw }) => draw > this.#checkedDraws.length)
    );
  }

  /** Handle a refusal of a roll request. */
  refused(ref: number, reason: Reason): void {
    const draw = this.#pendingRolls.get(ref);
    this.#pendingRolls.delete(ref);
    if (draw !== undefined) {
      this.#sentDraw = 0;
    }
    if (draw !== undefined && reason === "other_pool") {
      this.#record = loadRecord(this.table);
      this.#markBroken("request");
      this.#publish();
    }
  }

  /** Check a state message; `log` is the whole log after it. */
  observe(state: StateMessage, log: readonly LogEntry[]): void {
    this.#record = loadRecord(this.table);
    const violation = this.#inspect(state, log);
    this.#last = { state, logLength: log.length };
    if (violation) {
      this.#markBroken(violation);
    }
    this.#write();
    this.#show(
      this.#summarise(
        state.sealing === null && !state.practice && !state.typed_dice && state.daily === null,
      ),
    );
  }

  /** The player confirms that they rolled on another device. */
  rolledElsewhere(): void {
    this.#record = loadRecord(this.table);
    this.#change({
      elsewhere: true,
      broken: this.#record.broken === "foreign" ? null : this.#record.broken,
    });
    this.#publish();
  }

  #markBroken(why: Violation): void {
    this.#change({ broken: this.#record.broken ?? why });
  }

  #change(change: Partial<DiceRecord>): void {
    this.#changes = { ...this.#changes, ...change };
    this.#record = { ...this.#record, ...change };
  }

  #write(): void {
    if (Object.keys(this.#changes).length > 0) {
      updateRecord(this.table, this.#changes);
      this.#changes = {};
    }
  }

  #publish(): void {
    this.#write();
    this.#show(this.#summarise(this.report.get().unprovable));
  }

  /** Show a report, unless it is the shown one: that would redraw. */
  #show(report: WitnessReport): void {
    if (JSON.stringify(report) !== JSON.stringify(this.report.get())) {
      this.report.set(report);
    }
  }

  #summarise(unprovable: boolean): WitnessReport {
    const { commitment, broken, overtaken, elsewhere } = this.#record;
    return {
      sealed: commitment !== "",
      unprovable,
      draws: this.#checkedDraws.length,
      broken,
      overtaken: overtaken.length,
      elsewhere,
    };
  }

  #poolOf(context: string): Uint8Array {
    return this.#checkedDraws.at(-1)?.pool ?? firstPool(context);
  }

  #inspect(state: StateMessage, log: readonly LogEntry[]): Violation | null {
    const { sealing } = state;
    const record = this.#record;
    if (sealing === null) {
      return record.commitment === "" ? null : "commitment";
    }
    if (record.commitment === "") {
      this.#change(sealing);
      this.#checkedDraws = [];
    } else if (sealing.commitment !== record.commitment || sealing.context !== record.context) {
      return "commitment";
    }
    if (
      !sealing.context.startsWith(
        `foxclover/seal/2 ${state.table} ${state.game} ${state.seats.length} `,
      )
    ) {
      return "commitment";
    }
    this.#releaseSeats(state);
    this.#checkedDraws = this.#checkedDraws.filter(({ index }) => index < state.log_from);
    const violation = this.#checkNewDraws(state, log);
    this.#holdSeats(state);
    return violation === "hidden"
      ? null
      : (violation ?? (this.#showsDraws(state.view, log) ? null : "roll"));
  }

  /** Check the new draws; "hidden" if the secret of one is not public yet. */
  #checkNewDraws(state: StateMessage, log: readonly LogEntry[]): Violation | "hidden" | null {
    const mover = log.at(-2)?.seat ?? CHANCE;
    const last = this.#last;
    const before =
      last?.logLength === state.log_from && log.length === last.logLength + 2
        ? { view: last.state.view, mover }
        : null;
    for (const entry of log
      .filter(({ seat }) => seat === CHANCE)
      .slice(this.#checkedDraws.length)) {
      if (!entry.seal) {
        // The secret of a card that is hidden from others is published later, that of dice at once.
        return state.acting.length > 0 && !isRoll(entry.text) ? "hidden" : "missing";
      }
      const violation = this.#checkDraw(state, entry, entry === log.at(-1) ? before : null);
      if (violation) {
        return violation;
      }
    }
    return null;
  }

  #checkDraw(state: StateMessage, entry: LogEntry, before: TableBefore | null): Violation | null {
    const { seal, text } = entry;
    const context = state.sealing?.context ?? "";
    const previous = this.#checkedDraws.at(-1);
    const number = this.#checkedDraws.length;
    const first = number % CHAIN_LENGTH === 0;
    const commitment = previous?.next ?? this.#record.commitment;
    if (
      !seal ||
      seal.draw !== number + 1 ||
      (seal.next !== undefined) !== first ||
      secretBefore(context, seal.secret) !== (first ? commitment : previous?.secret)
    ) {
      return "chain";
    }
    const salt = seal.roller?.salt ?? "";
    const pool =
      seal.roller && salt !== ""
        ? mixSalt(this.#poolOf(context), seal.roller.seat, salt)
        : this.#poolOf(context);
    const changed = this.#compareMark(number, drawMark(pool, text, seal.next ?? ""));
    const violation = changed ?? this.#checkRoller(state, entry, seal.roller);
    const drawn = this.#drawCandidates(entry, state.seats.length, previous, before);
    this.#checkedDraws.push({
      index: entry.index,
      secret: seal.secret,
      pool,
      next: seal.next ?? commitment,
      salt,
      text,
      left: drawn?.left ?? {},
    });
    const next = generator(seal.secret, pool);
    const isValid = isRoll(text)
      ? matchesRoll(text, this.#game.letters, next)
      : drawn !== null && drawn.from[randomBelow(next, drawn.from.length)] === text;
    return violation ?? (isValid ? null : "roll");
  }

  /** Store the mark of a draw, or compare it with the stored one. */
  #compareMark(number: number, mark: string): Violation | null {
    const { marks } = this.#record;
    const stored = marks.slice(number * MARK_DIGITS, (number + 1) * MARK_DIGITS);
    if (stored === "" && marks.length === number * MARK_DIGITS) {
      this.#change({ marks: marks + mark });
      return null;
    }
    return stored === mark ? null : "changed";
  }

  /** Check that the next draw has the right roller and salt. */
  #checkRoller(
    state: StateMessage,
    entry: LogEntry,
    roller: SealRoller | undefined,
  ): Violation | null {
    const needsRoller = isRoll(entry.text) || entry.text.startsWith("begins ");
    const salt = roller?.salt;
    if (
      needsRoller !== (roller !== undefined) ||
      (this.#checkedDraws.length === 0 && salt === undefined) ||
      this.#checkedDraws.some((draw) => draw.salt !== "" && draw.salt === salt)
    ) {
      return "salt";
    }
    if (roller === undefined) {
      return null;
    }
    return this.#checkRequest(roller) ?? this.#checkTurn(state, entry, roller);
  }

  /** Check that own requests are fulfilled, and that no roll is made in the name of an own seat. */
  #checkRequest({ seat, salt }: SealRoller): Violation | null {
    const draw = this.#checkedDraws.length + 1;
    const { requests, held, elsewhere, overtaken } = this.#record;
    const request = requests.find((sent) => sent.draw === draw);
    if (request?.seat === seat && request.salt === salt) {
      return null;
    }
    if (requests.some((sent) => sent.salt === salt)) {
      return "salt"; // sent for another draw
    }
    const isMine = (roller: number): boolean =>
      held.some(
        ({ seat: own, first, last }) => own === roller && first <= draw && draw <= (last ?? draw),
      );
    if (salt !== undefined && isMine(seat)) {
      return this.#sentDraw === draw ? "request" : elsewhere ? null : "foreign";
    }
    if (request && !overtaken.includes(draw)) {
      const othersMayRoll =
        salt !== undefined && this.#last?.state.rollers.some((roller) => !isMine(roller));
      if (this.#sentDraw === draw && !othersMayRoll) {
        return "request";
      }
      this.#change({ overtaken: [...overtaken, draw] });
    }
    return null;
  }

  /**
   * Check that the roller was due to roll: people roll with a salt, computer players without.
   * This needs the state before the roll; without it nothing is checked.
   */
  #checkTurn(state: StateMessage, entry: LogEntry, { seat, salt }: SealRoller): Violation | null {
    const last = this.#last;
    if (last === null || last.logLength !== entry.index || last.state.over) {
      return null;
    }
    const { rollers } = last.state;
    const isKind = (kind: SeatInfo["kind"], roller: number): boolean =>
      [last.state, state].some(({ seats }) => seats[roller]?.kind === kind);
    const isValid =
      salt === undefined
        ? rollers.every((roller) => isKind("computer", roller))
        : rollers.includes(seat) && isKind("person", seat);
    return isValid ? null : "salt";
  }

  /** End the record of seats that this page no longer holds: later rolls there are not its own. */
  #releaseSeats({ you, resting }: StateMessage): void {
    const { held } = this.#record;
    const mine = [...you, ...resting];
    if (held.some(({ seat, last }) => last === null && !mine.includes(seat))) {
      this.#change({
        held: held.map(
          (entry): HeldSeat =>
            entry.last === null && !mine.includes(entry.seat)
              ? { ...entry, last: this.#markedDraws() }
              : entry,
        ),
      });
    }
  }

  /** Start a record for seats that this page holds now. */
  #holdSeats({ you, resting }: StateMessage): void {
    const { held } = this.#record;
    const added = [...you, ...resting].filter(
      (seat) => !held.some((entry) => entry.seat === seat && entry.last === null),
    );
    if (added.length > 0) {
      this.#change({
        held: [
          ...held,
          ...added.map((seat): HeldSeat => ({ seat, first: this.#markedDraws() + 1, last: null })),
        ],
      });
    }
  }

  #markedDraws(): number {
    return this.#record.marks.length / MARK_DIGITS;
  }

  /** Return what a draw chooses from, and the cards left in the piles after it. */
  #drawCandidates(
    { text, seal }: LogEntry,
    players: number,
    previous: CheckedDraw | undefined,
    before: TableBefore | null,
  ): ReturnType<Piles["drawCandidates"]> {
    const left = previous?.left ?? {};
    if (isRoll(text)) {
      return { from: [], left };
    }
    const from = text.startsWith("begins ")
      ? startPlayerDraws(players)
      : text.startsWith("=")
        ? platterDraws(previous?.text ?? "")
        : null;
    return from
      ? { from, left }
      : (this.#game.piles?.drawCandidates(text, seal?.among ?? null, players, left, before) ??
          null);
  }

  /** Whether the dice and cards on the table are the drawn ones. */
  #showsDraws(view: View, log: readonly LogEntry[]): boolean {
    const rolls = this.#checkedDraws.map((draw) => draw.text).filter(isRoll);
    const diceMatch = this.#game
      .shownDice(view)
      .every((dice) => rolls.findLast((roll) => roll.includes(dice.charAt(0)))?.includes(dice));
    return (
      diceMatch &&
      (this.#game.piles?.isComplete(view, this.#checkedDraws.at(-1)?.left ?? {}, log) ?? true)
    );
  }
}
