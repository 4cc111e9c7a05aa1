/** Checks that the dice of a table are those that were sealed: what this page asks for, what it is owed, and every draw as it comes. */
import { type Observable, observable } from "../observable";
import type { LogEntry, Reason, SealRoller, SeatInfo, StateMessage, View } from "../protocol";
import {
  below,
  CHAIN_LENGTH,
  firstPool,
  generator,
  isRoll,
  isRolled,
  lots,
  MARK_DIGITS,
  markOf,
  mixed,
  platters,
  secretBefore,
} from "./draws";
import { type Broken, type Held, type Kept, keep, keptOf, newSalt } from "./record";
import { toHex } from "./sha256";

export interface Testimony {
  /** Without it the dice of this table are not sealed. */
  sealed: boolean;
  /** A table whose dice should be sealed and are not. */
  unprovable: boolean;
  /** Draws that were checked. */
  draws: number;
  broken: Broken | null;
  /** Requests that others were faster than. */
  overtaken: number;
  /** The person also plays on another device. */
  elsewhere: boolean;
}

/** What is left of the piles that were drawn from, by colour. */
export type Left = Readonly<Record<string, readonly string[]>>;

/** What lay on the table just before a draw, and whose move made it due. */
export interface Seen<V = View> {
  view: V;
  mover: number;
}

/** What the cards of a game are drawn from. */
export interface Piles<V = View> {
  /** What a card can be, and what is left then; null if what the server tells cannot be right. */
  drawnFrom: (
    text: string,
    told: readonly string[] | null,
    players: number,
    left: Left,
    seen: Seen<V> | null,
  ) => { from: readonly string[]; left: Left } | null;
  /** Whether all cards are there, each once: on the table, under a pile or in it. */
  addUp: (view: V, left: Left, log: readonly LogEntry[]) => boolean;
}

/** What the page must know of a game to check its draws. */
export interface Known {
  /** Of the dice in the order of the sheet, where rolls are written with them. */
  letters: string;
  /** The dice that are shown, as rolls write them. */
  shown: (view: View) => readonly string[];
  piles: Piles | null;
}

/** A draw that was checked. */
interface Step {
  index: number;
  secret: string;
  pool: Uint8Array;
  /** The commitment of the next chain, as it was published last. */
  next: string;
  salt: string;
  left: Left;
  text: string;
}

/** What was shown last. */
interface Last {
  state: StateMessage;
  /** Of the log. */
  length: number;
}

/** A request as it is sent: the entropy pool this page has seen, and the salt to mix in last. */
export interface SentRoll {
  seat: number;
  pool: string;
  salt: string;
}

const CHANCE = -1;

export class Witness {
  readonly testimony: Observable<Testimony>;
  /** What other tabs may have changed: read anew for each message, and written once after it. */
  private kept: Kept;
  private changes: Partial<Kept> = {};
  private steps: Step[] = [];
  private last: Last | null = null;
  /** Rolls not answered yet, by ref, with their draw. */
  private asked = new Map<number, number>();
  /** The draw asked for on this very connection, and not refused: such a request cannot have come too late. */
  private sure = 0;

  constructor(
    readonly table: string,
    private readonly known: Known,
  ) {
    this.kept = keptOf(table);
    this.testimony = observable(this.tell(false));
  }

  /** The page says hello: what it asked for before may have been lost, and it may have missed something. */
  reconnected(): void {
    this.asked.clear();
    this.sure = 0;
    this.last = null;
  }

  /** What to roll with; the same for the same draw, whatever became of the first request. */
  roll(ref: number, seat: number): SentRoll | null {
    if (!this.last?.state.sealing) {
      return null;
    }
    const { sealing, rollers, you } = this.last.state;
    const draw = this.steps.length + 1;
    this.kept = keptOf(this.table);
    const { requests } = this.kept;
    const before = requests.find(
      (one) => one.draw === draw && rollers.includes(one.seat) && you.includes(one.seat),
    );
    const request = before ?? { draw, seat, salt: newSalt() };
    if (!before) {
      this.change({ requests: [...requests.filter((one) => one.draw !== draw), request] });
      this.write();
    }
    this.asked.set(ref, draw);
    this.sure = draw;
    return { seat: request.seat, salt: request.salt, pool: toHex(this.poolOf(sealing.context)) };
  }

  /** Whether a roll asked for before has still to be made. A salt for a later draw must not be sent early: the server would know that roll. */
  wantsRollAgain(): boolean {
    return (
      !this.last?.state.sealing ||
      keptOf(this.table).requests.some(({ draw }) => draw > this.steps.length)
    );
  }

  refused(ref: number, reason: Reason): void {
    const draw = this.asked.get(ref);
    this.asked.delete(ref);
    if (draw !== undefined) {
      this.sure = 0;
    }
    if (draw !== undefined && reason === "other_pool") {
      this.kept = keptOf(this.table);
      this.break("request");
      this.tellAgain();
    }
  }

