import type { JSX } from "preact";
import { Icon } from "../art/icons";
import type { SeatInfo, StateMessage } from "../protocol";
import { say } from "../words";
import { useAbsence } from "./absence";

/** Where there is little room, computers go by their sign and their level, and of more players by their sign and seat. */
const ROOMY = 2;

/** Everybody at the table with his points; touching one shows his sheet. */
export function Players({
  state,
  shown,
  onInvite,
  onShow,
}: {
  state: StateMessage;
  shown: number;
  onInvite: (() => void) | null;
  onShow: (seat: number) => void;
}): JSX.Element {
  const awayFor = useAbsence();
  return (
    <nav class="players" aria-label={say("page.players")}>
      {state.seats.map((seat) => {
        const away = awayFor(seat);
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
              mine={state.you.includes(seat.seat) || state.resting.includes(seat.seat)}
            />
            <span class="player-who">
              <PlayerName seat={seat} players={state.seats.length} />
              {away !== null && (
                <small class="away" title={say("page.player.away.since", { time: away })}>
                  {say("page.player.away.short", { time: away })}
                </small>
              )}
            </span>
            {acting && <span class="sr">, {say("page.player.acting")}</span>}
            <strong class="player-points">
              {state.scores[seat.seat] ?? 0}
              <span class="sr"> {say("page.points")}</span>
            </strong>
          </button>
        );
      })}
      {onInvite && (
        <button
          type="button"
          class="button small primary"
          aria-label={say("page.invite")}
          title={say("page.invite")}
          onClick={onInvite}
        >
          <Icon name="link" /> <span>{say("page.invite")}</span>
        </button>
      )}
      {state.you.length === 0 && state.resting.length === 0 && (
        <span class="watching">
          <Icon name="eye" /> {say("page.watching")}
        </span>
      )}
    </nav>
  );
}

export function PlayerName({ seat, players }: { seat: SeatInfo; players: number }): JSX.Element {
  return (
    <>
      <span class="player-name">{seat.open ? say("page.seat.open") : seat.name}</span>
      {seat.kind === "computer" && !seat.stand_in && (
        <span class="player-short">
          {players > ROOMY ? seat.seat + 1 : say(`server.level.${seat.level}`)}
        </span>
      )}
    </>
  );
}

export function SeatSign({ seat, mine }: { seat: SeatInfo; mine: boolean }): JSX.Element {
  if (seat.kind === "computer") {
    return <Icon name="robot" label={say("page.seat.computer")} />;
  }
  if (seat.open) {
    return <Icon name="link" />;
  }
  return (
    <span class={`presence${seat.connected ? " here" : ""}`}>
      <Icon
        name="person"
        label={say(
          mine ? "page.player.you" : seat.connected ? "page.player.here" : "page.player.away",
        )}
      />
    </span>
  );
}
