"""Tables in a PostgreSQL database, which several processes on several machines may share.

The primary key (code, seq) of events is the fence: of two processes that put something at the same place one wins, and the other learns of
it. One writer of each process gathers what waits into one commit. What happens is announced by NOTIFY on a connection of its own, without
waiting for the disk: an announcement that is lost is made up for by looking now and then.

LISTEN and the locks of computer players belong to a session, so a pooler before the database must not share sessions (pgbouncer: not in
transaction mode).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from foxclover.server.codes import code_number
from foxclover.server.errors import StartError
from foxclover.server.logs import fault, note
from foxclover.server.store import GATHERING, Conflict, Event, SeatRecord, StoreAway, TableRecord

CHANNEL = "foxclover"
CONNECTIONS = 4  # of the pool, for everything but events
RETRY = 0.5  # seconds between attempts to reach a database that is away
PATIENCE = 10.0  # seconds until a command counts as lost
NOTICE = 7_000  # bytes of one NOTIFY; the server allows 8,000
LOCKS = 0xF0C  # first half of the keys of our advisory locks on tables
MIGRATION_LOCK = (0xF0D, 0)

MIGRATIONS = (
    """
CREATE TABLE tables (
    code TEXT PRIMARY KEY, game TEXT NOT NULL, variant INTEGER NOT NULL, seed BIGINT, pace INTEGER NOT NULL, created BIGINT NOT NULL,
    invitation TEXT NOT NULL, rematch TEXT, finished BOOLEAN NOT NULL
);
CREATE TABLE seats (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER NOT NULL, name TEXT NOT NULL, level TEXT NOT NULL, key BYTEA,
    PRIMARY KEY (code, seat)
);
CREATE TABLE events (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seq INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT, at BIGINT NOT NULL,
    number BIGINT, PRIMARY KEY (code, seq)
);
""",
    """
ALTER TABLE tables ADD COLUMN seal BYTEA;
""",
    """
ALTER TABLE tables ADD COLUMN dice TEXT NOT NULL DEFAULT '';
""",
    """
CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, tag TEXT NOT NULL, created BIGINT NOT NULL);
CREATE TABLE devices (key BYTEA PRIMARY KEY, person TEXT NOT NULL);
CREATE TABLE alongs (key BYTEA PRIMARY KEY, person TEXT NOT NULL, until BIGINT NOT NULL);
CREATE TABLE sittings (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, key BYTEA NOT NULL, person TEXT NOT NULL, PRIMARY KEY (code, key)
);
CREATE TABLE results (
    person TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, body TEXT NOT NULL, transcript TEXT NOT NULL, PRIMARY KEY (person, id)
);
CREATE INDEX devices_of_person ON devices (person);
CREATE INDEX sittings_of_person ON sittings (person);
""",
    """
ALTER TABLE tables ADD COLUMN host BYTEA;
""",
    """
ALTER TABLE tables ADD COLUMN origin TEXT NOT NULL DEFAULT '', ADD COLUMN script TEXT NOT NULL DEFAULT '';
CREATE TABLE reviews (code TEXT PRIMARY KEY REFERENCES tables ON DELETE CASCADE, text TEXT NOT NULL);
""",
    """
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTEA NOT NULL);
CREATE TABLE dailies (
    day TEXT NOT NULL, game TEXT NOT NULL, person TEXT NOT NULL, code TEXT NOT NULL, begun BIGINT NOT NULL, score INTEGER, ended BIGINT,
    PRIMARY KEY (day, game, person)
);
CREATE TABLE daily_solutions (
    day TEXT NOT NULL, game TEXT NOT NULL, code TEXT NOT NULL, score INTEGER NOT NULL, PRIMARY KEY (day, game)
);
CREATE TABLE daily_groups (code TEXT PRIMARY KEY, name TEXT NOT NULL, created BIGINT NOT NULL);
CREATE TABLE daily_members (code TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (code, person));
CREATE INDEX dailies_by_score ON dailies (day, game, score);
CREATE INDEX dailies_of_person ON dailies (person);
CREATE INDEX groups_of_person ON daily_members (person);
""",
    """
