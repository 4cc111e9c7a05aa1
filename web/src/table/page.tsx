import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { type ApiError, fetchGames, fetchLayout, fetchTable } from "../api";
import { Logo } from "../art/logo";
import { Connection } from "../connection";
import type { Piles } from "../fair/witness";
import { familyOf } from "../family";
import { Printed, paint, pipShapes } from "../game-style";
import { tokensOf } from "../memory";
import { useObservable } from "../observable";
import { HOME, invitationOf, type MomentRef } from "../paths";
import type { GameInfo, GamesAnswer, Layout, TableInfo } from "../protocol";
import { go } from "../route";
import { spoken, translate } from "../translate";
import { Lazy } from "../ui/lazy";
import { JoinTablePage } from "./join";
import { Table } from "./table";

/** A table's address: asks who is there, offers a seat to a friend, and else opens the table. */
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
  const [offer, setOffer] = useState<GamesAnswer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [watching, setWatching] = useState(false);
  const [invitation] = useState(() => invitationOf(location.hash));
  useEffect(() => {
    const failed = (error: ApiError): void => setFailure(error.message);
    fetchTable(code).then((found) => {
      setInfo(found);
      fetchGames().then(setOffer, failed);
    }, failed);
  }, [code]);
  const { language } = useObservable(spoken);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
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
              () => setFailure(translate("page.error.offline")),
            ),
        (error: ApiError) => setFailure(error.message),
      );
    }
  }, [info?.game, language]);
  useLayoutEffect(() => (layout ? paint(layout) : undefined), [layout]);
  if (failure !== null) {
    return <Lost words={failure} />;
  }
  const game = offer?.games.find((one) => one.key === info?.game);
  if (info === null || layout === null || !offer || !game) {
    return (
      <div class="loading">
        <Logo />
        <p class="sr" role="status">
          {translate("page.loading")}
        </p>
      </div>
    );
  }
  const invited =
    invitation !== "" &&
    tokensOf(info.table).length === 0 &&
    info.seats.some((seat) => seat.open) &&
    !info.over;
  if (invited && !watching) {
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
    <Printed.Provider value={{ words: layout.words, shapes: pipShapes(layout.paints) }}>
      <Connected
        code={info.table}
        game={game}
        levels={offer.levels}
        layout={layout}
        piles={piles}
        moment={moment}
      />
    </Printed.Provider>
  );
}

function Connected({
  code,
  layout,
  piles,
  ...rest
}: { code: string; piles: Piles | null } & SeenProps): JSX.Element | null {
  const [connection, setConnection] = useState<Connection | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    const opened = new Connection(code, layout, piles);
    setConnection(opened);
    return () => opened.close();
  }, [code]);
  return connection && <Seen connection={connection} layout={layout} {...rest} />;
}

interface SeenProps {
  game: GameInfo;
  levels: readonly string[];
  layout: Layout;
  moment: MomentRef | null;
}

/** The table itself, or a finished game looked back at; a game that is on has no past to show. */
function Seen({
  connection,
  game,
  levels,
  layout,
  moment,
}: { connection: Connection } & SeenProps): JSX.Element {
  const { state, log, notice } = useObservable(connection.table);
  if (state === null && notice !== null) {
    return <Lost words={notice} />; // one may not look at this table
  }
  if (moment === null || !state?.over) {
    return <Table connection={connection} game={game} levels={levels} layout={layout} />;
  }
  return (
    <Lazy
      load={async () => (await import("../review/review-page")).LookBack}
      props={{ connection, game, layout, state, log, moment }}
    />
  );
}

/** An address that leads nowhere: why, and how to go on. */
export function Lost({ words }: { words: string }): JSX.Element {
  return (
    <main class="lost">
      <Logo />
      <h1>{translate("page.lost.title")}</h1>
      <p role="alert">{words}</p>
      <button type="button" class="button primary" onClick={() => go(HOME)}>
        {translate("page.lost.home")}
      </button>
      <button type="button" class="button" onClick={() => location.reload()}>
        {translate("page.lost.again")}
      </button>
    </main>
  );
}
