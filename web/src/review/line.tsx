/** The best line instead of a mistake: the best move and what it starts, step by step. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import type { Connection } from "../connection";
import { useObservable } from "../observable";
import type { Moment } from "../protocol";
import { locale, translate } from "../translate";

export interface Line {
  /** From the position before the best move to the one after its last step; empty: not open. */
  moments: readonly Moment[];
  step: number;
  failure: string | null;
  open: () => void;
  close: () => void;
  goTo: (step: number) => void;
}

/** The line of the mistake after `at` moves, asked for when it is opened. */
export function useLine(connection: Connection, at: number): Line {
  const { language } = useObservable(locale);
  const [moments, setMoments] = useState<readonly Moment[]>([]);
  const [step, setStep] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const close = (): void => setMoments([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    close();
    setFailure(null);
  }, [at, language]);
  const open = (): void => {
    setFailure(null);
    connection.ask({ type: "line", at }).then(
      (answer) => {
        setStep(0);
        setMoments(answer.moments);
      },
      (error: Error) => setFailure(error.message),
    );
  };
  const isCurrent = moments[0]?.at === at;
  return {
    moments: isCurrent ? moments : [],
    step,
    failure,
    open,
    close,
    goTo: (to) => setStep(Math.max(0, Math.min(to, moments.length - 1))),
  };
}

/** The shown step, and the controls of the line. */
export function LineBar({
  line: { moments, step, goTo, close },
  seat,
}: {
  line: Line;
  seat: number;
}): JSX.Element {
  const last = moments.length - 1;
  const points = (at: number): number => moments[at]?.scores[seat] ?? 0;
  const next = moments[step]?.next;
  const bar = useRef<HTMLElement>(null);
  // The button that opened the line is gone: keep the focus here, and return it.
  useEffect(() => {
    bar.current?.focus();
    return () => {
      requestAnimationFrame(() => document.querySelector<HTMLElement>(".to-line")?.focus());
    };
  }, []);
  return (
    <section
      class="prompt replay-bar line-bar"
      aria-label={translate("page.review.line")}
      tabIndex={-1}
      ref={bar}
    >
      <div class="prompt-head">
        <div class="prompt-words replay-words" role="status">
          <p>
            {next
              ? translate("page.review.line.step", {
                  number: step + 1,
                  count: last,
                  words: next.words,
                })
              : translate("page.review.line.end", { before: points(0), count: points(last) })}
          </p>
        </div>
      </div>
      <ol class="line-steps">
        {moments.slice(0, -1).map((moment, index) => (
          <li key={moment.at}>
            <button
              type="button"
              class="button small"
              aria-current={index === step ? "step" : undefined}
              onClick={() => goTo(index)}
            >
              <b>{index + 1}</b> <span>{moment.next?.words}</span>
            </button>
          </li>
        ))}
      </ol>
      <div class="prompt-buttons replay-buttons">
        <button type="button" class="button" disabled={step === 0} onClick={() => goTo(step - 1)}>
          <Icon name="back" label={translate("page.replay.back")} />
        </button>
        <button
          type="button"
          class="button primary"
          disabled={step === last}
          onClick={() => goTo(step + 1)}
        >
          <Icon name="next" label={translate("page.replay.next")} />
        </button>
        <button type="button" class="button" onClick={close}>
          <Icon name="close" /> {translate("page.review.line.close")}
        </button>
      </div>
    </section>
  );
}