ALTER TABLE results ADD COLUMN code TEXT NOT NULL DEFAULT '', ADD COLUMN review TEXT NOT NULL DEFAULT '';
UPDATE results SET code = id WHERE id NOT LIKE 'import-%';
CREATE INDEX results_of_table ON results (code);
""",
)
"""What leads from each format to the next one; the table ``format`` tells how many of these a database has seen."""

TABLE = f"INSERT INTO tables VALUES ({', '.join(f'${number}' for number in range(1, 15))}) ON CONFLICT DO NOTHING RETURNING code"
SEATS = "INSERT INTO seats SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[], $5::bytea[])"
EVENTS = "INSERT INTO events SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::bigint[], $6::bigint[])"
LOAD = """SELECT *,
    ARRAY(SELECT (name, level, key) FROM seats WHERE code = $1 ORDER BY seat) AS seats,
    ARRAY(SELECT (seat, text, at, number) FROM events WHERE code = $1 AND seq >= $2 ORDER BY seq) AS events
    FROM tables WHERE code = $1"""
FINISH = "UPDATE tables SET finished = true WHERE code = ANY($1)"
LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.OperatorInterventionError,
    OSError,
    TimeoutError,
)
"""How a database that is away makes itself known."""


@dataclass
class _Append:
    code: str
    seq: int
    events: Sequence[Event]
    finished: bool
    done: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def rows(self) -> list[tuple[Any, ...]]:
        return [
            (self.code, place, event.seat, event.text, event.at, event.number)
            for place, event in enumerate(self.events, self.seq)
        ]

    def settle(self, error: Exception | None = None) -> None:
        if not self.done.done():
            if error is None:
                self.done.set_result(None)
            else:
                self.done.set_exception(error)


class PostgresStore:
    """A ``Store`` that is opened by the first thing it is asked for."""

    shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: asyncpg.Pool[Any] | None = None
        self._opening = asyncio.Lock()
        self._appends: asyncio.Queue[_Append] = asyncio.Queue()
        self._notices: asyncio.Queue[str] = asyncio.Queue()
        self._announcer = 0  # the database's process that sends them
        self._holding = asyncio.Lock()
        self._holder: asyncpg.Connection[Any] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    # --- tables -----------------------------------------------------------------------------------------------------------

    async def create(self, table: TableRecord) -> bool:
        """Keep a new table, with the events it may bring; ``False`` if its code is in use."""
        async with self._connection() as connection, connection.transaction():
            return await _create(connection, table)

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        """Return a table with its events from ``seq`` on."""
        async with self._connection() as connection:
            row = await connection.fetchrow(LOAD, code, seq)
        if row is None:
            return None
        found = dict(row)
        seats, events = (
            [SeatRecord(*seat) for seat in found.pop("seats")],
            [Event(*event) for event in found.pop("events")],
        )
        return TableRecord(**found, seats=seats, events=events)

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:
        """Put events behind the first ``seq`` ones of a table; raises ``Conflict`` if there are more."""
        await self._open()
        wanted = _Append(code, seq, events, finished)
        self._appends.put_nowait(wanted)
        await wanted.done

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        """Let somebody else sit in a seat; ``False`` if who sits there is no longer who was thought to."""
        where = "WHERE code = $4 AND seat = $5 AND level = $6 AND key IS NOT DISTINCT FROM $7"
        values = (after.name, after.level, after.key, code, seat, before.level, before.key)
        return (
            await self._execute(
                f"UPDATE seats SET name = $1, level = $2, key = $3 {where}", *values
            )
            == "UPDATE 1"
        )

    async def set_pace(self, code: str, pace: int) -> None:
        """Remember how fast computer players move."""
        await self._execute("UPDATE tables SET pace = $1 WHERE code = $2", pace, code)

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        """Keep the table of the next game unless there is one; return the code of the one there is, ``None`` if its code is in use."""
        async with self._connection() as connection, connection.transaction():
            found: str | None = await connection.fetchval(
                "SELECT rematch FROM tables WHERE code = $1 FOR UPDATE", code
            )
            if found is not None:
                return found
            if not await _create(connection, successor):
                return None
            await connection.execute(
                "UPDATE tables SET rematch = $1 WHERE code = $2", successor.code, code
            )
            return successor.code

    async def review(self, code: str) -> str | None:
        """Return the review of a table, if one was kept."""
        async with self._connection() as connection:
            found: str | None = await connection.fetchval(
                "SELECT text FROM reviews WHERE code = $1", code
            )
            return found

    async def keep_review(self, code: str, text: str) -> None:
        """Keep the review of a table."""
        await self._execute(
            "INSERT INTO reviews VALUES ($1, $2) ON CONFLICT (code) DO UPDATE SET text = $2",
            code,
            text,
        )

    async def codes(self) -> AsyncIterator[str]:
        """Go through all tables."""
        async with self._connection() as connection:
            rows = await connection.fetch("SELECT code FROM tables ORDER BY code")
        for row in rows:
            yield row[0]

    async def untouched(self, since: int) -> list[str]:
        """Return unfinished tables at which nothing has happened since a time."""
        query = """SELECT code FROM tables WHERE NOT finished AND created < $1
            AND coalesce((SELECT at FROM events WHERE events.code = tables.code ORDER BY seq DESC LIMIT 1), 0) < $1"""
        async with self._connection() as connection:
            return [row[0] for row in await connection.fetch(query, since)]

    async def remove(self, code: str) -> None:
        """Forget a table."""
        await self._execute("DELETE FROM tables WHERE code = $1", code)

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Do a statement with ``?`` for its values; return its rows."""
        pieces = statement.split("?")
        numbered = (
            "".join(f"{piece}${number}" for number, piece in enumerate(pieces[:-1], start=1))
            + pieces[-1]
        )
        async with self._connection() as connection:
            return [tuple(row) for row in await connection.fetch(numbered, *values)]

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        """Return how many events each of these tables has."""
        query = """SELECT code, coalesce((SELECT seq + 1 FROM events WHERE events.code = wanted.code ORDER BY seq DESC LIMIT 1), 0)
            FROM unnest($1::text[]) AS wanted (code)"""
        async with self._connection() as connection:
            return dict(await connection.fetch(query, list(codes)))

    async def ping(self) -> None:
        """See whether the database answers; raises ``StoreAway`` if not."""
        await self._execute("SELECT 1")

    async def close(self) -> None:
        """Finish what was begun and let go of the connections."""
        if self._pool is None:
            return
        while not self._appends.empty():
            await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(*LOST):
            await self._pool.close()
        await _close(self._holder)

    # --- several processes ------------------------------------------------------------------------------------------------

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
    ) -> None:
        """From now on hand over what other processes announce; say so when the store is lost, and back."""
        await self._open()
        ready = asyncio.Event()
        self._start(self._listen(heard, lost, reconnected, ready))
        await ready.wait()

    def announce(self, text: str) -> None:
        """Tell the other processes something, soon."""
        self._notices.put_nowait(text)

    async def hold(self, code: str) -> bool:
        """Whether the computer players of a table are this process's to drive, until ``release``."""
        return bool(await self._lock("SELECT pg_try_advisory_lock($1, $2)", code))

    async def release(self, code: str) -> None:
        """Let another process drive them."""
        with suppress(StoreAway):  # then the lock is gone with the session
            await self._lock("SELECT pg_advisory_unlock($1, $2)", code)

    async def _lock(self, query: str, code: str) -> Any:
        await self._open()
        async with self._holding:
            try:
                if self._holder is None or self._holder.is_closed():
                    self._holder = await self._connect()
                return await self._holder.fetchval(
                    query, LOCKS, code_number(code), timeout=PATIENCE
                )
            except LOST as error:
                raise StoreAway(str(error)) from error

    async def _listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
        ready: asyncio.Event,
    ) -> None:
        """Keep a listening connection, for ever."""
        while True:
            try:
                connection = await self._connect()
            except LOST:
                await asyncio.sleep(RETRY)
                continue
            gone = asyncio.Event()
            connection.add_termination_listener(lambda _, gone=gone: gone.set())
            try:
                await connection.add_listener(CHANNEL, self._hear_all(heard))
                if ready.is_set():
                    note("store_back")
                    reconnected()
                ready.set()
                await gone.wait()
                note("store_lost")
                lost()
            except LOST:
                await asyncio.sleep(RETRY)
            finally:
                await _close(connection)

    def _hear_all(self, heard: Callable[[str], None]) -> Callable[..., None]:
        """Return what takes a notice of another process apart into the announcements in it."""

        def take(_: object, sender: int, __: str, payload: str) -> None:
            if sender != self._announcer:
                for text in json.loads(payload):
                    heard(text)

        return take

    async def _announce(self) -> None:
        """Send what is to be announced, all that waits in one command, for ever."""
        connection: asyncpg.Connection[Any] | None = None
        try:
            while True:
                notices = [await self._notices.get()]
                size = len(notices[0])
                while not self._notices.empty() and size < NOTICE - 1_000:
                    notices.append(self._notices.get_nowait())
                    size += len(notices[-1]) + 8
                try:
                    if connection is None or connection.is_closed():
                        connection = await self._connect()
                        self._announcer = connection.get_server_pid()
                        await connection.execute("SET synchronous_commit = off")
                    await connection.execute(
                        "SELECT pg_notify($1, $2)", CHANNEL, json.dumps(notices)
                    )
                except LOST:
                    await asyncio.sleep(RETRY)  # what was not announced is found by looking
        finally:
            await _close(connection)

    # --- the writer -------------------------------------------------------------------------------------------------------

    async def _write(self) -> None:
        """Put the events that wait on disk, all in one commit, for ever."""
        connection: asyncpg.Connection[Any] | None = None
        began = 0.0
        try:
            while True:
                batch = [await self._appends.get()]
                await asyncio.sleep(began + GATHERING - time.monotonic())
                began = time.monotonic()
                while not self._appends.empty():
                    batch.append(self._appends.get_nowait())
                try:
                    if connection is None or connection.is_closed():
                        connection = await self._connect()
                    await _write_all(connection, batch)
                except Exception as error:
                    if not isinstance(error, LOST):
                        fault("store_failed")
                    for wanted in batch:
                        wanted.settle(StoreAway(str(error)))
                    await _close(connection)
        finally:
            await _close(connection)

    # --- connections ------------------------------------------------------------------------------------------------------

    def _start(self, work: Any) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    async def _open(self) -> asyncpg.Pool[Any]:
        async with self._opening:
            if self._pool is None:
                try:
                    pool = asyncpg.create_pool(
                        self.url,
                        min_size=1,
                        max_size=CONNECTIONS,
                        command_timeout=PATIENCE,
                        timeout=PATIENCE,
                    )
                    self._pool = await pool
                except LOST as error:
                    raise StoreAway(str(error)) from error
                self._start(self._write())
                self._start(self._announce())
            return self._pool

    async def _connect(self) -> asyncpg.Connection[Any]:
        return await asyncpg.connect(self.url, timeout=PATIENCE, command_timeout=PATIENCE)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        pool = await self._open()
        try:
            async with pool.acquire(timeout=PATIENCE) as connection:
                yield connection
        except LOST as error:
            raise StoreAway(str(error)) from error

    async def _execute(self, statement: str, *values: Any) -> str:
        async with self._connection() as connection:
            done: str = await connection.execute(statement, *values)
            return done


