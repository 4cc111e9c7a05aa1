import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type ApiError, joinTable } from "../api";
import { Icon } from "../art/icons";
import { GameArt } from "../home/game-art";
import { forgetTable, memory, newToken, remember, saveSeats } from "../memory";
import type { GameInfo, TableInfo } from "../protocol";
import { locale, translate } from "../translate";
import { Failure } from "../ui/notices";
import { PageBar } from "../ui/page-bar";

/** The page of an invitation: who is at the table, and a form to join. */
export function JoinTablePage({
  info,
  invitation,
  game,
  onJoined,
  onWatch,
}: {
  info: TableInfo;
  invitation: string;
  game: GameInfo;
  onJoined: () => void;
  onWatch: () => void;
}): JSX.Element {
  const [name, setName] = useState(memory.get().name);
  // The page chooses the token of its seat, so that the request can be repeated.
  const [token] = useState(newToken);
  const [failure, setFailure] = useState<Error | null>(null);
  const join = (event: Event): void => {
    event.preventDefault();
    remember({ name });
    // Stored first: if the answer is lost, the seat may be taken.
    saveSeats(info.table, [token]);
    joinTable(info.table, {
      invitation,
      token,
      language: locale.get().language,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
    }).then(
      (joined) => {
        saveSeats(joined.table, [joined.token]);
        onJoined();
      },
      (error: ApiError) => {
        if (error.reason !== "offline") {
          forgetTable(info.table, [token]);
        }
        setFailure(error);
      },
    );
  };
  const there = info.seats
    .filter((seat) => seat.kind === "person" && !seat.open)
    .map((seat) => seat.name);
  return (
    <div class="home">
      <PageBar />
      <main class="invited">
        <GameArt game={game} />
        <h1>{game.name}</h1>
        <p>{translate("page.join.invited", { names: there.join(", ") })}</p>
        <form class="panel setup" onSubmit={join}>
          <label class="field">
            <span>{translate("page.setup.name")}</span>
            <input
              type="text"
              maxLength={24}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <Failure text={failure?.message} />
          <button type="submit" class="button primary wide">
            {translate("page.join.sit")}
          </button>
          <button type="button" class="button wide" onClick={onWatch}>
            <Icon name="eye" /> {translate("page.join.watch")}
          </button>
        </form>
      </main>
    </div>
  );
}
