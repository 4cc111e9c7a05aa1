/** Quick reactions: six to choose from, and those of other players for a few seconds. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { memory, update } from "../memory";
import { useObservable } from "../observable";
import type { Reaction, ReactionMessage, SeatInfo, StateMessage } from "../protocol";
import { translate } from "../translate";
import { Switch, Toggle } from "../ui/settings";
import type { TableModel } from "./model";
import "../styles/reactions.css";

const ROUND = "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z";
/** Own drawings: not every system has pictures for emojis. */
const SIGNS: Readonly<Record<Reaction, string>> = {
  well: "M12 3l2.7 5.8 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3.1 1.2-6.2L3 9.6l6.3-.8Z",
  luck: "M12 12C8 12 5 10 6 7.5S11 5.5 12 12C12 5.5 17 5 18 7.5S16 12 12 12C16 12 19 14 18 16.5S13 18.5 12 12C11 18.5 7 19 6 16.5S8 12 12 12ZM12.5 13q2 4 1 8",
  wow: `${ROUND}M9 9.5h.01M15 9.5h.01M12 13a1.8 2 0 1 0 0 4 1.8 2 0 0 0 0-4Z`,
  ouch: `${ROUND}M8 8.5l2 1.5-2 1M16 8.5l-2 1.5 2 1M8 16l1.5-1.5 1.7 1.5 1.7-1.5 1.6 1.5L16 14.5`,
  laugh: `${ROUND}M8 10q1-1.5 2 0M14 10q1-1.5 2 0M7.5 13h9a4.5 4.5 0 0 1-9 0Z`,
  thanks: "M12 20C5 15 3 12 3.5 8.5 4.5 4.5 10 4 12 8.5 14 4 19.5 4.5 20.5 8.5 21 12 19 15 12 20Z",
};
const REACTIONS = Object.keys(SIGNS) as Reaction[];
/** Milliseconds that a reaction is shown. */
const SHOWN = 4000;
const MOST_MUTED = 100;

export function Reactions({
  model,
  state,
}: {
  model: TableModel;
  state: StateMessage;
}): JSX.Element {
  const own = state.you.includes(model.seat.value) ? model.seat.value : state.you[0];
  return (
    <>
      <Choice
        onReact={
          own === undefined
            ? null
            : (reaction) => model.connection.send({ type: "react", seat: own, reaction })
        }
      >
        <Mutes state={state} name={model.name} />
      </Choice>
      <Shown newest={model.reaction.value} state={state} name={model.name} />
    </>
  );
}

/** Players keep their name in a rematch; without one, they are known by their seat. */
const muteKey = ({ table }: StateMessage, { named, name, seat }: SeatInfo): string =>
  named ? name : `${table} ${seat}`;

/** Switches for the reactions of all players, and of each other one. */
function Mutes({
  state,
  name,
}: {
  state: StateMessage;
  name: (seat: number) => string;
}): JSX.Element {
  const { reactions, muted } = useObservable(memory);
  const others = state.seats.filter(
    ({ kind, open, seat }) => kind === "person" && !open && !state.you.includes(seat),
  );
  return (
    <>
      <Switch name="reactions" />
      {reactions &&
        others.map((seat) => {
          const key = muteKey(state, seat);
          return (
            <Toggle
              key={key}
              label={translate("page.reactions.of", { name: name(seat.seat) })}
              on={!muted.includes(key)}
              onChange={(on) =>
                void update((stored) => {
                  const rest = stored.muted.filter((known) => known !== key);
                  return { muted: on ? rest : [...rest, key].slice(-MOST_MUTED) };
                })
              }
            />
          );
        })}
    </>
  );
}

/** The six reactions behind a button; spectators can only mute them. */
function Choice({
  onReact,
  children,
}: {
  onReact: ((reaction: Reaction) => void) | null;
  children: ComponentChildren;
}): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  const label = translate(onReact ? "page.reactions" : "page.reactions.shown");
  return (
    <>
      <button
        type="button"
        class="round-button react"
        aria-label={label}
        title={label}
        popovertarget="reactions"
      >
        <Icon name="smile" />
      </button>
      <div id="reactions" class="reactions" popover="auto" ref={menu}>
        {onReact &&
          REACTIONS.map((reaction) => (
            <button
              key={reaction}
              type="button"
              class="reaction"
              onClick={() => {
                onReact(reaction);
                menu.current?.hidePopover();
              }}
            >
              <Sign of={reaction} /> {translate(`page.reaction.${reaction}`)}
            </button>
          ))}
        {children}
      </div>
    </>
  );
}

/** The newest reaction, above everything, dialogs included. */
function Shown({
  newest,
  state,
  name,
}: {
  newest: ReactionMessage | null;
  state: StateMessage;
  name: (seat: number) => string;
}): JSX.Element {
  const { reactions, muted } = useObservable(memory);
  const sender = newest && state.seats[newest.seat];
  const isWanted = reactions && sender && !muted.includes(muteKey(state, sender));
  const bubble = useRef<HTMLParagraphElement>(null);
  const [first] = useState(newest); // shown already, before this part of the page was loaded
  useEffect(() => {
    if (newest === null || newest === first || !isWanted) {
      return;
    }
    bubble.current?.showPopover();
    const timer = setTimeout(() => bubble.current?.hidePopover(), SHOWN);
    return () => {
      clearTimeout(timer);
      bubble.current?.hidePopover();
    };
  }, [newest, first, isWanted]);
  return (
    <p class="reaction-bubble" popover="manual" role="status" ref={bubble}>
      {newest && isWanted && (
        <>
          <b>{name(newest.seat)}</b> <Sign of={newest.reaction} />{" "}
          {translate(`page.reaction.${newest.reaction}`)}
        </>
      )}
    </p>
  );
}

const Sign = ({ of }: { of: Reaction }): JSX.Element => (
  <svg class={`reaction-sign r-${of}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={SIGNS[of]} />
  </svg>
);
