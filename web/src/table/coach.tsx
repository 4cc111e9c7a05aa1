import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { familyOf } from "../family";
import { memory, update } from "../memory";
import { useObservable } from "../observable";
import type { StateMessage } from "../protocol";
import { translate, translateOptional } from "../translate";

/** Explains each situation once, in the first game of each kind. */
export function Coach({
  state,
  seat,
  family,
}: {
  state: StateMessage;
  seat: number;
  family: string;
}): JSX.Element | null {
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
  const next = (): void => markSeen(state.over ? state.game : `${state.game}.${situation}`);
  return (
    <section class="coach" aria-label={translate("page.guide")} aria-live="polite">
      <p>
        <Icon name="bulb" /> {coachText(state.game, family, situation)}
      </p>
      <div class="row">
        <button type="button" class="button small primary" onClick={next}>
          {translate("page.guide.next")}
        </button>
        <button type="button" class="button small quiet" onClick={() => markSeen(state.game)}>
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
