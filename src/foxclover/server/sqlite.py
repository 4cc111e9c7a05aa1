"""Tables in one SQLite file.

One thread owns the connection. It takes all jobs that wait, does them in one transaction and syncs once, so that many tables share
the price of a sync and the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foxclover.server.errors import StartError
from foxclover.server.store import Event, SeatRecord, TableRecord

FILE = "foxclover.sqlite"
FORMAT = 1

SCHEMA = """
CREATE TABLE tables (
    code TEXT PRIMARY KEY, game TEXT NOT NULL, variant INTEGER NOT NULL, seed INTEGER, pace INTEGER NOT NULL,
    created INTEGER NOT NULL, rematch TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE seats (
    code TEXT NOT NULL REFERENCES tables, seat INTEGER NOT NULL, name TEXT NOT NULL, level TEXT NOT NULL, key BLOB,
    PRIMARY KEY (code, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    code TEXT NOT NULL REFERENCES tables, seq INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT, at INTEGER NOT NULL,
    PRIMARY KEY (code, seq)
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True)
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]

    def finish(self, result: Any, error: BaseException | None) -> None:
        self.loop.call_soon_threadsafe(self._settle, result, error)

    def _settle(self, result: Any, error: BaseException | None) -> None:
        if self.done.cancelled():
            return
        if error is not None:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class SqliteStore:
    """A ``Store`` in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self._connection = _open(directory)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def create(self, table: TableRecord) -> bool:
        """Keep a new table; ``False`` if its code is in use."""

        def work(connection: sqlite3.Connection) -> bool:
            if connection.execute("SELECT 1 FROM tables WHERE code = ?", (table.code,)).fetchone():
                return False
            connection.execute(
                "INSERT INTO tables (code, game, variant, seed, pace, created) VALUES (?, ?, ?, ?, ?, ?)",
                (table.code, table.game, table.variant, table.seed, table.pace, table.created),
            )
            connection.executemany(
                "INSERT INTO seats (code, seat, name, level, key) VALUES (?, ?, ?, ?, ?)",
                [(table.code, number, seat.name, seat.level, seat.key) for number, seat in enumerate(table.seats)],
            )
            return True

        return bool(await self._do(work))

    async def load(self, code: str) -> TableRecord | None:
        """Return a table with all its events."""

        def work(connection: sqlite3.Connection) -> TableRecord | None:
            row = connection.execute("SELECT game, variant, seed, pace, created, rematch FROM tables WHERE code = ?", (code,)).fetchone()
            if row is None:
                return None
            game, variant, seed, pace, created, rematch = row
            seats = connection.execute("SELECT name, level, key FROM seats WHERE code = ? ORDER BY seat", (code,))
            events = connection.execute("SELECT seat, text, at FROM events WHERE code = ? ORDER BY seq", (code,))
            return TableRecord(
                code,
                game,
                variant,
                seed,
                pace,
                created,
                [SeatRecord(*seat) for seat in seats],
                rematch,
                [Event(*event) for event in events],
            )

        found: TableRecord | None = await self._do(work)
        return found

    async def append(self, code: str, seq: int, events: Sequence[Event]) -> None:
        """Put events behind the first ``seq`` ones of a table; the primary key refuses to write over any."""
        rows = [(code, seq + offset, event.seat, event.text, event.at) for offset, event in enumerate(events)]
        await self._write("INSERT INTO events (code, seq, seat, text, at) VALUES (?, ?, ?, ?, ?)", rows)

    async def take_seat(self, code: str, seat: int, name: str, key: bytes) -> bool:
        """Give an open seat to whoever has the token with this hash; ``False`` if it is taken."""

        def work(connection: sqlite3.Connection) -> bool:
            where = "WHERE code = ? AND seat = ? AND key IS NULL AND level = ''"
            return connection.execute(f"UPDATE seats SET name = ?, key = ? {where}", (name, key, code, seat)).rowcount == 1

        return bool(await self._do(work))

    async def set_pace(self, code: str, pace: int) -> None:
        """Remember how fast computer players move."""
        await self._write("UPDATE tables SET pace = ? WHERE code = ?", [(pace, code)])

    async def set_rematch(self, code: str, successor: str) -> None:
        """Remember where the next game is played."""
        await self._write("UPDATE tables SET rematch = ? WHERE code = ?", [(successor, code)])

    async def close(self) -> None:
        """Finish what was begun and let go of the file."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def _write(self, statement: str, rows: list[tuple[Any, ...]]) -> None:
        """Execute a statement for each row. No cursor may leave the store's thread: its end in another one disturbs the connection."""

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(statement, rows)

        await self._do(work)

    async def _do(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        self._jobs.put(job)
        return await job.done

    def _work(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch, last = [first], False
            while not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    last = True
                    break
                batch.append(job)
            _commit(self._connection, batch)
            if last:
                break
        self._connection.close()


def _commit(connection: sqlite3.Connection, batch: list[_Job]) -> None:
    """Do a batch in one transaction; a job that fails is undone alone, a commit that fails fails them all."""
    outcomes: list[tuple[_Job, Any, BaseException | None]] = []
    try:
        connection.execute("BEGIN IMMEDIATE")
        for job in batch:
            connection.execute("SAVEPOINT job")
            try:
                outcomes.append((job, job.work(connection), None))
            except Exception as error:
                connection.execute("ROLLBACK TO job")
                outcomes.append((job, None, error))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        outcomes = [(job, None, error) for job in batch]
    for job, result, problem in outcomes:
        job.finish(result, problem)


def _open(directory: Path) -> sqlite3.Connection:
    """Open or create the database; every way this can fail becomes one sentence."""
    file = directory / FILE
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / ".writable").open("w"):
            pass
        (directory / ".writable").unlink()
    except OSError as error:
        raise StartError("server.problem.unwritable", directory=directory, problem=error.strerror) from error
    try:
        connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=1)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.OperationalError as error:
        key = "server.problem.in_use" if "locked" in str(error) else "server.problem.unreadable"
        raise StartError(key, file=file, problem=error) from error
    except sqlite3.DatabaseError as error:
        raise StartError("server.problem.damaged", file=file, problem=error) from error
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    """One server a file; synced at every commit, so that what is acknowledged survives a power cut."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found == 0:
        connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")
    elif found != FORMAT:
        raise sqlite3.DatabaseError(f"format {found} instead of {FORMAT}")
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
