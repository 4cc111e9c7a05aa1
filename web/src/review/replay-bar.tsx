import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon, type IconName } from "../art/icons";
import type { LogEntry, MoveView, ReviewedDecision } from "../protocol";
import { capitalise, locale, translate } from "../translate";
import { Select } from "../ui/forms";
import { formatMistake, isMistake } from "./review";
import { Term } from "./term";

interface ReplayBarProps {
  at: number;
  last: number;
  /** The next entry of the log. */
  entry: LogEntry | undefined;
  name: (seat: number) => string;
  decision: ReviewedDecision | null;
  played: MoveView | null;
  pointed: MoveView | null;
  onPoint: (move: MoveView | null) => void;
  onStep: (at: number) => void;
  onTry: (() => void) | null;
  /** Show the best line instead of the mistake. */
  onLine: () => void;
  lineFailure: string | null;
}

/** Speeds of the replay, and the milliseconds per move at speed 1. */
const SPEEDS = [0.5, 1, 2, 5] as const;
const PACE = 1200;

/** The next move and its verdict, and the controls of the replay. */
export function ReplayBar({
  at,
  last,
  entry,
  name,
  decision,
  played,
  pointed,
  onPoint,
  onStep,
  onTry,
  onLine,
  lineFailure,
}: ReplayBarProps): JSX.Element {
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (!running) {
      return;
    }
    if (at >= last) {
      setRunning(false);
      return;
    }
    const timer = setTimeout(() => onStep(at + 1), PACE / speed);
    return () => clearTimeout(timer);
  }, [running, at, speed]);
  const isWrong = decision !== null && isMistake(decision);
  const showsBetter = isWrong && pointed !== played;
  const text = showsBetter
    ? capitalise(translate("page.review.better", { words: decision.best.words }))
    : entry
      ? `${entry.seat >= 0 ? `${name(entry.seat)}: ` : ""}${entry.words}`
      : translate("common.over");
  return (
    <section class="prompt replay-bar" aria-label={translate("page.replay")}>
      <div class="prompt-head">
        <div class="prompt-words replay-words">
          <p>{text}</p>
          {decision && (
            <div class={`verdict-line v-${decision.verdict}`}>
              <Term of="mistakes">
                <b>{translate(`review.class.${decision.verdict}`)}</b>
                {isWrong && <> −{formatMistake(decision)}</>}
              </Term>
            </div>
          )}
        </div>
        {onTry && (
          <button
            type="button"
            class="button small try-again"
            title={translate("page.try")}
            onClick={onTry}
          >
            <Icon name="branch" /> <span>{translate("page.try")}</span>
          </button>
        )}
      </div>
      {isWrong && played && (
        // biome-ignore lint/a11y/useSemanticElements: a role on an element that the layout needs
        <div class="compare" role="group" aria-label={translate("page.review.compare")}>
          <button
            type="button"
            class="button small"
            aria-pressed={pointed === played}
            onClick={() => onPoint(played)}
          >
            {translate("page.review.played", { words: played.words })}
          </button>
          <button
            type="button"
            class="button small"
            aria-pressed={pointed !== played}
            onClick={() => onPoint(decision.best)}
          >
            {translate("page.review.better", { words: decision.best.words })}
          </button>
          <button type="button" class="button small to-line" onClick={onLine}>
            <Icon name="play" /> {translate("page.review.line.show")}
          </button>
        </div>
      )}
      {lineFailure !== null && (
        <p class="notice" role="alert">
          {lineFailure}
        </p>
      )}
      <label class="replay-slider">
        <span class="sr">{translate("page.replay.moment")}</span>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-valuetext={translate("page.replay.at", { at, last })}
          onInput={(event) => onStep(Number(event.currentTarget.value))}
        />
        <output>
          {at} / {last}
        </output>
      </label>
      <div class="prompt-buttons replay-buttons">
        <StepButton
          icon="first"
          label={translate("page.replay.first")}
          onClick={at > 0 ? () => onStep(0) : null}
        />
        <StepButton
          icon="back"
          label={translate("page.replay.back")}
          onClick={at > 0 ? () => onStep(at - 1) : null}
        />
        <StepButton
          icon={running ? "pause" : "play"}
          label={translate(running ? "page.replay.pause" : "page.replay.play")}
          onClick={at < last || running ? () => setRunning(!running) : null}
        />
        <StepButton
          icon="next"
          label={translate("page.replay.next")}
          onClick={at < last ? () => onStep(at + 1) : null}
        />
        <StepButton
          icon="last"
          label={translate("page.replay.last")}
          onClick={at < last ? () => onStep(last) : null}
        />
        <Select
          label={translate("page.replay.speed")}
          value={String(speed)}
          options={SPEEDS.map((value) => [
            String(value),
            `${value.toLocaleString(locale.get().language)}×`,
          ])}
          onChange={(value) => setSpeed(Number(value))}
        />
      </div>
    </section>
  );
}

function StepButton({
  icon,
  label,
  onClick,
}: {
  icon: IconName;
  label: string;
  onClick: (() => void) | null;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button step"
      title={label}
      aria-label={label}
      disabled={!onClick}
      onClick={() => onClick?.()}
    >
      <Icon name={icon} />
    </button>
  );
}
