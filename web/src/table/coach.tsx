import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { memory, remember } from "../memory";
import { useObservable } from "../observable";
import type { StateMessage } from "../protocol";
import { sayIfThere, translate } from "../translate";
import { situation } from "./situation";

/** The first game of each kind explains itself: every situation once, when it is there. */
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
  const step = situation(state, seat).find(
    (one) => !guided.includes(`${state.game}.${one}`) && text(state.game, family, one) !== null,
  );
  if (step === undefined) {
    return null;
  }
  const seen = (): void => learn(state.over ? state.game : `${state.game}.${step}`);
  return (
    <section class="coach" aria-label={translate("page.guide")} aria-live="polite">
      <p>
        <Icon name="bulb" /> {text(state.game, family, step)}
      </p>
      <div class="row">
        <button type="button" class="button small primary" onClick={seen}>
          {translate("page.guide.next")}
        </button>
        <button type="button" class="button small quiet" onClick={() => learn(state.game)}>
          {translate("page.guide.skip")}
        </button>
      </div>
    </section>
  );
}

function text(game: string, family: string, step: string): string | null {
  return sayIfThere(`page.guide.${game}.${step}`) ?? sayIfThere(`page.guide.${family}.${step}`);
}

/** Keeps what needs no explanation any more: a situation, or a whole game. */
function learn(what: string): void {
  remember(({ guided }) => ({ guided: [...guided, what] }));
}

/** Lets the guide of a game begin anew. */
export function coachAgain(game: string): void {
  remember(({ guided }) => ({
    guided: guided.filter((one) => one !== game && !one.startsWith(`${game}.`)),
  }));
}
