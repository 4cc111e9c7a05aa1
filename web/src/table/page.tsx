import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { fetchGames, fetchLayout, fetchTable } from "../api";
import { Logo } from "../art/logo";
import { Connection } from "../connection";
import type { Piles } from "../fair/witness";
import { familyOf } from "../family";
import { applyColours, GameStyleContext, pipShapes } from "../game-style";
import { tokensOf } from "../memory";
import { useObservable } from "../observable";
import { HOME, invitationOf, type MomentRef } from "../paths";
import type { GameInfo, GamesAnswer, Layout, TableInfo } from "../protocol";
import { go } from "../route";
import { locale, translate } from "../translate";
import { Lazy, LoadingPage } from "../ui/lazy";
import { JoinTablePage } from "./join";
import { Table } from "./table";

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
  const [piles, setPiles] = useState<Piles | null>(null);
  const [gamesAnswer, setGamesAnswer] = useState<GamesAnswer | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [watching, setWatching] = useState(false);
  const [invitation] = useState(() => invitationOf(location.hash));
  const [wasSeated] = useState(() => tokensOf(code).length > 0);
  useEffect(() => {
    fetchTable(code).then((found) => {
      setInfo(found);
      fetchGames().then(setGamesAnswer, setFailure);
    }, setFailure);
  }, [code]);
  const { language } = useObservable(locale);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (info !== null) {
      fetchLayout(info.game, language).then(
        (found) =>
          familyOf(found)
            .piles(found)
            .then(
              (counted) => {
                setPiles(counted);
                setLayout(found);
              },
              () => setFailure(new Error(translate("page.error.offline"))),
            ),
        setFailure,
      );
    }
  }, [info?.game, language]);
  useLayoutEffect(() => (layout ? applyColours(layout) : undefined), [layout]);
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
      <JoinTablePage
        info={info}
        invitation={invitation}
        game={game}
        onWatch={() => setWatching(true)}
        onJoined={() => setWatching(true)}
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
        piles={piles}
        moment={moment}
      />
    </GameStyleContext.Provider>
  );
}

function ConnectedTable({
  code,
  layout,
  piles,
  ...rest
}: { code: string; piles: Piles | null } & TableProps): JSX.Element | null {
  const [connection, setConnection] = useState<Connection | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const opened = new Connection(code, layout, piles);
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
  const { state, log, notice } = useObservable(connection.table);
  if (state === null && notice !== null) {
    return <ErrorPage text={notice} />; // watching this table is not allowed
  }
  if (moment === null || !state?.over) {
    return <Table connection={connection} game={game} strengths={strengths} layout={layout} />;
  }
  return (
    <Lazy
      load={async () => (await import("../review/review-page")).ReviewPage}
      props={{ connection, game, layout, state, log, moment }}
    />
  );
}

/** An error page with a way on. */
export function ErrorPage({ text }: { text: string }): JSX.Element {
  return (
    <main class="lost">
      <Logo />
      <h1>{translate("page.lost.title")}</h1>
      <p role="alert">{text}</p>
      <button type="button" class="button primary" onClick={() => go(HOME)}>
        {translate("page.lost.home")}
      </button>
      <button type="button" class="button" onClick={() => location.reload()}>
        {translate("page.lost.again")}
      </button>
    </main>
  );
}
