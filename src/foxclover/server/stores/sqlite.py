"""Tables in one SQLite file.

One thread owns the connection. It commits all waiting jobs in one transaction and syncs once, so
many tables share the cost of a sync and the event loop never waits for the disk. An idle server
hands a job over at once, a busy one every few milliseconds. Patient jobs wait for others to join,
so that players rarely wait for a commit without their moves. A committed job survives the end of
the process at once, and a power cut after the sync (``sqlite_files.Syncer``). After a failed sync
nothing is acknowledged until a restart, which reads the state of the disk.
"""

from __future__ import annotations

import asyncio
import queue
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from foxclover.server.logs import log_error, log_event, log_exception
from foxclover.server.stores import sqlite_files
from foxclover.server.stores.sql import (
    COLUMNS,
    SQLITE_MIGRATIONS,
    SqlStore,
    event_rows,
    insert_events,
    settle,
)
from foxclover.server.stores.sqlite_files import FILE, LOG, Checkup, Eraser, Syncer, identify
from foxclover.server.stores.store import (
    COMMIT_INTERVAL,
    Conflict,
    Event,
    Rows,
    SeatRecord,
    Steps,
    StoreAway,
    T,
    TableRecord,
)

PATIENCE = 0.2  # seconds that patient jobs wait for other jobs
CHECKPOINT_AFTER = 10_000  # jobs whose pages are in the log
LEAST_FREE = 1_000_000  # bytes; with less the disk counts as full
SYNC_FAILURES = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")


@dataclass(frozen=True)
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]
    one_statement: bool  # and so a transaction of its own


_Outcome = tuple[_Job, Any, BaseException | None]


def _finish(outcomes: Sequence[_Outcome]) -> None:
    """Pass the outcomes of jobs to their event loops, with one call for each loop."""
    for loop in {job.loop for job, _, _ in outcomes}:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(
                _settle, [outcome for outcome in outcomes if outcome[0].loop is loop]
            )


def _settle(outcomes: Sequence[_Outcome]) -> None:
    for job, result, error in outcomes:
        settle(job.done, result, error)


