import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { SITE } from "#backend";
import type { ApiError } from "../api";
import { Icon, type IconName } from "../art/icons";
import { memory, remember } from "../memory";
import type { GameInfo, SeatWish } from "../protocol";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { makeTable, usualLevel } from "./new-table";

type Kind = SeatWish["kind"];

const KIND_ICONS: Record<Kind, IconName> = {
  me: "person",
  here: "people",
  friend: "link",
  computer: "robot",
};
const LONGEST_NAME = 24;
const BY_LOT = -1;

interface Seat {
  kind: Kind;
  name: string;
  level: string;
}

export function Setup({
  game,
  levels,
  onClose,
}: {
  game: GameInfo;
  levels: readonly string[];
  onClose: () => void;
}): JSX.Element {
  const newSeat = (kind: Kind): Seat => ({
    kind,
    name: kind === "me" ? memory.get().name : "",
    level: usualLevel(levels),
  });
  const [seats, setSeats] = useState<Seat[]>([
    newSeat("me"),
    ...(levels.length > 0 ? [newSeat("computer")] : []),
  ]);
  const [options, setOptions] = useState<Record<string, boolean>>({});
  const [begins, setBegins] = useState(0);
  const [seed, setSeed] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const room = seats.length < Math.max(...game.players);
  const change = (at: number, part: Partial<Seat>): void =>
    setSeats(seats.map((seat, index) => (index === at ? { ...seat, ...part } : seat)));
  const start = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    remember({ name: seats[0]?.name ?? "" });
    const first = seats.length > 1 ? { begins: Math.min(begins, seats.length - 1) } : {};
    const practice = seed === "" || options["typed_dice"] ? {} : { seed: Number(seed) };
    makeTable(game, seats.map(wish), { ...options, ...first, ...practice }).catch(
      (error: ApiError) => {
        setBusy(false);
        setFailure(error.message);
      },
    );
  };
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
              levels={levels}
              onChange={(part) => change(at, part)}
              onRemove={() => setSeats(seats.filter((_, index) => index !== at))}
            />
          ))}
        </ol>
        {room && (
          <div class="row add-seats">
            {(["computer", "friend", "here"] as const)
              .filter(
                (kind) =>
                  (kind !== "computer" || levels.length > 0) && (kind !== "friend" || !SITE),
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
        {seats.some((seat) => seat.kind === "friend") && (
          <p class="hint-line">{translate("page.setup.friend")}</p>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={options["typed_dice"] === true}
            onChange={(event) =>
              setOptions({ ...options, typed_dice: event.currentTarget.checked })
            }
          />
          <span>{translate("page.setup.typed_dice")}</span>
        </label>
        <details class="more">
          <summary>{translate("page.setup.more")}</summary>
          {game.options.map((option) => (
            <label key={option} class="check">
              <input
                type="checkbox"
                checked={options[option] === true}
                onChange={(event) =>
                  setOptions({ ...options, [option]: event.currentTarget.checked })
                }
              />
              <span>{translate(`page.option.${option}`)}</span>
            </label>
          ))}
          {seats.length > 1 && (
            <label class="field">
              <span>{translate("lot.begins")}</span>
              <select
                value={Math.min(begins, seats.length - 1)}
                onChange={(event) => setBegins(Number(event.currentTarget.value))}
              >
                {seats.map(({ name }, at) => (
                  <option key={at} value={at}>
                    {name === ""
                      ? translate("lot.begins.seat", { seat: at + 1 })
                      : translate("lot.begins.named", { seat: at + 1, name })}
                  </option>
                ))}
                <option value={BY_LOT}>{translate("lot.begins.lot")}</option>
              </select>
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
        {failure !== null && (
          <p class="notice" role="alert">
            {failure}
          </p>
        )}
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
  levels,
  onChange,
  onRemove,
}: {
  seat: Seat;
  at: number;
  levels: readonly string[];
  onChange: (part: Partial<Seat>) => void;
  onRemove: () => void;
}): JSX.Element {
  return (
    <li class="seat-row">
      <span class="seat-icon">
        <Icon name={KIND_ICONS[seat.kind]} label={translate(`page.seat.${seat.kind}`)} />
      </span>
      {seat.kind === "computer" ? (
        <select
          aria-label={translate("page.setup.level")}
          value={seat.level}
          onChange={(event) => onChange({ level: event.currentTarget.value })}
        >
          {levels.map((level) => (
            <option key={level} value={level}>
              {translate("page.setup.computer", { level: translate(`server.level.${level}`) })}
            </option>
          ))}
        </select>
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
        <button
          type="button"
          class="round-button"
          aria-label={translate("page.setup.remove")}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

function wish({ kind, name, level }: Seat): SeatWish {
  const named = name.trim() !== "" && kind !== "friend" && kind !== "computer";
  return {
    kind,
    ...(kind === "computer" ? { level } : {}),
    ...(named ? { name: name.trim() } : {}),
  };
}
