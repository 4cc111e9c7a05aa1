import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import type { SeatInfo, StateMessage } from "../protocol";
import { say } from "../words";
import { copy } from "./top-bar";

/** Everybody at the table with his points; touching one shows his sheet. */
export function Players({ state, shown, onShow }: { state: StateMessage; shown: number; onShow: (seat: number) => void }): JSX.Element {
  return (
    <nav class="players" aria-label={say("page.players")}>
      {state.seats.map((seat) => {
        const acting = state.acting.includes(seat.seat) || state.rollers.includes(seat.seat);
        return (
          <button
            key={seat.seat}
            type="button"
            class={`player p-${seat.seat}${acting ? " acting" : ""}${seat.open ? " open" : ""}`}
            aria-pressed={seat.seat === shown}
            onClick={() => onShow(seat.seat)}
          >
            <SeatSign seat={seat} mine={state.you.includes(seat.seat)} />
            <span class="player-name">{seat.open ? say("page.seat.open") : seat.name}</span>
            {acting && <span class="sr">, {say("page.player.acting")}</span>}
            <strong class="player-points">{state.scores[seat.seat] ?? 0}<span class="sr"> {say("page.points")}</span></strong>
          </button>
        );
      })}
      {state.invitation !== null && <Invite path={state.invitation} />}
      {state.you.length === 0 && <span class="watching"><Icon name="eye" /> {say("page.watching")}</span>}
    </nav>
  );
}

function SeatSign({ seat, mine }: { seat: SeatInfo; mine: boolean }): JSX.Element {
  if (seat.kind === "computer") {
    return <Icon name="robot" label={say("page.seat.computer")} />;
  }
  if (seat.open) {
    return <Icon name="link" />;
  }
  return (
    <span class={`presence${seat.connected ? " here" : ""}`}>
      <Icon name="person" label={say(mine ? "page.player.you" : seat.connected ? "page.player.here" : "page.player.away")} />
    </span>
  );
}

function Invite({ path }: { path: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  return (
    <button type="button" class="button small primary" onClick={() => void copy(`${location.origin}${path}`).then(() => setCopied(true))}>
      <Icon name={copied ? "check" : "link"} /> {say(copied ? "page.table.copied" : "page.table.invite")}
    </button>
  );
}
