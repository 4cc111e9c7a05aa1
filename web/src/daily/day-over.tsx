import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { go } from "../route";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { today } from "./api";
import { dayWords, untilClosed } from "./day";

const AGAIN = 10_000;

/** Says that the day of an unfinished game is over, when it is opened or when that happens: it counts as given up. */
export function DayOver({ day }: { day: string }): JSX.Element | null {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let timer = 0;
    let left = false;
    const lookIn = (wait: number): void => {
      if (!left) {
        timer = window.setTimeout(look, wait);
      }
    };
    const look = (): void =>
      void today().then(
        (now) => {
          const wait = untilClosed(day, now);
          return wait > 0 ? lookIn(wait * 1000) : setOver(!left);
        },
        () => lookIn(AGAIN),
      );
    look();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [day]);
  return over ? (
    <Dialog title={translate("page.daily.over")} onClose={() => setOver(false)}>
      <div class="settings">
        <p>{translate("page.daily.over.why", { day: dayWords(day) })}</p>
        <div class="row">
          <button type="button" class="button primary" onClick={() => go("/daily")}>
            <Icon name="sun" /> {translate("page.daily.there")}
          </button>
          <button type="button" class="button" onClick={() => setOver(false)}>
            <Icon name="play" /> {translate("page.daily.over.on")}
          </button>
        </div>
      </div>
    </Dialog>
  ) : null;
}
