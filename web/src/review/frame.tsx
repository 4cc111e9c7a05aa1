import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../art/icons";
import type { Connection } from "../connection";
import { type BoardActions, familyOf } from "../family";
import { useMedia, WIDE } from "../media";
import { useObservable } from "../observable";
import { type MomentRef, tablePath } from "../paths";
import type { GameInfo, Layout, LogEntry, Moment, MoveView, StateMessage } from "../protocol";
import { PlayerName } from "../table/players";
import { translate } from "../translate";
import { ConnectionBanner } from "../ui/connection-banner";
import { noteShown } from "../ui/error-report";
import { Link } from "../ui/link";
import { HomeLink } from "../ui/page-bar";

export interface ReviewPageProps {
  connection: Connection;
  game: GameInfo;
  layout: Layout;
  state: StateMessage;
  log: readonly LogEntry[];
  moment: MomentRef;
}

/** A review shows no previews of moves. */
export const NO_PREVIEWS: BoardActions["previews"] = signal([]);

/** Scroll the sheet to the place of the shown move, on screens where it is larger than its panel. */
function showHinted(): void {
  const panel = document.querySelector(".sheet-panel");
  const hinted = panel?.querySelector(".hinted");
  if (panel && hinted) {
    const [outer, inner] = [panel.getBoundingClientRect(), hinted.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      panel.scrollBy(0, (inner.top + inner.bottom - outer.top - outer.bottom) / 2);
    }
  }
}

/** The board of a moment. */
export function ReviewBoard({
  layout,
  moment,
  moves,
  actions,
}: {
  layout: Layout;
  moment: Moment;
  moves: readonly MoveView[];
  actions: BoardActions;
}): JSX.Element {
  const { Board: Drawn } = familyOf(layout);
  noteShown(moment.position);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(showHinted, [moment, actions.hinted]);
  return (
    <Drawn
      layout={layout}
      view={moment.view}
      before={null}
      seq={moment.at}
      moves={moves}
      actions={actions}
      connection={null}
    />
  );
}

interface ReviewFrameProps {
  connection: Connection;
  title: string;
  layout: Layout;
  state: StateMessage;
  scores: readonly number[];
  shown: number;
  onSeat: (seat: number) => void;
  side: ComponentChildren;
  list: ComponentChildren | null;
  children: ComponentChildren;
}

/** The table at a moment, and beside or below it the review. */
export function ReviewFrame({
  connection,
  title,
  layout,
  state,
  scores,
  shown,
  onSeat,
  side,
  list,
  children,
}: ReviewFrameProps): JSX.Element {
  const wide = useMedia(WIDE);
  const { link } = useObservable(connection.table);
  return (
    <div class={`look-back kind-${layout.kind}`}>
      <div class={`table kind-${layout.kind}`}>
        <header class="top-bar">
          <HomeLink />
          <span class="top-title">{title}</span>
          <span class="top-buttons">
            <a class="button small to-review" href="#review">
              <Icon name="chart" /> {translate("page.review")}
            </a>
            <Link class="button small" href={tablePath(connection.code)}>
              <Icon name="close" /> {translate("page.replay.leave")}
            </Link>
          </span>
        </header>
        <nav class="players" aria-label={translate("page.players")}>
          {state.seats.map((seat) => (
            <button
              key={seat.seat}
              type="button"
              class={`player p-${seat.seat}`}
              aria-pressed={seat.seat === shown}
              onClick={() => onSeat(seat.seat)}
            >
              <Icon name={seat.kind === "computer" ? "robot" : "person"} />
              <span class="player-who">
                <PlayerName seat={seat} state={state} />
              </span>
              <strong class="player-points">
                {scores[seat.seat] ?? 0}
                <span class="sr"> {translate("page.points")}</span>
              </strong>
            </button>
          ))}
        </nav>
        <ConnectionBanner link={link} />
        <main class="stage">
          <h1 class="sr">
            {translate("page.review")}: {title}
          </h1>
          {children}
          {wide && list !== null && (
            <aside class="log-side" aria-label={translate("page.log")}>
              {list}
            </aside>
          )}
        </main>
      </div>
      <aside class="review-side" id="review" aria-label={translate("page.review")}>
        {side}
        {!wide && list !== null && (
          <details class="log-details">
            <summary>{translate("page.log")}</summary>
            {list}
          </details>
        )}
      </aside>
    </div>
  );
}
