/** Sees to it that the dice of a table are those that were sealed: what the page sends, what it is owed, and every draw as it comes. */
import { observable, type Observable } from "../observable";
import type { LogEntry, StateMessage, StirredSalt, View } from "../protocol";
import {
  below,
  emptyCup,
  generator,
  isRoll,
  isRolled,
  lots,
  markOf,
  platters,
  secretBefore,
  stirred,
} from "./draws";
import { type Broken, keep, keptOf, newSalt } from "./keep";

export interface Testimony {
  /** Without it the dice of this table are not sealed. */
  sealed: boolean;
  /** Draws that were checked. */
  draws: number;
  broken: Broken | null;
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

interface Step {
  index: number;
  secret: string;
  cup: Uint8Array;
  salts: readonly StirredSalt[];
  left: Left;
  text: string;
}

interface Roll {
  seat: number;
  salt: string;
}

const CHANCE = -1;

export class Witness {
  readonly testimony: Observable<Testimony>;
  private kept;
  private steps: Step[] = [];
  /** Rolls not answered yet, by ref, and those acknowledged, by the seq at which they must stand in the log. */
  private asked = new Map<number, Roll>();
  private owed: [number, Roll][] = [];
  /** Draws there were when the page said hello: after them its own salts stand in the cup. */
  private greeted: number | null = null;
  /** What was shown last, and how long the log was. */
  private last: { view: View; length: number } | null = null;

  constructor(
    readonly table: string,
    private readonly known: Known,
  ) {
    this.kept = keptOf(table);
    this.testimony = observable({
      sealed: this.kept.anchor !== "",
      draws: 0,
      broken: this.kept.broken,
    });
  }

  /** The salt to say hello with. */
  hello(): string {
    this.greeted = null;
    this.asked.clear();
    keep(this.table, this.kept);
    return this.kept.hello;
  }

  /** The salt to roll with. */
  roll(ref: number, seat: number): string {
    this.asked.set(ref, { seat, salt: this.kept.roll });
    return this.kept.roll;
  }

  answered(ref: number, seq: number | null): void {
    const roll = this.asked.get(ref);
    this.asked.delete(ref);
    if (roll && seq !== null) {
      this.owed.push([seq, roll]);
    }
  }

  see(state: StateMessage, log: readonly LogEntry[]): void {
    const { draws } = this.kept;
    const broken = (this.kept.broken ??= this.look(state, log));
    if (broken !== null || this.kept.draws !== draws) {
      keep(this.table, this.kept);
    }
    this.last = { view: state.view, length: log.length };
    this.testimony.set({ sealed: this.kept.anchor !== "", draws: this.steps.length, broken });
  }

  private look(state: StateMessage, log: readonly LogEntry[]): Broken | null {
    const { sealing } = state;
    if (sealing === null) {
      return this.kept.anchor === "" ? null : "anchor";
    }
    if (this.kept.anchor === "") {
      this.kept.anchor = sealing.anchor;
      keep(this.table, this.kept);
    }
    const named = `foxclover/seal/1 ${state.table} ${state.game} ${state.seats.length} `;
    if (sealing.anchor !== this.kept.anchor || !sealing.title.startsWith(named)) {
      return "anchor";
    }
    this.steps = this.steps.filter((step) => step.index < state.log_from);
    const { last } = this;
    const mover = log.at(-2)?.seat ?? CHANCE;
    const seen =
      last?.length === state.log_from && log.length === last.length + 2
        ? { view: last.view, mover }
        : null;
    for (const entry of log.filter(({ seat }) => seat === CHANCE).slice(this.steps.length)) {
      if (!entry.seal) {
        // Behind a card that others must not know yet the secrets come later; dice have no such excuse.
        return state.acting.length > 0 && !isRoll(entry.text) ? null : "missing";
      }
      const wrong = this.check(
        sealing.title,
        entry,
        state.seats.length,
        entry === log.at(-1) ? seen : null,
      );
      if (wrong) {
        return wrong;
      }
    }
    return this.missesSalts(state) ? "salt" : this.showsDraws(state.view, log) ? null : "roll";
  }

  private check(title: string, entry: LogEntry, players: number, seen: Seen | null): Broken | null {
    const { seal } = entry;
    const before = this.steps.at(-1);
    const number = this.steps.length;
    if (
      !seal ||
      seal.draw !== number + 1 ||
      secretBefore(title, seal.secret) !== (before?.secret ?? this.kept.anchor)
    ) {
      return "chain";
    }
    const { text } = entry;
    const cup = seal.salts.reduce(stirred, before?.cup ?? emptyCup(title));
    const mark = markOf(cup, text);
    const seenBefore = this.kept.draws.slice(number * mark.length, (number + 1) * mark.length);
    if (seenBefore === "") {
      this.kept.draws += mark;
    } else if (seenBefore !== mark) {
      return "changed";
    }
    const drawn = this.drawnFrom(entry, players, before, seen);
    this.steps.push({
      index: entry.index,
      secret: seal.secret,
      cup,
      salts: seal.salts,
      text,
      left: drawn?.left ?? {},
    });
    const next = generator(seal.secret, cup);
    const right = isRoll(text)
      ? isRolled(text, this.known.letters, next)
      : drawn !== null && drawn.from[below(next, drawn.from.length)] === text;
    return right ? null : "roll";
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

  /** Whether a salt of this page should be in the cup and is not. */
  private missesSalts(state: StateMessage): boolean {
    const salts = this.steps.flatMap((step) => step.salts);
    const stands = ({ seat, salt }: Roll): boolean =>
      salts.some((one) => one.seat === seat && one.salt === salt);
    if (salts.some((one) => one.salt === this.kept.roll && state.you.includes(one.seat))) {
      this.kept.roll = newSalt();
      keep(this.table, this.kept);
    }
    const due = this.owed.filter(([seq]) => seq <= state.seq);
    this.owed = this.owed.filter(([seq]) => seq > state.seq);
    this.greeted ??= this.steps.length;
    const unheard =
      this.steps.length > this.greeted &&
      !state.you.every((seat) => salts.some((one) => one.seat === seat));
    return unheard || !due.every(([, roll]) => stands(roll));
  }
}
