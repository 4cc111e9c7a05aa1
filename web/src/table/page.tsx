import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchGames, fetchLayout, fetchTable } from "../api";
import { Connection } from "../connection";
import { loadFamily, preloadFamily } from "../family";
import { GameStyleContext, pipShapes, useColours } from "../game-style";
import { tokensOf } from "../memory";
import { useObservable, useSelected } from "../observable";
import { invitationOf, type MomentRef } from "../paths";
import type { GameInfo, GamesAnswer, Layout, TableInfo } from "../protocol";
import { type Language, locale, translate, withMoreTexts } from "../translate";
import { ErrorPage } from "../ui/error-page";
import { Lazy, LoadingPage } from "../ui/lazy";
import { Table } from "./table";
import "../styles/table.css";
import "../styles/layout.css";
import "../styles/dice.css";
import "../styles/sheet.css";
import "../styles/seal.css";

const loadJoin = withMoreTexts(async () => (await import("./join")).JoinTablePage);

/** The page of a table: offers a seat to invited players, otherwise opens the table. */
export function TablePage({
  code,
  moment,
}: {
  code: string;
  moment: MomentRef | null;
}): JSX.Element {
  const [info, setInfo] = useState<TableInfo | null>(null);
  const [layout, setLayout] = useState<Layout | null>(null);
  const [gamesAnswer, setGamesAnswer] = useState<GamesAnswer | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [watching, setWatching] = useState(false);
  const [invitation] = useState(() => invitationOf(location.hash));
  const [wasSeated] = useState(() => tokensOf(code).length > 0);
  useEffect(() => {
    fetchTable(code).then(setInfo, setFailure);
    fetchGames().then(setGamesAnswer, setFailure);
  }, [code]);
  const { language } = useObservable(locale);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (info !== null) {
      loadGame(info.game, language).then(setLayout, setFailure);
    }
  }, [info?.game, language]);
  useColours(layout);
  if (failure !== null) {
    return <ErrorPage text={failure.message} />;
  }
  const game = gamesAnswer?.games.find(({ key }) => key === info?.game);
  if (info === null || layout === null || !gamesAnswer || !game) {
    return <LoadingPage />;
  }
  const isInvited =
    invitation !== "" && !wasSeated && info.seats.some((seat) => seat.open) && !info.over;
  if (isInvited && !watching) {
    return (
      <Lazy
        kind="page"
        load={loadJoin}
        props={{
          info,
          invitation,
          game,
          onWatch: () => setWatching(true),
          onJoined: () => setWatching(true),
        }}
      />
    );
  }
  return (
    <GameStyleContext.Provider value={{ words: layout.words, shapes: pipShapes(layout.paints) }}>
      <ConnectedTable
        code={info.table}
        game={game}
        strengths={gamesAnswer.levels}
        layout={layout}
        moment={moment}
      />
    </GameStyleContext.Provider>
  );
}

/** Fetch the layout of a game and load its family, at the same time if possible. */
export async function loadGame(game: string, language: Language): Promise<Layout> {
  void fetchGames().then(
    ({ games }) => preloadFamily(games.find(({ key }) => key === game)?.kind ?? ""),
    () => undefined,
  );
  const layout = await fetchLayout(game, language);
  await loadFamily(layout.kind).catch(() => {
    throw new Error(translate("page.error.offline"));
  });
  return layout;
}

function ConnectedTable({
  code,
  layout,
  ...rest
}: { code: string } & TableProps): JSX.Element | null {
  const [connection, setConnection] = useState<Connection | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const opened = new Connection(code, layout);
    setConnection(opened);
    return () => opened.close();
  }, [code]);
  return connection && <TableOrReview connection={connection} layout={layout} {...rest} />;
}

interface TableProps {
  game: GameInfo;
  strengths: readonly string[];
  layout: Layout;
  moment: MomentRef | null;
}

/** The table, or the review of a finished game. */
function TableOrReview({
  connection,
  game,
  strengths,
  layout,
  moment,
}: { connection: Connection } & TableProps): JSX.Element {
  const failure = useSelected(connection.table, ({ state, notice }) => state === null && notice);
  const over = useSelected(connection.table, ({ state }) => (state?.over ? state : null));
  const log = useSelected(connection.table, (table) => (table.state?.over ? table.log : null));
  if (failure) {
    return <ErrorPage text={failure} />; // watching this table is not allowed
  }
  if (moment === null || !over || !log) {
    return <Table connection={connection} game={game} strengths={strengths} layout={layout} />;
  }
  return (
    <Lazy
      load={withMoreTexts(async () => (await import("../review/review-page")).ReviewPage)}
      props={{ connection, game, layout, state: over, log, moment }}
    />
  );
}
