"""Tables in one SQLite file.

One thread owns the connection. It takes all jobs that wait, does them in one transaction and syncs once, so that many tables share
the price of a sync and the event loop never waits for the disk. An idle server hands a job over at once, a busy one every few milliseconds.
What was committed survives the end of the process from then on, and a power cut once it is synced: see ``syncing``.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foxclover.server.errors import StartError
from foxclover.server.logs import fault, warn
from foxclover.server.store import GATHERING, Conflict, Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.syncing import Syncer

FILE = "foxclover.sqlite"
LOG = f"{FILE}-wal"  # SQLite's, beside the file: what was committed stands here first
LOCK = "foxclover.lock"
CHECKED_AT_START = 16_000_000  # bytes; larger files are checked while the server runs already
SOUND = "ok"
CHECKPOINT_AFTER = 10_000  # jobs whose pages wait in the log beside the file

MIGRATIONS = (
    """
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
""",
    """
ALTER TABLE tables ADD COLUMN invitation TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN finished INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN number INTEGER;
UPDATE tables SET invitation = lower(hex(randomblob(16)));
""",
    """
ALTER TABLE tables ADD COLUMN seal BLOB;
""",
    """
ALTER TABLE tables ADD COLUMN dice TEXT NOT NULL DEFAULT '';
""",
    """
CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, tag TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE TABLE devices (key BLOB PRIMARY KEY, person TEXT NOT NULL) STRICT;
CREATE TABLE alongs (key BLOB PRIMARY KEY, person TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
CREATE TABLE sittings (
    code TEXT NOT NULL, key BLOB NOT NULL, person TEXT NOT NULL, PRIMARY KEY (code, key)
) STRICT;
CREATE TABLE results (
    person TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, transcript TEXT NOT NULL, PRIMARY KEY (person, id)
) STRICT;
CREATE INDEX devices_of_person ON devices (person);
CREATE INDEX sittings_of_person ON sittings (person);
""",
    """
ALTER TABLE tables ADD COLUMN host BLOB;
""",
    """
ALTER TABLE tables ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN script TEXT NOT NULL DEFAULT '';
CREATE TABLE reviews (code TEXT PRIMARY KEY REFERENCES tables, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
""",
    """
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE dailies (
    day TEXT NOT NULL, game TEXT NOT NULL, person TEXT NOT NULL, code TEXT NOT NULL, begun INTEGER NOT NULL, score INTEGER, ended INTEGER,
    PRIMARY KEY (day, game, person)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_solutions (
    day TEXT NOT NULL, game TEXT NOT NULL, code TEXT NOT NULL, score INTEGER NOT NULL, PRIMARY KEY (day, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_groups (code TEXT PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE TABLE daily_members (code TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (code, person)) STRICT, WITHOUT ROWID;
CREATE INDEX dailies_by_score ON dailies (day, game, score);
CREATE INDEX dailies_of_person ON dailies (person);
CREATE INDEX groups_of_person ON daily_members (person);
""",
    """
ALTER TABLE results ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN review TEXT NOT NULL DEFAULT '';
UPDATE results SET code = id WHERE id NOT LIKE 'import-%';
CREATE INDEX results_of_table ON results (code);
""",
)
"""What leads from each format to the next one; the format of a file is how many of these it has seen."""

COLUMNS = "game, variant, seed, pace, created, invitation, rematch, finished, seal, dice, host, origin, script"
TABLE = f"INSERT INTO tables (code, {COLUMNS}) VALUES (?{', ?' * len(COLUMNS.split())})"
SEAT = "INSERT INTO seats (code, seat, name, level, key) VALUES (?, ?, ?, ?, ?)"
EVENT = "INSERT INTO events (code, seq, seat, text, at, number) VALUES (?, ?, ?, ?, ?, ?)"
ANOTHER_EVENT = ", (?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]
    one_statement: bool  # and so a transaction of its own


class _Checkup:
    """Reads a whole file in a thread of its own; what is wrong with it is logged, and told by ``ping``. Whole tables can be played on."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problem = ""
        self._connection = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
        )
        self._thread = threading.Thread(target=self._check, name="checkup", daemon=True)
        self._thread.start()

    def _check(self) -> None:
        with closing(self._connection) as connection:
            try:
                verdict = _verdict(connection)
            except (
                sqlite3.OperationalError
            ):  # ended before it was through, or unreadable: the store's own connection will tell
                return
            except sqlite3.DatabaseError as error:
                verdict = str(error)
        if verdict != SOUND:
            self.problem = verdict
            warn("database_damaged", file=str(self.file), problem=verdict)

    def end(self) -> None:
        """Give up if it is not through."""
        with suppress(sqlite3.ProgrammingError):  # it is
            self._connection.interrupt()
        self._thread.join()


_Outcome = tuple[_Job, Any, BaseException | None]


def _finish(outcomes: Sequence[_Outcome]) -> None:
    """Tell those who wait what came of their jobs, with one call for each loop."""
    for loop in {job.loop for job, _, _ in outcomes}:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(
                _settle, [outcome for outcome in outcomes if outcome[0].loop is loop]
            )


def _settle(outcomes: Sequence[_Outcome]) -> None:
    for job, result, error in outcomes:
        if job.done.cancelled():
            continue
        if error is not None:
            job.done.set_exception(error)
        else:
            job.done.set_result(result)


class SqliteStore:
    """A ``Store`` in a directory of its own, for one process."""

    shared = False

    def __init__(self, directory: Path) -> None:
        self.file = directory / FILE
        self._lock, self._connection = _open(directory)
        self._log = Syncer(directory / LOG)
        self._seen = _look(self.file)
        self._since_checkpoint = 0  # jobs
        self._checkup = _Checkup(self.file) if self.file.stat().st_size > CHECKED_AT_START else None
        self._ended = False
        self._gathered: list[_Job] = []
        self._handed_over_at = 0.0
        self._jobs: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def create(self, table: TableRecord) -> bool:
        """Keep a new table, with the events it may bring; ``False`` if its code is in use."""
        return bool(await self._do(lambda connection: _create(connection, table)))

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        """Return a table with its events from ``seq`` on."""

        def work(connection: sqlite3.Connection) -> TableRecord | None:
            row = connection.execute(
                f"SELECT {COLUMNS} FROM tables WHERE code = ?", (code,)
            ).fetchone()
            if row is None:
                return None
            (
                game,
                variant,
                seed,
                pace,
                created,
                invitation,
                rematch,
                finished,
                seal,
                dice,
                host,
                origin,
                script,
            ) = row
            seats = connection.execute(
                "SELECT name, level, key FROM seats WHERE code = ? ORDER BY seat", (code,)
            )
            wanted = (
                "SELECT seat, text, at, number FROM events WHERE code = ? AND seq >= ? ORDER BY seq"
            )
            return TableRecord(
                code,
                game,
                variant,
                seed,
                pace,
                created,
                [SeatRecord(*seat) for seat in seats],
                invitation,
                rematch,
                bool(finished),
                seal,
                dice,
                host,
                origin,
                script,
                [Event(*event) for event in connection.execute(wanted, (code, seq))],
            )

        found: TableRecord | None = await self._do(work)
        return found

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:
        """Put events behind the first ``seq`` ones of a table; the primary key refuses to write over any."""
        rows = _rows(code, seq, events)

        def work(connection: sqlite3.Connection) -> None:
            if not rows:
                return
            try:
                connection.execute(
                    EVENT + ANOTHER_EVENT * (len(rows) - 1),
                    [value for row in rows for value in row],
                )
            except sqlite3.IntegrityError as error:
                raise Conflict from error
            if finished:
                connection.execute("UPDATE tables SET finished = 1 WHERE code = ?", (code,))

        await self._do(work, one_statement=not finished)

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        """Let somebody else sit in a seat; ``False`` if who sits there is no longer who was thought to."""
        values = (after.name, after.level, after.key, code, seat, before.level, before.key)

        def work(connection: sqlite3.Connection) -> bool:
            where = "WHERE code = ? AND seat = ? AND level = ? AND key IS ?"
            return (
                connection.execute(
                    f"UPDATE seats SET name = ?, level = ?, key = ? {where}", values
                ).rowcount
                == 1
            )

        return bool(await self._do(work))

    async def set_pace(self, code: str, pace: int) -> None:
        """Remember how fast computer players move."""
        await self._write("UPDATE tables SET pace = ? WHERE code = ?", pace, code)

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        """Keep the table of the next game unless there is one; return the code of the one there is, ``None`` if its code is in use."""

        def work(connection: sqlite3.Connection) -> str | None:
            (found,) = connection.execute(
                "SELECT rematch FROM tables WHERE code = ?", (code,)
            ).fetchone()
            if found is not None:
                return str(found)
            if not _create(connection, successor):
                return None
            connection.execute(
                "UPDATE tables SET rematch = ? WHERE code = ?", (successor.code, code)
            )
            return successor.code

        opened: str | None = await self._do(work)
        return opened

    async def review(self, code: str) -> str | None:
        """Return the review of a table, if one was kept."""
        row = await self._do(
            lambda connection: connection.execute(
                "SELECT text FROM reviews WHERE code = ?", (code,)
            ).fetchone()
        )
        return row and str(row[0])

    async def keep_review(self, code: str, text: str) -> None:
        """Keep the review of a table."""
        await self._write("INSERT OR REPLACE INTO reviews (code, text) VALUES (?, ?)", code, text)

    async def codes(self) -> AsyncIterator[str]:
        """Go through all tables."""
        for (code,) in await self._do(
            lambda connection: connection.execute(
                "SELECT code FROM tables ORDER BY code"
            ).fetchall()
        ):
            yield code

    async def untouched(self, since: int) -> list[str]:
        """Return unfinished tables at which nothing has happened since a time."""
        query = """SELECT code FROM tables WHERE finished = 0 AND created < :since
            AND coalesce((SELECT at FROM events WHERE events.code = tables.code ORDER BY seq DESC LIMIT 1), 0) < :since"""
        return [
            code
            for (code,) in await self._do(
                lambda connection: connection.execute(query, {"since": since}).fetchall()
            )
        ]

    async def remove(self, code: str) -> None:
        """Forget a table."""

        def work(connection: sqlite3.Connection) -> None:
            for table in ("reviews", "sittings", "events", "seats", "tables"):
                connection.execute(f"DELETE FROM {table} WHERE code = ?", (code,))

        await self._do(work)

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Do a statement with ``?`` for its values; return its rows."""
        rows: list[tuple[Any, ...]] = await self._do(
            lambda connection: connection.execute(statement, values).fetchall()
        )
        return rows

    async def ping(self) -> None:
        """See whether the file can be written to and is whole; raises ``StoreAway`` if not."""
        if self._checkup is not None and self._checkup.problem:
            raise StoreAway(self._checkup.problem)
        await self._do(lambda connection: connection.execute("SELECT 1").fetchone())

    async def close(self) -> None:
        """Finish what was begun and let go of the file."""
        if self._checkup is not None:
            await asyncio.to_thread(self._checkup.end)
        self._hand_over()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        """Return how many events each of these tables has."""
        query = "SELECT coalesce(max(seq) + 1, 0) FROM events WHERE code = ?"
        found: dict[str, int] = await self._do(
            lambda connection: {
                code: connection.execute(query, (code,)).fetchone()[0] for code in codes
            }
        )
        return found

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
    ) -> None:
        """Nobody else uses the file, so there is nothing to hear."""

    def announce(self, text: str) -> None:
        """Nobody else uses the file, so there is nobody to tell."""

    async def hold(self, code: str) -> bool:  # noqa: ARG002
        """All computer players are this process's."""
        return True

    async def release(self, code: str) -> None:
        """There is nobody else to drive them."""

    async def _write(self, statement: str, *values: Any) -> None:
        """Execute a statement. No cursor may leave the store's thread: its end in another one disturbs the connection."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self._do(work)

    async def _do(
        self, work: Callable[[sqlite3.Connection], Any], one_statement: bool = False
    ) -> Any:
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future(), one_statement)
        self._gathered.append(job)
        wait = self._handed_over_at + GATHERING - time.monotonic()
        if wait <= 0:
            self._hand_over()
        elif len(self._gathered) == 1:
            loop.call_later(wait, self._hand_over)
        return await job.done

    def _hand_over(self) -> None:
        """Give the thread what has been gathered."""
        if not self._gathered:
            return
        batch, self._gathered, self._handed_over_at = self._gathered, [], time.monotonic()
        self._jobs.put(batch)
        if self._ended:  # and nobody takes it
            _finish([(job, None, StoreAway("the thread of the store has ended")) for job in batch])

    def _work(self) -> None:
        batch: list[_Job] = []
        try:
            while (first := self._jobs.get()) is not None:
                batch, last = first, False
                while not self._jobs.empty():
                    jobs = self._jobs.get()
                    if jobs is None:
                        last = True
                        break
                    batch += jobs
                self._commit(batch)
                self._checkpoint(len(batch))
                if last:
                    break
        except BaseException as error:  # whatever ends this thread, nobody may wait for it
            self._ended = True
            fault("store_thread_ended")
            while not self._jobs.empty():
                batch += self._jobs.get() or []
            _finish([(job, None, StoreAway(str(error))) for job in batch])
        finally:
            self._ended = True
            self._log.close()
            self._connection.close()
            self._lock.close()

    def _commit(self, batch: list[_Job]) -> None:
        """Do a batch in one transaction; a job that fails is undone alone, a commit that fails fails them all."""
        connection = self._connection
        outcomes: list[_Outcome] = []
        try:
            if _look(self.file) != self._seen:
                raise sqlite3.OperationalError(
                    f"{self.file} was replaced, changed or removed by somebody else"
                )
            known = connection.total_changes
            outcomes = _do_all(connection, batch)
            if connection.total_changes != known:
                self._log.sync()
        except (sqlite3.Error, OSError) as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            outcomes = [(job, None, StoreAway(str(error))) for job in batch]
        _finish(outcomes)

    def _checkpoint(self, jobs: int) -> None:
        """Bring the log's pages into the file now and then, when nobody waits for it. Nothing else changes the file."""
        self._since_checkpoint += jobs
        if self._since_checkpoint >= CHECKPOINT_AFTER and _look(self.file) == self._seen:
            self._since_checkpoint = 0
            with suppress(sqlite3.Error):  # the next commit tells what is wrong
                self._connection.execute("PRAGMA wal_checkpoint").fetchall()
            self._seen = _look(self.file)


def _do_all(connection: sqlite3.Connection, batch: list[_Job]) -> list[_Outcome]:
    if len(batch) == 1 and batch[0].one_statement:
        try:
            return [(batch[0], batch[0].work(connection), None)]
        except Conflict as error:
            return [(batch[0], None, error)]
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes: list[_Outcome] = [(job, job.work(connection), None) for job in batch]
    except Exception:  # seldom, and then each is tried alone
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        outcomes = [_try_alone(connection, job) for job in batch]
    connection.execute("COMMIT")
    return outcomes


def _try_alone(connection: sqlite3.Connection, job: _Job) -> _Outcome:
    """Do a job so that only it is undone if it fails."""
    connection.execute("SAVEPOINT job")
    try:
        return job, job.work(connection), None
    except Exception as error:
        connection.execute("ROLLBACK TO job")
        return job, None, error
    finally:
        connection.execute("RELEASE job")


def _create(connection: sqlite3.Connection, table: TableRecord) -> bool:
    if connection.execute("SELECT 1 FROM tables WHERE code = ?", (table.code,)).fetchone():
        return False
    connection.execute(TABLE, (table.code, *(getattr(table, name) for name in COLUMNS.split(", "))))
    connection.executemany(
        SEAT,
        [
            (table.code, number, seat.name, seat.level, seat.key)
            for number, seat in enumerate(table.seats)
        ],
    )
    connection.executemany(EVENT, _rows(table.code, 0, table.events))
    return True


def _rows(code: str, seq: int, events: Sequence[Event]) -> list[tuple[Any, ...]]:
    return [
        (code, place, event.seat, event.text, event.at, event.number)
        for place, event in enumerate(events, start=seq)
    ]


def _look(file: Path) -> tuple[int, int, int] | None:
    """What tells whether a file is still the one we know: only our own commits change it."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _open(directory: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Open or create the database, after the lock that keeps other servers away; every way this can fail becomes one sentence."""
    file = directory / FILE
    try:
        if not directory.exists():
            directory.mkdir(parents=True, mode=0o700)
        for name in (FILE, LOCK):  # what is in them is nobody else's
            os.close(os.open(directory / name, os.O_RDWR | os.O_CREAT, 0o600))
            (directory / name).chmod(0o600)
    except OSError as error:
        raise StartError(
            "server.problem.unwritable", directory=directory, problem=error.strerror
        ) from error
    opened: list[sqlite3.Connection] = []
    try:
        opened += [
            sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1)
            for path in (directory / LOCK, file)
        ]
        lock, connection = opened
        lock.execute("PRAGMA locking_mode = EXCLUSIVE")
        lock.execute("BEGIN EXCLUSIVE")
        _prepare(connection, file.stat().st_size)
    except sqlite3.Error as error:
        for connection in opened:
            connection.close()
        locked = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
        unreadable = isinstance(error, sqlite3.OperationalError) and not locked
        key = "in_use" if locked else "unreadable" if unreadable else "damaged"
        raise StartError(f"server.problem.{key}", file=file, problem=error) from error
    return lock, connection


def _prepare(connection: sqlite3.Connection, size: int) -> None:
    """Bring the database to the newest format."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # commits are synced by _commit
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # see _checkpoint
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found > len(MIGRATIONS):
        raise sqlite3.DatabaseError(f"format {found} is newer than {len(MIGRATIONS)}")
    if size <= CHECKED_AT_START and (verdict := _verdict(connection)) != SOUND:
        raise sqlite3.DatabaseError(verdict)
    if found < len(MIGRATIONS):
        steps = "".join(MIGRATIONS[found:])
        connection.executescript(f"BEGIN; {steps} PRAGMA user_version = {len(MIGRATIONS)}; COMMIT;")


def _verdict(connection: sqlite3.Connection) -> str:
    """Return the first thing that is wrong with a file, else that it is sound."""
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return str(verdict)