  see(state: StateMessage, log: readonly LogEntry[]): void {
    this.kept = keptOf(this.table);
    const wrong = this.look(state, log);
    this.last = { state, length: log.length };
    if (wrong) {
      this.break(wrong);
    }
    this.write();
    this.testimony.set(
      this.tell(
        state.sealing === null && !state.practice && !state.typed_dice && state.daily === null,
      ),
    );
  }

  /** The person has rolled on another device. */
  rolledElsewhere(): void {
    this.kept = keptOf(this.table);
    this.change({
      elsewhere: true,
      broken: this.kept.broken === "foreign" ? null : this.kept.broken,
    });
    this.tellAgain();
  }

  private break(why: Broken): void {
    this.change({ broken: this.kept.broken ?? why });
  }

  private change(change: Partial<Kept>): void {
    this.changes = { ...this.changes, ...change };
    this.kept = { ...this.kept, ...change };
  }

  private write(): void {
    if (Object.keys(this.changes).length > 0) {
      keep(this.table, this.changes);
      this.changes = {};
    }
  }

  private tellAgain(): void {
    this.write();
    this.testimony.set(this.tell(this.testimony.get().unprovable));
  }

  private tell(unprovable: boolean): Testimony {
    const { commitment, broken, overtaken, elsewhere } = this.kept;
    return {
      sealed: commitment !== "",
      unprovable,
      draws: this.steps.length,
      broken,
      overtaken: overtaken.length,
      elsewhere,
    };
  }

  private poolOf(context: string): Uint8Array {
    return this.steps.at(-1)?.pool ?? firstPool(context);
  }

  private look(state: StateMessage, log: readonly LogEntry[]): Broken | null {
    const { sealing } = state;
    const { kept } = this;
    if (sealing === null) {
      return kept.commitment === "" ? null : "commitment";
    }
    if (kept.commitment === "") {
      this.change(sealing);
      this.steps = [];
    } else if (sealing.commitment !== kept.commitment || sealing.context !== kept.context) {
      return "commitment";
    }
    if (
      !sealing.context.startsWith(
        `foxclover/seal/2 ${state.table} ${state.game} ${state.seats.length} `,
      )
    ) {
      return "commitment";
    }
    this.letGo(state);
    this.steps = this.steps.filter((step) => step.index < state.log_from);
    const wrong = this.checkNew(state, log);
    this.hold(state);
    return wrong === "hidden"
      ? null
      : (wrong ?? (this.showsDraws(state.view, log) ? null : "roll"));
  }

  /** Checks the draws that have not been yet; "hidden": there is one that nobody may know yet. */
  private checkNew(state: StateMessage, log: readonly LogEntry[]): Broken | "hidden" | null {
    const mover = log.at(-2)?.seat ?? CHANCE;
    const { last } = this;
    const seen =
      last?.length === state.log_from && log.length === last.length + 2
        ? { view: last.state.view, mover }
        : null;
    for (const entry of log.filter(({ seat }) => seat === CHANCE).slice(this.steps.length)) {
      if (!entry.seal) {
        // Behind a card that others must not know yet the secrets come later; dice have no such excuse.
        return state.acting.length > 0 && !isRoll(entry.text) ? "hidden" : "missing";
      }
      const wrong = this.check(state, entry, entry === log.at(-1) ? seen : null);
      if (wrong) {
        return wrong;
      }
    }
    return null;
  }

  private check(state: StateMessage, entry: LogEntry, seen: Seen | null): Broken | null {
    const { seal, text } = entry;
    const context = state.sealing?.context ?? "";
    const before = this.steps.at(-1);
    const number = this.steps.length;
    const first = number % CHAIN_LENGTH === 0;
    const commitment = before?.next ?? this.kept.commitment;
    if (
      !seal ||
      seal.draw !== number + 1 ||
      (seal.next !== undefined) !== first ||
      secretBefore(context, seal.secret) !== (first ? commitment : before?.secret)
    ) {
      return "chain";
    }
    const salt = seal.roller?.salt ?? "";
    const pool =
      seal.roller && salt !== ""
        ? mixed(this.poolOf(context), seal.roller.seat, salt)
        : this.poolOf(context);
    const changed = this.note(number, markOf(pool, text, seal.next ?? ""));
    const wrong = changed ?? this.rolledWrongly(state, entry, seal.roller);
    const drawn = this.drawnFrom(entry, state.seats.length, before, seen);
    this.steps.push({
      index: entry.index,
      secret: seal.secret,
      pool,
      next: seal.next ?? commitment,
      salt,
      text,
      left: drawn?.left ?? {},
    });
    const next = generator(seal.secret, pool);
    const right = isRoll(text)
      ? isRolled(text, this.known.letters, next)
      : drawn !== null && drawn.from[below(next, drawn.from.length)] === text;
    return wrong ?? (right ? null : "roll");
  }

