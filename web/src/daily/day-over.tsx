import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { DAILY_PATH } from "../paths";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { Link } from "../ui/link";
import { fetchToday } from "./api";
import { formatDay, untilClosed } from "./day";

const RETRY_AFTER = 10_000;

/** A dialog when the day of an unfinished game is over: the game counts as given up. */
export function DayOver({ day }: { day: string }): JSX.Element | null {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let timer = 0;
    let unmounted = false;
    const checkIn = (wait: number): void => {
      if (!unmounted) {
        timer = window.setTimeout(check, wait);
      }
    };
    const check = (): void =>
      void fetchToday().then(
        (now) => {
          const wait = untilClosed(day, now);
          return wait > 0 ? checkIn(wait * 1000) : setOver(!unmounted);
        },
        () => checkIn(RETRY_AFTER),
      );
    check();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [day]);
  return over ? (
    <Dialog title={translate("page.daily.over")} onClose={() => setOver(false)}>
      <div class="settings">
        <p>{translate("page.daily.over.why", { day: formatDay(day) })}</p>
        <div class="row">
          <Link class="button primary" href={DAILY_PATH}>
            <Icon name="sun" /> {translate("page.daily.there")}
          </Link>
          <button type="button" class="button" onClick={() => setOver(false)}>
            <Icon name="play" /> {translate("page.daily.over.on")}
          </button>
        </div>
      </div>
    </Dialog>
  ) : null;
}
