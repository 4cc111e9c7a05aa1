/** Sees to it that the dice of a table are those that were sealed: what the page sends, what it is owed, and every draw as it comes. */
import { observable, type Observable } from "../observable";
import type { LogEntry, StateMessage, StirredSalt } from "../protocol";
import { emptyCup, generator, isDrawn, secretBefore, stirred } from "./draws";
import { type Broken, keep, keptOf, newSalt } from "./keep";
import { type Deck, type Draw, drawnFrom, leftAfter } from "./piles";

export interface Testimony {
  /** Without it the dice of this table are not sealed. */
  sealed: boolean;
  /** Draws that were checked. */
  draws: number;
  broken: Broken | null;
}

interface Step {
  index: number;
  secret: string;
  cup: Uint8Array;
  salts: readonly StirredSalt[];
  /** What is left of things drawn from. */
  left: Draw["left"];
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
  private said: string[] = [];
  /** Rolls not answered yet, by ref, and those acknowledged, by the seq at which they must stand in the log. */
  private asked = new Map<number, Roll>();
  private owed: [number, Roll][] = [];
  /** Draws there were when the page said hello: after them its own salts stand in the cup. */
  private greeted: number | null = null;

  constructor(readonly table: string, private readonly deck: Deck = []) {
    this.kept = keptOf(table);
    this.testimony = observable({ sealed: this.kept.anchor !== "", draws: 0, broken: this.kept.broken });
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
    const broken = this.kept.broken ?? this.look(state, log);
    if (broken !== null && this.kept.broken === null) {
      this.kept.broken = broken;
      keep(this.table, this.kept);
    }
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
    const unchecked = log.slice(state.log_from).filter((entry) => entry.seat === CHANCE);
    for (const entry of unchecked) {
      if (!entry.seal) {
        // Behind a draw that others must not know yet the secrets come later.
        return state.acting.length > 0 ? null : "missing";
      }
      const wrong = this.check(sealing.title, entry, state.seats.length);
      if (wrong) {
        return wrong;
      }
    }
    return this.missesSalts(state) ? "salt" : null;
  }

  private check(title: string, entry: LogEntry, players: number): Broken | null {
    const { seal } = entry;
    const before = this.steps.at(-1);
    const number = this.steps.length;
    if (!seal || seal.draw !== number + 1 || secretBefore(title, seal.secret) !== (before?.secret ?? this.kept.anchor)) {
      return "chain";
    }
    const said = JSON.stringify([entry.text, seal.salts, seal.among]);
    if ((this.said[number] ??= said) !== said) {
      return "changed";
    }
    const cup = seal.salts.reduce(stirred, before?.cup ?? emptyCup(title));
    const { text } = entry;
    const left = before?.left ?? [];
    const from = drawnFrom({ text, told: seal.among ?? null, players, deck: this.deck, before: this.steps.map((step) => step.text), left });
    this.steps.push({ index: entry.index, secret: seal.secret, cup, salts: seal.salts, text, left: from ? leftAfter(left, from, text) : left });
    return isDrawn(text, from, generator(seal.secret, cup)) ? null : "roll";
  }

  /** Whether a salt of this page should be in the cup and is not. */
  private missesSalts(state: StateMessage): boolean {
    const salts = this.steps.flatMap((step) => step.salts);
    const stands = ({ seat, salt }: Roll): boolean => salts.some((one) => one.seat === seat && one.salt === salt);
    if (salts.some((one) => one.salt === this.kept.roll && state.you.includes(one.seat))) {
      this.kept.roll = newSalt();
      keep(this.table, this.kept);
    }
    const due = this.owed.filter(([seq]) => seq <= state.seq);
    this.owed = this.owed.filter(([seq]) => seq > state.seq);
    this.greeted ??= this.steps.length;
    const unheard = this.steps.length > this.greeted && !state.you.every((seat) => salts.some((one) => one.seat === seat));
    return unheard || !due.every(([, roll]) => stands(roll));
  }
}
