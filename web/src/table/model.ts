/**
 * What a table shows and what its player can do, as signals: a component that reads one of them is
 * drawn again only when it changes.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Connection } from "../connection";
import { familyOf } from "../family";
import type { HintMessage, MoveView, StateMessage } from "../protocol";
import { isIdle, type TableState } from "../table-state";
import { translate } from "../translate";
import type { PromptNote } from "./prompt";
import { busySeats, movesOf, namesOf, promptFor, shownSeat } from "./shown-seat";

export class TableModel {
  /** Null until the first state has arrived. */
  readonly state = this.#part("state");
  readonly link = this.#part("link");
  readonly before = this.#part("before");
  readonly marks = this.#part("marks");
  readonly log = this.#part("log");
  readonly notice = this.#part("notice");
  readonly warning = this.#part("warning");
  readonly reaction = this.#part("reaction");
  readonly outdated = this.#part("outdated");
  readonly refusals = this.#part("refusals");

  /** Whether the player can act: nothing is pending. */
  readonly idle = computed(() => isIdle(this.connection.table.get()));

  /** The player's seats that must decide or roll, as text. */
  readonly busy = computed(() => (this.state.value ? busySeats(this.state.value).join() : ""));

  /** The shown seat. */
  readonly seat = computed(() => {
    const chosen = this.#chosen.value;
    return this.state.value
      ? shownSeat(this.state.value, chosen?.busy === this.busy.value ? chosen.seat : null)
      : 0;
  });

  /** Whether the shown seat is the player's. */
  readonly isOwn = computed(() => this.state.value?.you.includes(this.seat.value) ?? false);

  /** The moves of the shown seat. */
  readonly moves = computed(() =>
    this.state.value ? movesOf(this.state.value, this.seat.value) : [],
  );

  readonly prompt = computed(() => (this.state.value ? this.#promptOf(this.state.value) : ""));

  /** Why the player's turn has ended, otherwise what another player did last. */
  readonly note = computed(() => (this.state.value ? this.#noteOf(this.state.value) : null));

  /** Whether a request that changes the game is on its way. */
  readonly sending = computed(() => this.connection.table.get().pending.size > 0);

  /** The seat of the player that can roll, the shown one first; undefined if none can. */
  readonly roller = computed(() => {
    const { rollers = [], you = [] } = this.state.value ?? {};
    const own = rollers.filter((seat) => you.includes(seat));
    return own.find((seat) => seat === this.seat.value) ?? own[0];
  });

  /** What an undo takes back: a move, an entered roll, or nothing. */
  readonly undoes = computed(() => {
    const { undo = [], correct = false } = this.state.value ?? {};
    return undo.length > 0 ? "move" : correct ? "entry" : null;
  });

  /** Whether a computer player is about to act, after which nothing can be undone. */
  readonly undoEnds = computed(() => {
    const { seats = [], acting = [], rollers = [], pace = 0 } = this.state.value ?? {};
    const isComputer = (seat: number): boolean => seats[seat]?.kind === "computer";
    return (
      this.undoes.value === "move" &&
      this.busy.value === "" &&
      pace > 0 &&
      [...acting, ...rollers].some(isComputer)
    );
  });

  /** Whether the shown seat may have a hint. */
  readonly canHint = computed(() => this.moves.value.length > 0 && !this.state.value?.daily);

  /** Whether its hint is shown or requested. */
  readonly hinting = computed(
    () => this.canHint.value && this.#hintedDecision.value === this.#decision(),
  );

  readonly #names = computed(() => (this.state.value ? namesOf(this.state.value) : []));
  /** The seat that the player wants to see, until another of their seats must act. */
  readonly #chosen = signal<{ seat: number; busy: string } | null>(null);
  readonly #hintedDecision = signal<string | null>(null);
  readonly #selected = signal<{ hint: HintMessage; move: number } | null>(null);

  constructor(readonly connection: Connection) {}

  name = (seat: number): string => this.#names.value[seat] ?? "";

  show = (seat: number): void => {
    this.#chosen.value = { seat, busy: this.busy.peek() };
  };

  move = (move: MoveView): void => {
    const state = this.state.peek();
    if (state) {
      const request = {
        type: "move",
        seq: state.seq,
        seat: this.seat.peek(),
        move: move.id,
      } as const;
      if (familyOf(state.view).rollingMoves.has(move.kind)) {
        this.connection.sendAndRoll(request);
      } else {
        this.connection.send(request);
      }
    }
  };

  roll = (): void => this.#send("roll", this.roller.peek());

  undo = (): void => {
    const { undo = [] } = this.state.peek() ?? {};
    if (this.undoes.peek() === "move") {
      this.#send("undo", undo.find((seat) => seat === this.seat.peek()) ?? undo[0]);
    } else if (this.undoes.peek() === "entry") {
      this.correct();
    }
  };

  /** Take back an entered roll or card. */
  correct = (): void => this.#send("correct", this.#firstSeat());

  enter = (text: string): void =>
    this.connection.send({ type: "enter", seq: this.#seq(), seat: this.#firstSeat(), text });

  /** Show or hide the hint; it is requested once per decision. */
  toggleHint = (): void => {
    this.connection.notify(null);
    this.#hintedDecision.value =
      this.hinting.peek() || !this.canHint.peek() ? null : this.#decision();
  };

  /** Select a move of a hint. */
  select(hint: HintMessage, move: number): void {
    this.#selected.value = { hint, move };
  }

  /** Return the selected move of a hint. */
  selectedIn(hint: HintMessage | null): number | null {
    const selected = this.#selected.value;
    return selected?.hint === hint ? selected.move : null;
  }

  #part<K extends keyof TableState>(key: K): ReadonlySignal<TableState[K]> {
    return computed(() => this.connection.table.get()[key]);
  }

  #seq(): number {
    return this.state.peek()?.seq ?? 0;
  }

  #firstSeat(): number {
    return this.state.peek()?.you[0] ?? 0;
  }

  #send(type: "roll" | "undo" | "correct", seat: number | undefined): void {
    if (seat !== undefined) {
      this.connection.send({ type, seq: this.#seq(), seat });
    }
  }

  #decision(): string {
    return this.connection.answers.keyOf({ type: "hint", seat: this.seat.value });
  }

  #promptOf(state: StateMessage): string {
    const seat = this.seat.value;
    const words = promptFor(state, seat);
    return state.you.length > 1 && this.isOwn.value && state.acting.includes(seat)
      ? `${this.name(seat)}: ${words}`
      : words;
  }

  #noteOf({ view, you }: StateMessage): PromptNote | null {
    const seat = this.seat.value;
    const ended = you.includes(seat) ? familyOf(view).turnEnd(view, seat, this.before.value) : null;
    const last = this.log.value.findLast((entry) => entry.seat >= 0);
    return ended !== null
      ? { about: "turn", words: translate(ended) }
      : last && !you.includes(last.seat)
        ? { about: "others", words: `${this.name(last.seat)}: ${last.words}` }
        : null;
  }
}
