import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { tablePath } from "../paths";
import type { FinishedGame, GameInfo } from "../protocol";
import { go } from "../route";
import { say, spoken } from "../words";
import { myTranscript } from "./device";
import { save } from "./files";
import { Section } from "./section";

const STEP = 10;

/** Finished games, the last one first. */
export function GameList({ games, shelf }: { games: readonly FinishedGame[]; shelf: readonly GameInfo[] }): JSX.Element | null {
  const [shown, setShown] = useState(STEP);
  const [wish, setWish] = useState("");
  const found = games.filter((game) => wish === "" || game.game === wish);
  if (games.length === 0) {
    return null;
  }
  return (
    <Section icon="list" title={say("page.me.history")}>
      <div class="row me-filters">
        <select aria-label={say("page.me.game")} value={wish} onChange={(event) => setWish(event.currentTarget.value)}>
          <option value="">{say("page.me.all_games")}</option>
          {shelf.map((game) => <option key={game.key} value={game.key}>{game.name}</option>)}
        </select>
      </div>
      <ul class="tables">
        {found.slice(0, shown).map((game) => <Row key={game.id} game={game} title={shelf.find((one) => one.key === game.game)?.name ?? game.game} />)}
      </ul>
      {found.length > shown && <button type="button" class="button" onClick={() => setShown(shown + STEP)}>{say("page.me.more", { count: found.length - shown })}</button>}
    </Section>
  );
}

function Row({ game, title }: { game: FinishedGame; title: string }): JSX.Element {
  const when = new Intl.DateTimeFormat(spoken.get().language, { dateStyle: "medium", timeStyle: "short" });
  const names = game.names.map((name, at) => `${name || (game.levels[at] ? say(`server.level.${game.levels[at]}`) : say("server.seat.person", { number: at + 1 }))} ${game.scores[at] ?? 0}`);
  const { table } = game;
  return (
    <li class="me-game">
      <span class="me-place">{game.scores.length > 1 ? `${game.places[game.seat] ?? ""}.` : <Icon name="person" />}</span>
      <span class="me-what"><strong>{title}</strong><span>{names.join(" · ")}</span><small>{when.format(game.at * 1000)}{game.dice === "sealed" ? "" : ` · ${say(`page.me.dice.${game.dice}`)}`}</small></span>
      {table !== null && <button type="button" class="button small" onClick={() => go(tablePath(table))}><Icon name="eye" /> {say("page.me.look")}</button>}
      <button type="button" class="button small" onClick={() => void myTranscript(game.id).then(({ transcript }) => save(`${game.game}-${game.id}.txt`, transcript))}><Icon name="download" /> {say("page.me.text")}</button>
    </li>
  );
}