  /** Notes the mark of a draw, or compares it with the one noted before. */
  private note(number: number, mark: string): Broken | null {
    const { marks } = this.kept;
    const noted = marks.slice(number * MARK_DIGITS, (number + 1) * MARK_DIGITS);
    if (noted === "" && marks.length === number * MARK_DIGITS) {
      this.change({ marks: marks + mark });
      return null;
    }
    return noted === mark ? null : "changed";
  }

  /** Whether the next draw comes from somebody else than it may. */
  private rolledWrongly(
    state: StateMessage,
    entry: LogEntry,
    roller: SealRoller | undefined,
  ): Broken | null {
    const rolled = isRoll(entry.text) || entry.text.startsWith("begins ");
    const salt = roller?.salt;
    if (
      rolled !== (roller !== undefined) ||
      (this.steps.length === 0 && salt === undefined) ||
      this.steps.some((step) => step.salt !== "" && step.salt === salt)
    ) {
      return "salt";
    }
    if (roller === undefined) {
      return null;
    }
    return this.answersRequest(roller) ?? this.isTheirTurn(state, entry, roller);
  }

  /** What this browser asked for must be what was done; what it did not ask for must not be in its name. */
  private answersRequest({ seat, salt }: SealRoller): Broken | null {
    const draw = this.steps.length + 1;
    const { requests, held, elsewhere, overtaken } = this.kept;
    const request = requests.find((one) => one.draw === draw);
    if (request?.seat === seat && request.salt === salt) {
      return null;
    }
    if (requests.some((one) => one.salt === salt)) {
      return "salt"; // sent for another draw
    }
    const mine = (one: number): boolean =>
      held.some(
        ({ seat: own, first, last }) => own === one && first <= draw && draw <= (last ?? draw),
      );
    if (salt !== undefined && mine(seat)) {
      return this.sure === draw ? "request" : elsewhere ? null : "foreign";
    }
    if (request && !overtaken.includes(draw)) {
      const othersMayRoll =
        salt !== undefined && this.last?.state.rollers.some((one) => !mine(one));
      if (this.sure === draw && !othersMayRoll) {
        return "request";
      }
      this.change({ overtaken: [...overtaken, draw] });
    }
    return null;
  }

  /** Whether a roll is of somebody who was to roll, a person by a salt and a computer player without; only where the page has seen what was before. */
  private isTheirTurn(
    state: StateMessage,
    entry: LogEntry,
    { seat, salt }: SealRoller,
  ): Broken | null {
    const { last } = this;
    if (last === null || last.length !== entry.index || last.state.over) {
      return null;
    }
    const { rollers } = last.state;
    const was = (kind: SeatInfo["kind"], one: number): boolean =>
      [last.state, state].some(({ seats }) => seats[one]?.kind === kind);
    const right =
      salt === undefined
        ? rollers.every((one) => was("computer", one))
        : rollers.includes(seat) && was("person", seat);
    return right ? null : "salt";
  }

  /** Seats that this page held and holds no more: what happens in their name from now on is not its own. */
  private letGo({ you, resting }: StateMessage): void {
    const { held } = this.kept;
    const mine = [...you, ...resting];
    if (held.some(({ seat, last }) => last === null && !mine.includes(seat))) {
      this.change({
        held: held.map(
          (one): Held =>
            one.last === null && !mine.includes(one.seat)
              ? { ...one, last: this.drawsNoted() }
              : one,
        ),
      });
    }
  }

  private hold({ you, resting }: StateMessage): void {
    const { held } = this.kept;
    const fresh = [...you, ...resting].filter(
      (seat) => !held.some((one) => one.seat === seat && one.last === null),
    );
    if (fresh.length > 0) {
      this.change({
        held: [
          ...held,
          ...fresh.map((seat): Held => ({ seat, first: this.drawsNoted() + 1, last: null })),
        ],
      });
    }
  }

  private drawsNoted(): number {
    return this.kept.marks.length / MARK_DIGITS;
  }

  /** What a draw that is no roll can be, and what piles hold after it. */
  private drawnFrom(
    { text, seal }: LogEntry,
    players: number,
    before: Step | undefined,
    seen: Seen | null,
  ): ReturnType<Piles["drawnFrom"]> {
    const left = before?.left ?? {};
    if (isRoll(text)) {
      return { from: [], left };
    }
    const from = text.startsWith("begins ")
      ? lots(players)
      : text.startsWith("=")
        ? platters(before?.text ?? "")
        : null;
    return from
      ? { from, left }
      : (this.known.piles?.drawnFrom(text, seal?.among ?? null, players, left, seen) ?? null);
  }

  /** Whether dice and cards on the table are those that were drawn. */
  private showsDraws(view: View, log: readonly LogEntry[]): boolean {
    const rolls = this.steps.map((step) => step.text).filter(isRoll);
    const fallen = this.known
      .shown(view)
      .every((dice) => rolls.findLast((roll) => roll.includes(dice.charAt(0)))?.includes(dice));
    return fallen && (this.known.piles?.addUp(view, this.steps.at(-1)?.left ?? {}, log) ?? true);
  }
}
