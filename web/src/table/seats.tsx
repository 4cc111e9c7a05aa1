import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon, type IconName } from "../art/icons";
import type { Connection } from "../connection";
import { defaultStrength } from "../home/new-table";
import { forgetTable } from "../memory";
import { HOME } from "../paths";
import type { ChangeSeat, SeatInfo, StateMessage } from "../protocol";
import { go } from "../route";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { Select, strengthOptions, useConfirmation } from "../ui/forms";
import { Failure } from "../ui/notices";
import { useTimes } from "./absence";
import { SeatSign } from "./players";
import { namesOf } from "./shown-seat";

type Change = ChangeSeat["change"];

const ICONS: Record<Change, IconName> = {
  leave: "leave",
  return: "person",
  replace: "robot",
  free: "link",
};

interface SeatsDialogProps {
  connection: Connection;
  state: StateMessage;
  notice: string | null;
  strengths: readonly string[];
  onInvite: (() => void) | null;
  onClose: () => void;
}

/** The seats of the table: who is away, leaving, replacing, freeing. */
export function SeatsDialog({
  connection,
  state,
  notice,
  strengths,
  onInvite,
  onClose,
}: SeatsDialogProps): JSX.Element {
  const [strength, setStrength] = useState(defaultStrength(strengths));
  const [leaving, setLeaving] = useState(false);
  const ownSeats = state.you.length + state.resting.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (leaving && ownSeats === 0) {
      forgetTable(connection.code);
      go(HOME);
    }
  }, [leaving, ownSeats]);
  const change = (seat: number, name: Change): void => {
    setLeaving(name === "leave");
    connection.send({
      type: "seat",
      seat,
      change: name,
      ...(name === "replace" ? { level: strength } : {}),
    });
  };
  return (
    <Dialog title={translate("page.setup.seats")} onClose={onClose}>
      <div class="settings">
        <ul class="seat-lines">
          {state.seats.map((seat) => (
            <SeatLine
              key={seat.seat}
              seat={seat}
              state={state}
              computers={strengths.length > 0}
              onChange={(name) => change(seat.seat, name)}
            />
          ))}
        </ul>
        <Failure text={notice} />
        {ownSeats > 0 && strengths.length > 0 && (
          <label class="choice">
            <Icon name="robot" label={translate("page.setup.level")} />
            <Select value={strength} options={strengthOptions(strengths)} onChange={setStrength} />
          </label>
        )}
        {onInvite && (
          <button type="button" class="button primary" onClick={onInvite}>
            <Icon name="link" /> {translate("page.invite")}
          </button>
        )}
        <p class="hint-line">{translate("page.seats.why")}</p>
      </div>
    </Dialog>
  );
}

function SeatLine({
  seat,
  state,
  computers,
  onChange,
}: {
  seat: SeatInfo;
  state: StateMessage;
  computers: boolean;
  onChange: (change: Change) => void;
}): JSX.Element {
  const away = useTimes().absenceOf(seat);
  const changes = changesOf(seat, state).filter((change) => change !== "replace" || computers);
  return (
    <li class={`seat-line p-${seat.seat}`}>
      <SeatSign seat={seat} isOwn={state.you.includes(seat.seat)} />
      <span class="seat-who">
        <strong>{namesOf(state)[seat.seat]}</strong> <small>{status(seat, away)}</small>
      </span>
      <span class="row">
        {changes.map((change) => (
          <SeatButton key={change} change={change} onClick={() => onChange(change)} />
        ))}
      </span>
    </li>
  );
}

/** A button for a change; leaving must be confirmed. */
function SeatButton({ change, onClick }: { change: Change; onClick: () => void }): JSX.Element {
  const { confirming, handlers } = useConfirmation(onClick, change === "leave");
  return (
    <button type="button" class="button small" {...handlers}>
      <Icon name={ICONS[change]} />{" "}
      {translate(confirming ? "page.seats.leave.sure" : `page.seats.${change}`)}
    </button>
  );
}

function status(seat: SeatInfo, away: string | null): string {
  const strength = translate(`server.level.${seat.level}`);
  if (seat.stand_in) {
    return translate("page.seats.stand_in", { level: strength });
  }
  if (seat.kind === "computer" || seat.open) {
    return "";
  }
  return away === null
    ? translate("page.player.here")
    : translate("page.player.away.since", { time: away });
}

/** Return the changes that this page can make to a seat. */
function changesOf(seat: SeatInfo, { you, resting, host, over }: StateMessage): Change[] {
  if (over) {
    return [];
  }
  if (resting.includes(seat.seat)) {
    return ["return", "leave"];
  }
  if (you.includes(seat.seat)) {
    return ["replace", "leave"];
  }
  if (!host) {
    return [];
  }
  if (seat.kind === "computer") {
    return ["free"];
  }
  return seat.connected || seat.open ? ["replace"] : ["replace", "free"];
}
