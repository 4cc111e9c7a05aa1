import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../art/icons";
import { familyOf } from "../family";
import { memory, update } from "../memory";
import { useObservable } from "../observable";
import type { StateMessage } from "../protocol";
import { translate, translateOptional } from "../translate";
import { usePointing } from "./coach-pointer";
import type { TableModel } from "./model";

const ROLL_BUTTON = ".button.roll";

/** Explains each situation once, in the first game of each kind. */
export function Coach({
  model,
  state,
  family,
}: {
  model: TableModel;
  state: StateMessage;
  family: string;
}): JSX.Element | null {
  const seat = model.seat.value;
  const { guided } = useObservable(memory);
  if (guided.includes(state.game) || !state.you.includes(seat)) {
    return null;
  }
  const situation = situationsOf(state, seat).find(
    (name) =>
      !guided.includes(`${state.game}.${name}`) && coachText(state.game, family, name) !== null,
  );
  if (situation === undefined) {
    return null;
  }
  return (
    <Explanation
      text={coachText(state.game, family, situation) ?? ""}
      target={
        situation === "roll" ? ROLL_BUTTON : (familyOf(state.view).coachTargets[situation] ?? null)
      }
      // What can be touched depends on both.
      at={`${state.seq} ${seat} ${model.idle.value}`}
      isOver={model.sending.value}
      onNext={() => markSeen(state.over ? state.game : `${state.game}.${situation}`)}
      onSkip={() => markSeen(state.game)}
    />
  );
}

/** A text in a place of its own that points at its target. Who acts needs it no more. */
function Explanation({
  text,
  target,
  at,
  isOver,
  onNext,
  onSkip,
}: {
  text: string;
  target: string | null;
  at: string;
  isOver: boolean;
  onNext: () => void;
  onSkip: () => void;
}): JSX.Element {
  const section = useRef<HTMLElement>(null);
  usePointing(section, target, at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (isOver) {
      onNext();
    }
  }, [isOver]);
  return (
    <section ref={section} class="coach" aria-label={translate("page.guide")} aria-live="polite">
      <p>
        <Icon name="guide" /> {text}
      </p>
      <div class="row">
        <button type="button" class="button small primary" onClick={onNext}>
          {translate("page.guide.next")}
        </button>
        <button type="button" class="button small quiet" onClick={onSkip}>
          {translate("page.guide.skip")}
        </button>
      </div>
    </section>
  );
}

function coachText(game: string, family: string, situation: string): string | null {
  return (
    translateOptional(`page.guide.${game}.${situation}`) ??
    translateOptional(`page.guide.${family}.${situation}`)
  );
}

/** Store that a situation or a whole game needs no explanation. */
function markSeen(name: string): void {
  void update(({ guided }) => ({ guided: [...guided, name] }));
}

/** Explain a game from the beginning again. */
export function restartCoach(game: string): void {
  void update(({ guided }) => ({
    guided: guided.filter((name) => name !== game && !name.startsWith(`${game}.`)),
  }));
}

/** Return the situations of a seat that the coach explains, the most general first. */
function situationsOf({ over, rollers, acting, view }: StateMessage, seat: number): string[] {
  return over
    ? ["end"]
    : [
        "welcome",
        ...(rollers.includes(seat) ? ["roll"] : []),
        ...familyOf(view).situations(view, seat, acting.includes(seat)),
      ];
}
