import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { SITE } from "#backend";
import type { ApiError } from "../api";
import { Icon, type IconName } from "../art/icons";
import { memory, remember } from "../memory";
import type { GameInfo, SeatWish, TableOptions } from "../protocol";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { IconButton, Select, strengthOptions } from "../ui/forms";
import { Failure } from "../ui/notices";
import { defaultStrength, openTable } from "./new-table";

type Kind = SeatWish["kind"];

const KIND_ICONS: Record<Kind, IconName> = {
  me: "person",
  here: "people",
  friend: "link",
  computer: "robot",
};
const LONGEST_NAME = 24;
const RANDOM = -1;
const LIMITS = [0, 1, 3, 7] as const; // days for a turn

interface Seat {
  kind: Kind;
  name: string;
  level: string;
}

export function Setup({
  game,
  strengths,
  onClose,
}: {
  game: GameInfo;
  strengths: readonly string[];
  onClose: () => void;
}): JSX.Element {
  const newSeat = (kind: Kind): Seat => ({
    kind,
    name: kind === "me" ? memory.get().name : "",
    level: defaultStrength(strengths),
  });
  const [seats, setSeats] = useState<Seat[]>([
    newSeat("me"),
    ...(strengths.length > 0 ? [newSeat("computer")] : []),
  ]);
  const [options, setOptions] = useState<Record<string, boolean>>({});
  const [startPlayer, setStartPlayer] = useState(0);
  const [seed, setSeed] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [days, setDays] = useState(0);
  const hasFriends = seats.some((seat) => seat.kind === "friend");
  const hasRoom = seats.length < Math.max(...game.players);
  const changeSeat = (at: number, change: Partial<Seat>): void =>
    setSeats(seats.map((seat, index) => (index === at ? { ...seat, ...change } : seat)));
  const start = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    remember({ name: seats[0]?.name ?? "" });
    const startOptions: TableOptions =
      seats.length > 1 ? { begins: Math.min(startPlayer, seats.length - 1) } : {};
    const practiceOptions = seed === "" || options["typed_dice"] ? {} : { seed: Number(seed) };
    openTable(
      game,
      seats.map(seatWish),
      { ...options, ...startOptions, ...practiceOptions },
      hasFriends ? days : 0,
    ).catch((error: ApiError) => {
      setBusy(false);
      setFailure(error);
    });
  };
  const optionCheck = (option: string, label: string): JSX.Element => (
    <label key={option} class="check">
      <input
        type="checkbox"
        checked={options[option] === true}
        onChange={(event) => setOptions({ ...options, [option]: event.currentTarget.checked })}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <Dialog title={game.name} onClose={onClose}>
      <form class="setup" onSubmit={start}>
        <h3>{translate("page.setup.seats")}</h3>
        <ol class="seats">
          {seats.map((seat, at) => (
            <SeatRow
              key={at}
              seat={seat}
              at={at}
              strengths={strengths}
              onChange={(change) => changeSeat(at, change)}
              onRemove={() => setSeats(seats.filter((_, index) => index !== at))}
            />
          ))}
        </ol>
        {hasRoom && (
          <div class="row add-seats">
            {(["computer", "friend", "here"] as const)
              .filter(
                (kind) =>
                  (kind !== "computer" || strengths.length > 0) && (kind !== "friend" || !SITE),
              )
              .map((kind) => (
                <button
                  key={kind}
                  type="button"
                  class="button small"
                  onClick={() => setSeats([...seats, newSeat(kind)])}
                >
                  <Icon name="plus" /> {translate(`page.seat.${kind}`)}
                </button>
              ))}
          </div>
        )}
        {seats.length === 1 && <p class="hint-line">{translate("page.setup.alone")}</p>}
        {hasFriends && <p class="hint-line">{translate("page.setup.friend")}</p>}
        {hasFriends && strengths.length > 0 && (
          <label class="field">
            <span>{translate("page.setup.days")}</span>
            <Select
              value={String(days)}
              options={LIMITS.map((limit) => [
                String(limit),
                limit === 0
                  ? translate("page.setup.days.none")
                  : translate("page.setup.days.limit", { count: limit }),
              ])}
              onChange={(value) => setDays(Number(value))}
            />
          </label>
        )}
        {hasFriends && days > 0 && <p class="hint-line">{translate("page.setup.days.how")}</p>}
        {optionCheck("typed_dice", translate("page.setup.typed_dice"))}
        <details class="more">
          <summary>{translate("page.setup.more")}</summary>
          {game.options.map((option) => optionCheck(option, translate(`page.option.${option}`)))}
          {seats.length > 1 && (
            <label class="field">
              <span>{translate("start_player.choice")}</span>
              <Select
                value={String(Math.min(startPlayer, seats.length - 1))}
                options={[
                  ...seats.map(({ name }, at): [string, string] => [
                    String(at),
                    name === ""
                      ? translate("start_player.seat", { seat: at + 1 })
                      : translate("start_player.named", { seat: at + 1, name }),
                  ]),
                  [String(RANDOM), translate("start_player.random")],
                ]}
                onChange={(value) => setStartPlayer(Number(value))}
              />
            </label>
          )}
          <label class="field">
            <span>{translate("page.setup.seed")}</span>
            <input
              type="text"
              inputMode="numeric"
              pattern="[0-9]{1,15}"
              value={seed}
              placeholder="–"
              onInput={(event) => setSeed(event.currentTarget.value.trim())}
            />
          </label>
          <p class="hint-line">{translate("page.setup.seed.why")}</p>
        </details>
        <Failure text={failure?.message} />
        <button type="submit" class="button primary wide" disabled={busy}>
          {translate("page.setup.start")}
        </button>
      </form>
    </Dialog>
  );
}

function SeatRow({
  seat,
  at,
  strengths,
  onChange,
  onRemove,
}: {
  seat: Seat;
  at: number;
  strengths: readonly string[];
  onChange: (change: Partial<Seat>) => void;
  onRemove: () => void;
}): JSX.Element {
  return (
    <li class="seat-row">
      <span class="seat-icon">
        <Icon name={KIND_ICONS[seat.kind]} label={translate(`page.seat.${seat.kind}`)} />
      </span>
      {seat.kind === "computer" ? (
        <Select
          label={translate("page.setup.level")}
          value={seat.level}
          options={strengthOptions(strengths)}
          onChange={(level) => onChange({ level })}
        />
      ) : seat.kind === "friend" ? (
        <span class="seat-text">{translate("page.seat.friend")}</span>
      ) : (
        <input
          type="text"
          maxLength={LONGEST_NAME}
          value={seat.name}
          aria-label={translate(seat.kind === "me" ? "page.setup.name" : "page.setup.name.here")}
          placeholder={translate(seat.kind === "me" ? "page.setup.name" : "page.setup.name.here")}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      {at > 0 && (
        <IconButton icon="close" label={translate("page.setup.remove")} onClick={onRemove} />
      )}
    </li>
  );
}

function seatWish({ kind, name, level }: Seat): SeatWish {
  const hasName = name.trim() !== "" && kind !== "friend" && kind !== "computer";
  return {
    kind,
    ...(kind === "computer" ? { level } : {}),
    ...(hasName ? { name: name.trim() } : {}),
  };
}
