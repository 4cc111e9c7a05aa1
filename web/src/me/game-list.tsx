import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { dateFormat, formatPoints, gameName } from "../format";
import type { FinishedGame, GameInfo } from "../protocol";
import { replayPath } from "../review/last-moment";
import { go } from "../route";
import { saveFile } from "../sharing";
import { translate, translateOptional } from "../translate";
import { Select } from "../ui/forms";
import { Section } from "../ui/section";
import { fetchOwnTranscript, fetchReplayTable } from "./api";
import { opponents } from "./statistics";

const STEP = 10;

/** Finished games, the latest first. */
export function GameList({
  games,
  offered,
  onFailure,
}: {
  games: readonly FinishedGame[];
  offered: readonly GameInfo[];
  onFailure: (error: ApiError) => void;
}): JSX.Element | null {
  const [shown, setShown] = useState(STEP);
  const [gameFilter, setGameFilter] = useState("");
  const [diceFilter, setDiceFilter] = useState("");
  const [opponentFilter, setOpponentFilter] = useState("");
  const kinds = [...new Set(games.map((game) => game.dice))];
  const opponentNames = opponents(games).map((opponent) => opponent.name);
  const found = games.filter(
    (game) =>
      (gameFilter === "" || game.game === gameFilter) &&
      (diceFilter === "" || game.dice === diceFilter) &&
      (opponentFilter === "" ||
        opponents([game]).some((opponent) => opponent.name === opponentFilter)),
  );
  if (games.length === 0) {
    return null;
  }
  return (
    <Section icon="list" title={translate("page.finished")}>
      <div class="row me-filters">
        <Select
          label={translate("page.me.game")}
          value={gameFilter}
          options={[
            ["", translate("page.me.all_games")],
            ...offered.map((game): [string, string] => [game.key, game.name]),
          ]}
          onChange={setGameFilter}
        />
        {kinds.length > 1 && (
          <Select
            label={translate("page.me.dice")}
            value={diceFilter}
            options={[
              ["", translate("page.me.all_dice")],
              ...kinds.map((kind): [string, string] => [kind, translate(`page.me.dice.${kind}`)]),
            ]}
            onChange={setDiceFilter}
          />
        )}
        {opponentNames.length > 0 && (
          <Select
            label={translate("page.me.rivals")}
            value={opponentFilter}
            options={[
              ["", translate("page.me.all_rivals")],
              ...opponentNames.map((name): [string, string] => [name, playerLabel(name)]),
            ]}
            onChange={setOpponentFilter}
          />
        )}
      </div>
      <ul class="tables">
        {found.slice(0, shown).map((game) => (
          <GameRow
            key={game.id}
            game={game}
            title={gameName(offered, game.game)}
            onFailure={onFailure}
          />
        ))}
      </ul>
      {found.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + STEP)}>
          {translate("page.more", { count: found.length - shown })}
        </button>
      )}
    </Section>
  );
}

/** Return the name of a player; computer players have that of their strength. */
export const playerLabel = (name: string): string =>
  translateOptional(`server.level.${name}`) ?? name;

function nameOfUnnamed({ levels, seat }: FinishedGame, at: number): string {
  const level = levels[at];
  if (level) {
    return translate(`server.level.${level}`);
  }
  return at === seat
    ? translate("page.seat.me")
    : translate("server.seat.person", { number: at + 1 });
}

/** Open the review of a finished game. */
export function openReplay(id: string, onFailure: (error: ApiError) => void): void {
  fetchReplayTable(id).then(({ table }) => go(replayPath(table)), onFailure);
}

function GameRow({
  game,
  title,
  onFailure,
}: {
  game: FinishedGame;
  title: string;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const dateTime = dateFormat({ dateStyle: "medium", timeStyle: "short" });
  const names = game.names.map(
    (name, at) => `${name || nameOfUnnamed(game, at)} ${game.scores[at] ?? 0}`,
  );
  const { review } = game;
  return (
    <li class="me-game">
      <span class="me-place">
        {game.scores.length > 1 ? `${game.places[game.seat] ?? ""}.` : <Icon name="person" />}
      </span>
      <span class="me-what">
        <strong>{title}</strong>
        <span>{names.join(" · ")}</span>
        <small>
          {dateTime.format(game.at * 1000)}
          {game.dice === "sealed" ? "" : ` · ${translate(`page.me.dice.${game.dice}`)}`}
          {review &&
            ` · ${translate("page.me.luck_and_loss", { luck: formatPoints(review.luck, true), loss: formatPoints(review.loss) })}`}
        </small>
      </span>
      <button type="button" class="button small" onClick={() => openReplay(game.id, onFailure)}>
        <Icon name="chart" /> {translate("page.me.replay")}
      </button>
      <button
        type="button"
        class="button small"
        onClick={() =>
          fetchOwnTranscript(game.id).then(
            ({ transcript }) => saveFile(`${game.game}-${game.id}.txt`, transcript),
            onFailure,
          )
        }
      >
        <Icon name="download" /> {translate("page.me.text")}
      </button>
    </li>
  );
}
