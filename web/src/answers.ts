/**
 * Questions about the shown position. Answers are cached by position, seat and language, so an
 * answer about another position is never shown.
 */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ApiError } from "./api";
import type { AnswerTo, Connection } from "./connection";
import { locale } from "./translate";

export type Question =
  | { type: "hint" | "odds" | "preview"; seat: number }
  | { type: "why"; seat: number; about?: string };

/** Neither pending nor answered nor failed: not asked yet. */
export interface Asked<T> {
  pending: boolean;
  answer: T | null;
  failure: ApiError | null;
}

const NOT_ASKED: Asked<never> = { pending: false, answer: null, failure: null };
const NEVER: ReadonlySignal<Asked<never>> = signal(NOT_ASKED);
/** Questions about the own moves: what others do at the same time changes no answer. */
const ABOUT_OWN_MOVES: ReadonlySet<Question["type"]> = new Set(["hint", "preview"]);
/** Refusals after which another answer can be had: in a newer state, or when the server is back. */
const PASSING: ReadonlySet<string> = new Set(["stale", "offline"]);
const KEPT = 24;

type AnswerOf<Q extends Question> = AnswerTo[Q["type"]];

export class AnswerCache {
  readonly #connection: Connection;
  readonly #asked = new Map<string, Signal<Asked<never>>>();
  readonly #seq: ReadonlySignal<number>;
  readonly #decisionSeq: ReadonlySignal<number>;
  /** Whether questions can be asked. */
  readonly isOpen: ReadonlySignal<boolean>;

  constructor(connection: Connection) {
    const { table } = connection;
    this.#connection = connection;
    this.#seq = computed(() => table.get().state?.seq ?? -1);
    this.#decisionSeq = computed(() => table.get().decisionSeq);
    this.isOpen = computed(() => table.get().link === "open");
  }

  /** Return the key of a question in the shown position and language. */
  keyOf(question: Question): string {
    const seq = ABOUT_OWN_MOVES.has(question.type) ? this.#decisionSeq : this.#seq;
    return [locale.get().language, seq.value, JSON.stringify(question)].join();
  }

  /** Return what is known about a question; the oldest entries are forgotten. */
  entry<Q extends Question>(key: string): Signal<Asked<AnswerOf<Q>>> {
    const known = this.#asked.get(key) ?? signal(NOT_ASKED);
    this.#asked.delete(key); // a key that is set again moves to the end
    this.#asked.set(key, known);
    for (const old of [...this.#asked.keys()].slice(0, -KEPT)) {
      this.#asked.delete(old);
    }
    return known as Signal<Asked<AnswerOf<Q>>>;
  }

  /** Ask a question unless it is asked or answered already, or its position is no longer shown. */
  request<Q extends Question>(key: string, question: Q): void {
    const entry = this.entry<Q>(key);
    const { pending, answer } = entry.peek();
    if (pending || answer || this.keyOf(question) !== key) {
      return;
    }
    entry.value = { ...NOT_ASKED, pending: true };
    const seq = question.type === "why" ? {} : { seq: this.#seq.peek() };
    this.#connection.ask<Question["type"]>({ ...question, ...seq } as never).then(
      (found) => {
        entry.value = { ...NOT_ASKED, answer: found as AnswerOf<Q> };
      },
      (failure: ApiError) => {
        if (PASSING.has(failure.reason)) {
          entry.value = NOT_ASKED;
        } else {
          this.#asked.delete(key); // shown where it was asked, and asked again elsewhere
          entry.value = { ...NOT_ASKED, failure };
        }
      },
    );
  }
}

/**
 * Ask a question about the shown position, if there is one, when the position has not changed for
 * `delay` milliseconds: other players may move quickly. Only readers of the result are redrawn by
 * the answer.
 */
export function useAnswer<Q extends Question>(
  connection: Connection | null,
  question: Q | null,
  delay = 0,
): ReadonlySignal<Asked<AnswerOf<Q>>> {
  const answers = connection?.answers ?? null;
  const key = answers && question ? answers.keyOf(question) : null;
  const isOpen = answers?.isOpen.value ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains the question
  useEffect(() => {
    if (answers && question && key !== null && isOpen) {
      const timer = setTimeout(() => answers.request(key, question), delay);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [answers, key, isOpen]);
  return useMemo(() => (answers && key !== null ? answers.entry<Q>(key) : NEVER), [answers, key]);
}
