import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, fetchGames, fetchTranscript, playOn } from "../api";
import { Icon, type IconName } from "../art/icons";
import { defaultStrength } from "../home/new-table";
import { memory, saveSeats } from "../memory";
import { TRANSCRIPT_PATH, tablePath } from "../paths";
import type { GameInfo, SeatWish, StateMessage } from "../protocol";
import { go } from "../route";
import { copyText } from "../sharing";
import { locale, translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { Select, strengthOptions } from "../ui/forms";
import { Failure } from "../ui/notices";
import { gameLink, readableLink, transcriptUpTo } from "./position-link";

interface TryAgainProps {
  code: string;
  game: GameInfo;
  state: StateMessage;
  at: number;
  /** The position as a line, when it is known. */
  position: string | null;
  seat: number;
  onClose: () => void;
}

/** Continues from a moment of a finished game, or shares the position. */
export function PlayOnDialog({
  code,
  game,
  state,
  at,
  position,
  seat,
  onClose,
}: TryAgainProps): JSX.Element {
  const [transcript, setTranscript] = useState<string | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    fetchTranscript(code).then(setTranscript, setFailure);
  }, [code]);
  const mine = state.you.length > 0 ? state.you : [seat];
  const players = state.seats.map(({ seat: owner, name, level }) => ({
    name,
    player: mine.includes(owner) ? "me" : level || null,
  }));
  return (
    <Dialog title={translate("page.try.title", { at })} onClose={onClose}>
      <Failure text={failure?.message} />
      {transcript !== null && (
        <PlayOnForm transcript={transcript} at={at} players={players} recorded game={game} />
      )}
      {transcript !== null && (
        <SharePosition text={transcriptUpTo(transcript, at)} position={position} />
      )}
    </Dialog>
  );
}

interface PlayOnProps {
  transcript: string;
  at: number;
  /**
   * The seats; `label` replaces a missing name. `player` is the strength of a computer player, "me",
   * or null for the default.
   */
  players: readonly { name: string; label?: string; player: string | null }[];
  /** Whether the transcript has later rolls that can be repeated. */
  recorded: boolean;
  game: GameInfo;
}

/** Chooses the players and the dice, and continues the game. */
export function PlayOnForm({ transcript, at, players, recorded, game }: PlayOnProps): JSX.Element {
  const [strengths, setStrengths] = useState<readonly string[]>([]);
  const [choices, setChoices] = useState<readonly (string | null)[]>(
    players.map(({ player }) => player),
  );
  const [sameDice, setSameDice] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    fetchGames().then((found) => setStrengths(found.levels), setFailure);
  }, []);
  const chosen = choices.map((choice) => choice ?? defaultStrength(strengths));
  const start = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    const first = chosen.indexOf("me");
    const seats = chosen.map((player, seat): SeatWish => {
      const { name = "" } = players[seat] ?? {};
      return player === "me"
        ? { kind: seat === first ? "me" : "here", name: name.slice(0, 24) }
        : { kind: "computer", level: player };
    });
    playOn({
      transcript,
      at,
      seats,
      same_dice: sameDice,
      pace: memory.get().pace,
      language: locale.get().language,
    }).then(
      (made) => {
        saveSeats(
          made.table,
          made.seats.map(({ token }) => token),
        );
        go(tablePath(made.table));
      },
      (error: ApiError) => {
        setBusy(false);
        setFailure(error);
      },
    );
  };
  return (
    <form class="play-on" onSubmit={start}>
      <p class="hint-line">{translate("page.try.how", { game: game.name })}</p>
      {players.map(({ name, label = name }, seat) => (
        <label key={seat} class="field">
          <span>{label}</span>
          <Select
            value={chosen[seat] ?? ""}
            options={[["me", translate("page.try.me")], ...strengthOptions(strengths)]}
            onChange={(player) =>
              setChoices(choices.map((choice, index) => (index === seat ? player : choice)))
            }
          />
        </label>
      ))}
      {recorded && (
        <fieldset class="dice-choice">
          <legend>{translate("page.try.dice")}</legend>
          <label class="check">
            <input
              type="radio"
              name="dice"
              checked={!sameDice}
              onChange={() => setSameDice(false)}
            />{" "}
            <span>{translate("page.try.dice.fresh")}</span>
          </label>
          <label class="check">
            <input type="radio" name="dice" checked={sameDice} onChange={() => setSameDice(true)} />{" "}
            <span>{translate("page.try.dice.same")}</span>
          </label>
        </fieldset>
      )}
      <Failure text={failure?.message} />
      <button
        type="submit"
        class="button primary wide"
        disabled={busy || strengths.length === 0 || !chosen.includes("me")}
      >
        <Icon name="play" /> {translate("page.try.start")}
      </button>
    </form>
  );
}

type Shared = "link" | "text" | "short" | "position";

interface SharePositionProps {
  /** The game up to the position, if there is one. */
  text: string | null;
  position: string | null;
}

/** Copies the game up to a position, and the position alone, each as a link and as text. */
export function SharePosition({ text, position }: SharePositionProps): JSX.Element {
  const [copied, setCopied] = useState<Shared | null>(null);
  const page = new URL(TRANSCRIPT_PATH, location.href).href;
  const contents: Record<Shared, (() => string | Promise<string>) | null> = {
    link: text === null ? null : () => gameLink(page, text),
    text: text === null ? null : () => text,
    short: position === null ? null : () => readableLink(page, position),
    position: position === null ? null : () => position,
  };
  const share = async (what: Shared): Promise<void> => {
    setCopied((await copyText((await contents[what]?.()) ?? "")) ? what : null);
  };
  const button = (what: Shared, icon: IconName, label: string = what): JSX.Element | null =>
    contents[what] && (
      <button type="button" class="button" onClick={() => void share(what)}>
        <Icon name={copied === what ? "check" : icon} />{" "}
        {translate(copied === what ? "page.copied" : `page.share.${label}`)}
      </button>
    );
  return (
    <div class="share-position">
      <h3>{translate("page.share.title")}</h3>
      <p class="hint-line">{translate(text === null ? "page.share.alone" : "page.share.how")}</p>
      <div class="row">
        {button("link", "link")}
        {button("text", "copy")}
        {button("short", "link", text === null ? "link" : "short")}
        {button("position", "copy")}
      </div>
    </div>
  );
}