async def _close(connection: asyncpg.Connection[Any] | None) -> None:
    """Let go of a connection, whatever state it is in."""
    if connection is not None and not connection.is_closed():
        with suppress(*LOST):
            await connection.close(timeout=1.0)


async def prepare(url: str) -> None:
    """Bring a database to the newest format; raises ``StartError`` with a sentence if it cannot be used."""
    try:
        connection = await asyncpg.connect(url, timeout=PATIENCE)
        try:
            async with connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1, $2)", *MIGRATION_LOCK)
                await connection.execute(
                    "CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL)"
                )
                found = await connection.fetchval("SELECT max(version) FROM format") or 0
                if found > len(MIGRATIONS):
                    raise StartError("server.problem.newer", format=found)
                if found < len(MIGRATIONS):
                    await connection.execute("".join(MIGRATIONS[found:]))
                    await connection.execute("DELETE FROM format")
                    await connection.execute("INSERT INTO format VALUES ($1)", len(MIGRATIONS))
        finally:
            await connection.close()
    except (
        OSError,
        TimeoutError,
        ValueError,
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
    ) as error:
        raise StartError("server.problem.database", problem=error) from error


async def _create(connection: asyncpg.Connection[Any], table: TableRecord) -> bool:
    row = (
        table.code,
        table.game,
        table.variant,
        table.seed,
        table.pace,
        table.created,
        table.invitation,
        table.rematch,
        table.finished,
    )
    if (
        await connection.fetchval(
            TABLE, *row, table.seal, table.dice, table.host, table.origin, table.script
        )
        is None
    ):
        return False
    names, levels, keys = (
        [getattr(seat, part) for seat in table.seats] for part in ("name", "level", "key")
    )
    await connection.execute(SEATS, table.code, list(range(len(table.seats))), names, levels, keys)
    if table.events:
        await connection.execute(
            EVENTS, *zip(*_Append(table.code, 0, table.events, False).rows(), strict=True)
        )
    return True


async def _write_all(connection: asyncpg.Connection[Any], batch: Sequence[_Append]) -> None:
    """Write a batch at once; if one of it comes too late, write each alone, so that only that one fails."""
    try:
        await _insert(connection, batch)
    except (asyncpg.IntegrityConstraintViolationError, asyncpg.DeadlockDetectedError) as error:
        if len(batch) == 1:
            batch[0].settle(Conflict(str(error)))
            return
        for wanted in batch:
            await _write_all(connection, [wanted])
        return
    for wanted in batch:
        wanted.settle()


async def _insert(connection: asyncpg.Connection[Any], batch: Sequence[_Append]) -> None:
    rows = sorted(
        (row for wanted in batch for row in wanted.rows()), key=lambda row: row[:2]
    )  # one order, so that no two wait for each other
    finished = [wanted.code for wanted in batch if wanted.finished]
    if not finished:
        await connection.execute(EVENTS, *zip(*rows, strict=True))
        return
    async with connection.transaction():
        if rows:
            await connection.execute(EVENTS, *zip(*rows, strict=True))
        await connection.execute(FINISH, finished)
