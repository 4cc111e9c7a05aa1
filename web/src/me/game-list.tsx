import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { dates } from "../dates";
import { points } from "../format";
import { momentPath } from "../paths";
import type { FinishedGame, GameInfo } from "../protocol";
import { go } from "../route";
import { sayIfThere, translate } from "../translate";
import { Section } from "../ui/section";
import { lookAgain, myTranscript } from "./api";
import { save } from "./files";
import { rivals } from "./statistics";

const STEP = 10;

/** Finished games, the last one first. */
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
  const [wish, setWish] = useState("");
  const [dice, setDice] = useState("");
  const [opponent, setOpponent] = useState("");
  const kinds = [...new Set(games.map((game) => game.dice))];
  const opponents = rivals(games).map((rival) => rival.name);
  const found = games.filter(
    (game) =>
      (wish === "" || game.game === wish) &&
      (dice === "" || game.dice === dice) &&
      (opponent === "" || rivals([game]).some((rival) => rival.name === opponent)),
  );
  if (games.length === 0) {
    return null;
  }
  return (
    <Section icon="list" title={translate("page.finished")}>
      <div class="row me-filters">
        <select
          aria-label={translate("page.me.game")}
          value={wish}
          onChange={(event) => setWish(event.currentTarget.value)}
        >
          <option value="">{translate("page.me.all_games")}</option>
          {offered.map((game) => (
            <option key={game.key} value={game.key}>
              {game.name}
            </option>
          ))}
        </select>
        {kinds.length > 1 && (
          <select
            aria-label={translate("page.me.dice")}
            value={dice}
            onChange={(event) => setDice(event.currentTarget.value)}
          >
            <option value="">{translate("page.me.all_dice")}</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {translate(`page.me.dice.${kind}`)}
              </option>
            ))}
          </select>
        )}
        {opponents.length > 0 && (
          <select
            aria-label={translate("page.me.rivals")}
            value={opponent}
            onChange={(event) => setOpponent(event.currentTarget.value)}
          >
            <option value="">{translate("page.me.all_rivals")}</option>
            {opponents.map((name) => (
              <option key={name} value={name}>
                {called(name)}
              </option>
            ))}
          </select>
        )}
      </div>
      <ul class="tables">
        {found.slice(0, shown).map((game) => (
          <Row
            key={game.id}
            game={game}
            title={offered.find((one) => one.key === game.game)?.name ?? game.game}
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

/** A computer player by its level, as people say it. */
export const called = (name: string): string => sayIfThere(`server.level.${name}`) ?? name;

/** Leads to where a game can be replayed and is reviewed. */
export function replay(id: string, onFailure: (error: ApiError) => void): void {
  lookAgain(id).then(({ table }) => go(momentPath(table, 0)), onFailure);
}

function Row({
  game,
  title,
  onFailure,
}: {
  game: FinishedGame;
  title: string;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const when = dates({ dateStyle: "medium", timeStyle: "short" });
  const names = game.names.map(
    (name, at) =>
      `${name || (game.levels[at] ? translate(`server.level.${game.levels[at]}`) : translate("server.seat.person", { number: at + 1 }))} ${game.scores[at] ?? 0}`,
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
          {when.format(game.at * 1000)}
          {game.dice === "sealed" ? "" : ` · ${translate(`page.me.dice.${game.dice}`)}`}
          {review &&
            ` · ${translate("page.me.luck_and_loss", { luck: points(review.luck, true), loss: points(review.loss) })}`}
        </small>
      </span>
      <button type="button" class="button small" onClick={() => replay(game.id, onFailure)}>
        <Icon name="chart" /> {translate("page.me.replay")}
      </button>
      <button
        type="button"
        class="button small"
        onClick={() =>
          myTranscript(game.id).then(
            ({ transcript }) => save(`${game.game}-${game.id}.txt`, transcript),
            onFailure,
          )
        }
      >
        <Icon name="download" /> {translate("page.me.text")}
      </button>
    </li>
  );
}
