"""Tables in a PostgreSQL database that several processes on several machines may share.

The primary key (code, seq) of events decides races: one of two processes that append at the same
place wins, the other gets ``Conflict``. One writer of each process commits all waiting events at
once. Changes are announced by NOTIFY on a connection that does not wait for the disk. Processes
poll now and then in case an announcement is lost.

LISTEN and advisory locks belong to a session, so a connection pooler must not share sessions
(pgbouncer: not in transaction mode).
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from itertools import count
from typing import Any, NamedTuple, cast

import asyncpg

from foxclover.server.errors import StartError
from foxclover.server.logs import log_event, log_exception
from foxclover.server.protocol.identifiers import code_number
from foxclover.server.stores.sql import POSTGRES_MIGRATIONS, SqlStore, event_rows, settle
from foxclover.server.stores.store import (
    COMMIT_INTERVAL,
    Conflict,
    Event,
    SeatRecord,
    Steps,
    StoreAway,
    T,
    TableRecord,
)

CHANNEL = "foxclover"
CONNECTIONS = 4  # of the pool, which does everything but append events
RETRY = 0.5  # seconds between attempts to reach a lost database
RETRY_TRANSACTION = 0.01  # seconds until a transaction that lost a race is tried again
PATIENCE = 10.0  # seconds until a command counts as lost
NOTICE = 7_000  # bytes of one NOTIFY; PostgreSQL allows 8,000
LOCKS = 0xF0C  # first half of the keys of the advisory locks on tables
MIGRATION_LOCK = (0xF0D, 0)

EVENTS = """INSERT INTO events SELECT * FROM
    unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::bigint[], $6::bigint[])"""
LOAD = """SELECT *,
    ARRAY(SELECT (name, level, key) FROM seats WHERE code = $1 ORDER BY seat) AS seats,
    ARRAY(SELECT (seat, text, at, number) FROM events
        WHERE code = $1 AND seq >= $2 ORDER BY seq) AS events
    FROM tables WHERE code = $1"""
LENGTHS = """SELECT code, coalesce(
        (SELECT seq + 1 FROM events WHERE events.code = wanted.code ORDER BY seq DESC LIMIT 1), 0)
    FROM unnest($1::text[]) AS wanted (code)"""
LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,  # too many connections, a full disk
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresSystemError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,  # no such database
    asyncpg.ReadOnlySQLTransactionError,  # a standby
    asyncpg.TransactionRollbackError,  # a deadlock
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
"""Errors of a database that cannot be reached or cannot execute a command."""


class _Append(NamedTuple):
    code: str
    seq: int
    events: Sequence[Event]
    finished: bool
    done: asyncio.Future[None]


class PostgresStore(SqlStore):
    """A ``Store`` that connects at the first request."""

    shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: asyncpg.Pool[Any] | None = None
        self._opening = asyncio.Lock()
        self._appends: asyncio.Queue[_Append] = asyncio.Queue()
        self._notices: asyncio.Queue[str] = asyncio.Queue()
        self._announcer = 0  # process id of the database session that sends the notices
        self._deaf = False  # the listening connection is lost
        self._holding = asyncio.Lock()
        self._holder: asyncpg.Connection[Any] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        async with self._connection() as connection:
            row = await connection.fetchrow(LOAD, code, seq)
        if row is None:
            return None
        seats = [SeatRecord(*seat) for seat in row["seats"]]
        events = [Event(*event) for event in row["events"]]
        return TableRecord(**dict(row) | {"seats": seats, "events": events})

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:
        """Append events to the first ``seq`` events of a table, which may end its game.

        Raises ``Conflict`` if the table has more.
        """
        await self._open()
        done = asyncio.get_running_loop().create_future()
        self._appends.put_nowait(_Append(code, seq, events, finished, done))
        await done

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        async with self._connection() as connection:
            return await _fetch(connection, statement, *values)

    async def transact(self, work: Callable[[], Steps[T]], erase: bool = False) -> T:
        """Execute several statements as one serializable transaction, retried on conflicts.

        PostgreSQL overwrites deleted rows when it vacuums.
        """
        while True:
            async with self._connection() as connection:
                with suppress(asyncpg.SerializationError, asyncpg.DeadlockDetectedError):
                    async with connection.transaction(isolation="serializable"):
                        return await _step(connection, work())
            await asyncio.sleep(RETRY_TRANSACTION)

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        async with self._connection() as connection:
            return dict(await connection.fetch(LENGTHS, list(codes)))

    async def ping(self) -> None:
        """Raise ``StoreAway`` unless the database can be written and announcements arrive."""
        await self.query("UPDATE format SET version = version")
        if self._deaf:
            raise StoreAway("other processes are not heard")

    async def close(self) -> None:
        while not self._appends.empty():
            await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._pool is not None:
            with suppress(*LOST):
                await self._pool.close()
        await _close(self._holder)

    # --- several processes

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
    ) -> None:
        ready = asyncio.Event()
        self._start(self._listen(heard, lost, reconnected, ready))
        await ready.wait()

    def announce(self, text: str) -> None:
        self._notices.put_nowait(text)

    async def hold(self, code: str) -> bool:
        return bool(await self._lock("SELECT pg_try_advisory_lock($1, $2)", code))

    async def release(self, code: str) -> None:
        with suppress(StoreAway):  # the lock is gone with the session
            await self._lock("SELECT pg_advisory_unlock($1, $2)", code)

    async def _lock(self, query: str, code: str) -> Any:
        await self._open()
        async with self._holding:
            try:
                self._holder = await self._connect(self._holder)
                return await self._holder.fetchval(
                    query, LOCKS, code_number(code), timeout=PATIENCE
                )
            except LOST as error:
                await _close(self._holder)  # it may never answer again
                raise StoreAway(str(error)) from error

    async def _listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
        ready: asyncio.Event,
    ) -> None:
        """Keep a listening connection, and replace it whenever it is lost."""
        while True:
            try:
                await self._hear(heard, reconnected, ready)
            except Exception as error:
                if not isinstance(error, LOST):
                    log_exception("listener_failed")
            if ready.is_set() and not self._deaf:
                self._deaf = True
                log_event("store_lost")
                lost()
            await asyncio.sleep(RETRY)

    async def _hear(
        self, heard: Callable[[str], None], reconnected: Callable[[], None], ready: asyncio.Event
    ) -> None:
        """Listen until the connection is lost, which a query checks now and then."""

        def take(_: object, sender: int, __: str, payload: str) -> None:
            if sender != self._announcer:
                for text in json.loads(payload):
                    heard(text)

        connection = await self._connect()
        gone = asyncio.Event()
        connection.add_termination_listener(lambda _: gone.set())
        try:
            await connection.add_listener(CHANNEL, take)
            if self._deaf:
                self._deaf = False
                log_event("store_back")
                reconnected()
            ready.set()
            while not gone.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(gone.wait(), PATIENCE)
                if not gone.is_set():
                    await connection.execute("SELECT 1")
        finally:
            await _close(connection)

    async def _announce(self) -> None:
        """Send the waiting announcements in one command, again and again."""
        connection: asyncpg.Connection[Any] | None = None
        try:
            while True:
                notices = [await self._notices.get()]
                while not self._notices.empty() and _size(notices) < NOTICE - 1_000:
                    notices.append(self._notices.get_nowait())
                try:
                    connection = await self._connect(connection)
                    if self._announcer != connection.get_server_pid():
                        self._announcer = connection.get_server_pid()
                        await connection.execute("SET synchronous_commit = off")
                    await connection.execute(
                        "SELECT pg_notify($1, $2)", CHANNEL, json.dumps(notices)
                    )
                except Exception as error:  # polling makes up for it
                    if not isinstance(error, LOST):
                        log_exception("not_announced")
                    await _close(connection)
                    await asyncio.sleep(RETRY)
        finally:
            await _close(connection)

    # --- the writer

    async def _write(self) -> None:
        """Write the waiting events in one commit, again and again."""
        connection: asyncpg.Connection[Any] | None = None
        began = 0.0
        try:
            while True:
                batch = [await self._appends.get()]
                await asyncio.sleep(began + COMMIT_INTERVAL - time.monotonic())
                began = time.monotonic()
                while not self._appends.empty():
                    batch.append(self._appends.get_nowait())
                try:
                    connection = await self._connect(connection)
                    await _write_all(connection, batch)
                except Exception as error:
                    if not isinstance(error, LOST):
                        log_exception("store_failed")
                    for wanted in batch:
                        settle(wanted.done, None, StoreAway(str(error)))
                    await _close(connection)
        finally:
            await _close(connection)

    # --- connections

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    async def _open(self) -> asyncpg.Pool[Any]:
        async with self._opening:
            if self._pool is None:
                try:
                    self._pool = await asyncpg.create_pool(
                        self.url,
                        min_size=0,
                        max_size=CONNECTIONS,
                        command_timeout=PATIENCE,
                        timeout=PATIENCE,
                    )
                except LOST as error:
                    raise StoreAway(str(error)) from error
                self._start(self._write())
                self._start(self._announce())
            return self._pool

    async def _connect(
        self, known: asyncpg.Connection[Any] | None = None
    ) -> asyncpg.Connection[Any]:
        """Return a connection: the known one while it is open, else a new one."""
        if known is not None and not known.is_closed():
            return known
        return await asyncpg.connect(self.url, timeout=PATIENCE, command_timeout=PATIENCE)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        try:
            async with (await self._open()).acquire(timeout=PATIENCE) as connection:
                yield connection
        except LOST as error:
            raise StoreAway(str(error)) from error


def _size(notices: Sequence[str]) -> int:
    """Return the bytes of announcements in one notice, or more."""
    return sum(len(notice) + 8 for notice in notices)


async def _fetch(
    connection: asyncpg.Connection[Any], statement: str, *values: Any
) -> list[tuple[Any, ...]]:
    numbers = count(1)
    numbered = re.sub(r"\?", lambda _: f"${next(numbers)}", statement)
    return [tuple(row) for row in await connection.fetch(numbered, *values)]


async def _step(connection: asyncpg.Connection[Any], steps: Steps[T]) -> T:
    rows: list[tuple[Any, ...]] | None = None
    try:
        while True:
            rows = await _fetch(connection, *(next(steps) if rows is None else steps.send(rows)))
    except StopIteration as ended:
        return cast(T, ended.value)


async def _close(connection: asyncpg.Connection[Any] | None) -> None:
    """Close a connection in any state."""
    if connection is not None and not connection.is_closed():
        with suppress(*LOST):
            await connection.close(timeout=1.0)


async def prepare(url: str) -> None:
    """Migrate a database to the newest format.

    Raises ``StartError`` if it cannot be used.
    """
    newest = len(POSTGRES_MIGRATIONS)
    try:
        connection = await asyncpg.connect(url, timeout=PATIENCE)
        try:
            async with connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1, $2)", *MIGRATION_LOCK)
                await connection.execute(
                    "CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL)"
                )
                found = await connection.fetchval("SELECT max(version) FROM format") or 0
                if found > newest:
                    raise StartError("server.problem.newer", format=found)
                if found < newest:
                    await connection.execute("".join(POSTGRES_MIGRATIONS[found:]))
                    await connection.execute("DELETE FROM format")
                    await connection.execute("INSERT INTO format VALUES ($1)", newest)
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


async def _write_all(connection: asyncpg.Connection[Any], batch: Sequence[_Append]) -> None:
    """Write a batch at once; on a conflict write each alone, so that only one fails."""
    try:
        await _insert(connection, batch)
    except (asyncpg.IntegrityConstraintViolationError, asyncpg.DeadlockDetectedError) as error:
        if len(batch) == 1:
            settle(batch[0].done, None, Conflict(str(error)))
        else:
            for wanted in batch:
                await _write_all(connection, [wanted])
    else:
        for wanted in batch:
            settle(wanted.done, None, None)


async def _insert(connection: asyncpg.Connection[Any], batch: Sequence[_Append]) -> None:
    rows = [row for wanted in batch for row in event_rows(wanted.code, wanted.seq, wanted.events)]
    rows.sort(key=lambda row: row[:2])  # in one order, so that two processes do not deadlock
    finished = [wanted.code for wanted in batch if wanted.finished]
    async with connection.transaction() if rows and finished else nullcontext():
        if rows:
            await connection.execute(EVENTS, *zip(*rows, strict=True))
        if finished:
            await connection.execute(
                "UPDATE tables SET finished = true WHERE code = ANY($1)", finished
            )