class SqliteStore(SqlStore):
    """A ``Store`` in a directory, for one process."""

    shared = False

    def __init__(self, directory: Path) -> None:
        self.file = directory / FILE
        self._lock, self._connection = sqlite_files.open_files(directory)
        self._eraser = Eraser(self._connection, self.file)
        self._log = Syncer(directory / LOG)
        self._refused = False  # the last write failed
        self._identity = identify(self.file)
        self._since_checkpoint = 0  # jobs
        self._checkup = (
            Checkup(self.file) if self.file.stat().st_size > sqlite_files.CHECKED_AT_START else None
        )
        self._ended = False
        self._waiting: list[_Job] = []
        self._patient: list[_Job] = []
        self._handed_over_at = 0.0
        self._jobs: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        return await self.transact(partial(_load, code, seq))

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:
        """Append events to the first ``seq`` events of a table, which may end its game.

        Raises ``Conflict`` if the table has more: the primary key refuses to overwrite an event.
        """
        rows = event_rows(code, seq, events)

        def work(connection: sqlite3.Connection) -> None:
            if rows:
                try:
                    connection.execute(*insert_events(rows))
                except sqlite3.IntegrityError as error:
                    raise Conflict from error
            if finished:
                connection.execute("UPDATE tables SET finished = 1 WHERE code = ?", (code,))

        await self._do(work, one_statement=not finished)

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._do(
            partial(_fetch, statement, values), reads=statement.startswith("SELECT")
        )

    @property
    def patient(self) -> Rows:
        return _PatientRows(self)

    async def transact(self, work: Callable[[], Steps[T]], erase: bool = False) -> T:
        """Execute several statements as one transaction.

        With ``erase``, checkpoint and truncate the log afterwards.
        """

        def do(connection: sqlite3.Connection) -> T:
            if erase:
                self._eraser.request()
            steps, rows = work(), None
            try:
                while True:
                    statement, *values = steps.send(rows) if rows is not None else next(steps)
                    rows = connection.execute(statement, values).fetchall()
            except StopIteration as ended:
                return cast(T, ended.value)

        done = await self._do(do)
        if erase:
            await self._do(lambda _: None)  # runs after the log was truncated
        return done

    async def ping(self) -> None:
        """Raise ``StoreAway`` unless the file is intact and can be written and synced."""
        if self._checkup is not None and self._checkup.problem:
            raise StoreAway(self._checkup.problem)
        await self._do(self._probe)

    def _probe(self, connection: sqlite3.Connection) -> None:
        """Write a page without changing anything."""
        if shutil.disk_usage(self.file.parent).free < LEAST_FREE:
            raise StoreAway("the disk is full")
        connection.execute(f"PRAGMA user_version = {len(SQLITE_MIGRATIONS)}")

    async def close(self) -> None:
        if self._checkup is not None:
            await asyncio.to_thread(self._checkup.stop)
        self._hand_over_all()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        query = "SELECT coalesce(max(seq) + 1, 0) FROM events WHERE code = ?"
        return {code: (await self.query(query, code))[0][0] for code in codes}

    # --- jobs, handed over to the thread

    async def _do(
        self,
        work: Callable[[sqlite3.Connection], T],
        one_statement: bool = False,
        reads: bool = False,
        patient: bool = False,
    ) -> T:
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future(), one_statement)
        if reads and not self._waiting:  # there is no commit to share
            self._put([job])
            return cast(T, await job.done)
        if patient:
            self._patient.append(job)
            if len(self._patient) == 1:
                loop.call_later(PATIENCE, self._hand_over_all)
            return cast(T, await job.done)
        self._waiting.append(job)
        wait = self._handed_over_at + COMMIT_INTERVAL - time.monotonic()
        if wait <= 0:
            self._hand_over()
        elif len(self._waiting) == 1:
            loop.call_later(wait, self._hand_over)
        return cast(T, await job.done)

    def _hand_over(self) -> None:
        if self._waiting:
            self._handed_over_at = time.monotonic()
            self._hand_over_all()

    def _hand_over_all(self) -> None:
        """Hand over the patient jobs, too; alone they do not count as a commit before the next."""
        batch = self._waiting + self._patient
        if not batch:
            return
        self._waiting, self._patient = [], []
        self._put(batch)

    def _put(self, batch: list[_Job]) -> None:
        self._jobs.put(batch)
        if self._ended:  # no thread takes the batch
            _finish([(job, None, StoreAway("the thread of the store has ended")) for job in batch])

    # --- in the thread

    def _work(self) -> None:
        batch: list[_Job] = []
        try:
            while (jobs := self._jobs.get()) is not None:
                batch = jobs
                while not self._jobs.empty():
                    jobs = self._jobs.get()
                    if jobs is None:
                        self._jobs.put(None)  # ends the thread after this batch
                        break
                    batch += jobs
                self._commit(batch)
                self._checkpoint(len(batch))
        except BaseException as error:  # no job may wait for a thread that has ended
            self._ended = True
            log_exception("store_thread_ended")
            while not self._jobs.empty():
                batch += self._jobs.get() or []
            _finish([(job, None, StoreAway(str(error))) for job in batch])
        finally:
            self._ended = True
            self._log.close()
            self._close_files()
            self._lock.close()

    def _commit(self, batch: list[_Job]) -> None:
        """Execute a batch in one transaction.

        A failed job is undone alone. A failed commit fails all jobs.
        """
        connection = self._connection
        outcomes: list[_Outcome] = []
        try:
            if self._log.failure is not None:
                raise self._log.failure
            if identify(self.file) != self._identity:
                raise sqlite3.OperationalError(
                    f"{self.file} was replaced, changed or removed by another program"
                )
            known = connection.total_changes
            outcomes = _do_all(connection, batch)
            if connection.total_changes != known or any(job.work == self._probe for job in batch):
                self._log.sync()
                if self._refused:
                    self._refused = False
                    log_event("store_back", file=str(self.file))
        except (sqlite3.Error, OSError) as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._note_refusal(error)
            outcomes = [(job, None, StoreAway(str(error))) for job in batch]
        _finish(outcomes)

    def _note_refusal(self, error: Exception) -> None:
        """Log the first of several failed writes, and record a failed sync for good."""
        if getattr(error, "sqlite_errorname", "") in SYNC_FAILURES:
            self._log.fail(error)
        if not self._refused:
            self._refused = True
            log_error("store_refused", file=str(self.file), problem=str(error))

    def _checkpoint(self, jobs: int) -> None:
        """Copy the pages of the log into the file now and then, after the jobs are answered."""
        self._since_checkpoint += jobs
        due = self._log.failure is None and (
            self._eraser.due or self._since_checkpoint >= CHECKPOINT_AFTER
        )
        if due and identify(self.file) == self._identity:
            self._since_checkpoint = 0
            try:
                if self._eraser.due:
                    self._eraser.erase()
                else:
                    self._connection.execute("PRAGMA wal_checkpoint").fetchall()
            except sqlite3.Error as error:
                self._note_refusal(error)
            self._identity = identify(self.file)

    def _close_files(self) -> None:
        """Close the connection, after a failed sync without a checkpoint.

        A checkpoint would copy pages into the file that may not be on the disk. SQLite does not
        checkpoint while another connection is open, and a read-only one cannot.
        """
        with (
            closing(sqlite_files.open_read_only(self.file))
            if self._log.failure is not None
            else nullcontext() as reader
        ):
            if reader is not None:
                reader.execute("SELECT 1 FROM sqlite_schema").fetchone()
            self._connection.close()


