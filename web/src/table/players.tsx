import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../art/icons";
import type { SeatInfo, StateMessage } from "../protocol";
import { translate } from "../translate";
import { useTimes } from "./absence";
import { namesOf } from "./shown-seat";

/** On small screens computer players show icon and strength; with more players icon and seat. */
const MOST_NAMED = 2;

/** All players with their points; a click shows a player's sheet. */
export function Players({
  state,
  shown,
  onInvite,
  onShow,
  children,
}: {
  state: StateMessage;
  shown: number;
  onInvite: (() => void) | null;
  onShow: (seat: number) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { absenceOf, timeLeft } = useTimes();
  return (
    <nav class="players" aria-label={translate("page.players")}>
      {state.seats.map((seat) => {
        const away = absenceOf(seat);
        const acting = state.acting.includes(seat.seat) || state.rollers.includes(seat.seat);
        return (
          <button
            key={seat.seat}
            type="button"
            class={`player p-${seat.seat}${acting ? " acting" : ""}${seat.open ? " open" : ""}`}
            aria-pressed={seat.seat === shown}
            onClick={() => onShow(seat.seat)}
          >
            <SeatSign
              seat={seat}
              isOwn={state.you.includes(seat.seat) || state.resting.includes(seat.seat)}
            />
            <span class="player-who">
              <PlayerName seat={seat} state={state} />
              {acting && seat.kind === "person" && state.deadline !== null && (
                <small class="away" title={translate("page.player.deadline")}>
                  {translate("page.player.left", { time: timeLeft(state.deadline) })}
                </small>
              )}
              {away !== null && (
                <small class="away" title={translate("page.player.away.since", { time: away })}>
                  {translate("page.player.away.short", { time: away })}
                </small>
              )}
            </span>
            {acting && <span class="sr">, {translate("page.player.acting")}</span>}
            <strong class="player-points">
              {state.scores[seat.seat] ?? 0}
              <span class="sr"> {translate("page.points")}</span>
            </strong>
          </button>
        );
      })}
      {onInvite && (
        <button
          type="button"
          class="button small primary"
          aria-label={translate("page.invite")}
          title={translate("page.invite")}
          onClick={onInvite}
        >
          <Icon name="link" /> <span>{translate("page.invite")}</span>
        </button>
      )}
      {children}
      {state.you.length === 0 && state.resting.length === 0 && (
        <span class="watching" title={translate("page.watching")}>
          <Icon name="eye" /> <span>{translate("page.watching")}</span>
        </span>
      )}
    </nav>
  );
}

export function PlayerName({ seat, state }: { seat: SeatInfo; state: StateMessage }): JSX.Element {
  const players = state.seats.length;
  return (
    <>
      <span class="player-name">{namesOf(state)[seat.seat]}</span>
      {seat.kind === "computer" && !seat.stand_in && (
        <span class="player-short">
          {players > MOST_NAMED ? seat.seat + 1 : translate(`server.level.${seat.level}`)}
        </span>
      )}
    </>
  );
}

export function SeatSign({ seat, isOwn }: { seat: SeatInfo; isOwn: boolean }): JSX.Element {
  if (seat.kind === "computer") {
    return <Icon name="robot" label={translate("page.seat.computer")} />;
  }
  if (seat.open) {
    return <Icon name="link" />;
  }
  return (
    <span class={`presence${seat.connected ? " here" : ""}`}>
      <Icon
        name="person"
        label={translate(
          isOwn ? "page.player.you" : seat.connected ? "page.player.here" : "page.player.away",
        )}
      />
    </span>
  );
}