@dataclass(frozen=True)
class _PatientRows:
    """The rows of a store for work that no player waits for."""

    store: SqliteStore

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self.store._do(partial(_fetch, statement, values), patient=True)

    async def transact(self, work: Callable[[], Steps[T]], erase: bool = False) -> T:
        return await self.store.transact(work, erase)


def _fetch(
    statement: str, values: Sequence[Any], connection: sqlite3.Connection
) -> list[tuple[Any, ...]]:
    # no cursor may leave the thread: finalizing it in another one disturbs the connection
    return connection.execute(statement, values).fetchall()


def _load(code: str, seq: int) -> Steps[TableRecord | None]:
    found = yield f"SELECT {COLUMNS} FROM tables WHERE code = ?", code
    if not found:
        return None
    seats = yield "SELECT name, level, key FROM seats WHERE code = ? ORDER BY seat", code
    events = yield (
        "SELECT seat, text, at, number FROM events WHERE code = ? AND seq >= ? ORDER BY seq",
        code,
        seq,
    )
    values = dict(zip(COLUMNS.split(", "), found[0], strict=True))
    return TableRecord(
        **values | {"finished": bool(values["finished"])},
        seats=[SeatRecord(*seat) for seat in seats],
        events=[Event(*event) for event in events],
    )


def _do_all(connection: sqlite3.Connection, batch: list[_Job]) -> list[_Outcome]:
    if len(batch) == 1 and batch[0].one_statement:
        try:
            return [(batch[0], batch[0].work(connection), None)]
        except Conflict as error:
            return [(batch[0], None, error)]
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes: list[_Outcome] = [(job, job.work(connection), None) for job in batch]
    except Exception:  # rare: try each job alone
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        outcomes = [_try_alone(connection, job) for job in batch]
    connection.execute("COMMIT")
    return outcomes


def _try_alone(connection: sqlite3.Connection, job: _Job) -> _Outcome:
    """Execute a job so that only this job is undone if it fails."""
    connection.execute("SAVEPOINT job")
    try:
        return job, job.work(connection), None
    except Exception as error:
        connection.execute("ROLLBACK TO job")
        return job, None, error
    finally:
        connection.execute("RELEASE job")
