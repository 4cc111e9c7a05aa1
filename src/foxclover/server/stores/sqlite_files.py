"""The files of a SQLite store: open, sync, check and erase them."""

from __future__ import annotations

import os
import queue
import sqlite3
import threading
import time
from collections import deque
from contextlib import closing, suppress
from pathlib import Path

from foxclover.server.errors import StartError
from foxclover.server.logs import log_error
from foxclover.server.stores.sql import SQLITE_MIGRATIONS

FILE = "foxclover.sqlite"
LOG = f"{FILE}-wal"  # SQLite's write-ahead log
LOCK = "foxclover.lock"
CHECKED_AT_START = 16_000_000  # bytes; larger files are checked while the server runs
SOUND = "ok"

SYNC_TIMEOUT = 0.016  # seconds to wait for the disk while it is not far behind
FARTHEST_BEHIND = 1.0  # seconds; after these every commit waits for the disk
SLOW = 1.0  # seconds; a slower sync is logged

ERASE_MARKER = ".erase"  # suffix of a file that exists while deleted rows are to be erased
SMALL = 16_000_000  # bytes; larger files are rewritten at the next start only
REWRITE_INTERVAL = 60.0  # seconds

_sync_data = getattr(os, "fdatasync", os.fsync)


# --- opening


def open_files(directory: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Open the lock that keeps other servers away, and the database in the newest format.

    Raises ``StartError`` if one of them cannot be used.
    """
    file = directory / FILE
    try:
        if not directory.exists():
            directory.mkdir(parents=True, mode=0o700)
        expect_no_lost_log(directory)
        for name in (FILE, LOCK):
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
        key = "damaged"
        if isinstance(error, sqlite3.OperationalError):
            key = "in_use" if "locked" in str(error) else "unreadable"
        raise StartError(f"server.problem.{key}", file=file, problem=error) from error
    return lock, connection


def _prepare(connection: sqlite3.Connection, size: int) -> None:
    """Configure a connection and migrate the database to the newest format."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # the store syncs its commits itself
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # the store checkpoints when it is idle
    connection.execute("PRAGMA secure_delete = ON")  # overwrites deleted rows
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    newest = len(SQLITE_MIGRATIONS)
    if found > newest:
        raise sqlite3.DatabaseError(f"format {found} is newer than {newest}")
    if size <= CHECKED_AT_START and (problem := quick_check(connection)) != SOUND:
        raise sqlite3.DatabaseError(problem)
    if found < newest:
        steps = "".join(SQLITE_MIGRATIONS[found:])
        connection.executescript(f"BEGIN; {steps} PRAGMA user_version = {newest}; COMMIT;")


def expect_no_lost_log(directory: Path) -> None:
    """Raise ``StartError`` if there is a log without a database.

    SQLite would delete the log, and acknowledged moves with it.
    """

    def size(file: Path) -> int:
        return file.stat().st_size if file.exists() else 0

    if size(directory / LOG) and not size(directory / FILE):
        raise StartError("server.problem.lost", file=directory / FILE, log=directory / LOG)


def identify(file: Path) -> tuple[int, int, int] | None:
    """Return values that change when another program replaces, changes or removes a file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


# --- syncing


class Syncer:
    """Syncs one file in a thread, for one thread that writes to it.

    A failed sync is final, as in PostgreSQL: the system may have dropped the pages that it could
    not write and report the next sync as a success.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.failure: Exception | None = None
        self._handle = os.open(file, os.O_RDWR)
        self._requested = 0
        self._pending = deque[tuple[int, float]]()  # number and time of requests not yet synced
        self._wanted: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._reached: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="sync", daemon=True)
        self._thread.start()

    def sync(self) -> None:
        """Wait until everything written is on the disk, at most ``SYNC_TIMEOUT``.

        Wait without a limit while the disk is far behind. Raises ``OSError`` after a failed sync.
        """
        now = time.monotonic()
        self._requested += 1
        self._pending.append((self._requested, now))
        self._wanted.put(self._requested)
        until = now + SYNC_TIMEOUT if now - self._pending[0][1] < FARTHEST_BEHIND else None
        with suppress(queue.Empty):
            while self._pending:
                reached = self._reached.get(
                    timeout=None if until is None else max(0.0, until - time.monotonic())
                )
                while self._pending and self._pending[0][0] <= reached:
                    self._pending.popleft()
        if self.failure is not None:
            raise self.failure

    def fail(self, error: Exception) -> None:
        """Record the first failed sync, for good."""
        if self.failure is None:
            self.failure = error
            log_error("sync_failed", file=str(self.file), problem=str(error))

    def close(self) -> None:
        """Finish the requested syncs and close the file."""
        self._wanted.put(None)
        self._thread.join()
        os.close(self._handle)

    def _work(self) -> None:
        last = False
        while not last and (wanted := self._wanted.get()) is not None:
            while not (last or self._wanted.empty()):
                later = self._wanted.get()
                wanted, last = (wanted, True) if later is None else (later, False)
            began = time.monotonic()
            try:
                _sync_data(self._handle)
            except OSError as error:
                self.fail(error)
            self._reached.put(wanted)
            if (took := time.monotonic() - began) > SLOW:
                log_error("disk_slow", file=str(self.file), seconds=round(took, 1))


# --- checking


class Checkup:
    """Checks a whole file in a thread, while tables that are intact can be played on."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problem = ""
        self._connection = open_read_only(file)
        self._thread = threading.Thread(target=self._check, name="checkup", daemon=True)
        self._thread.start()

    def _check(self) -> None:
        with closing(self._connection) as connection:
            try:
                problem = quick_check(connection)
            except sqlite3.OperationalError:  # interrupted, or the store notices it as well
                return
            except sqlite3.DatabaseError as error:
                problem = str(error)
        if problem != SOUND:
            self.problem = problem
            log_error("database_damaged", file=str(self.file), problem=problem)

    def stop(self) -> None:
        """Interrupt the check."""
        with suppress(sqlite3.ProgrammingError):  # the check is done
            self._connection.interrupt()
        self._thread.join()


def open_read_only(file: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing, not even when it is closed."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)


def quick_check(connection: sqlite3.Connection) -> str:
    """Return the first problem of a file, or ``SOUND``."""
    (problem,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return str(problem)


# --- erasing


class Eraser:
    """Overwrites deleted rows, in the thread that uses the connection.

    SQLite zeroes deleted rows (``secure_delete``), but copies of them may remain in the log and
    in pages that were split. The log is emptied at once. A small file is rewritten at once, a
    large one at the next start because all players would have to wait.
    """

    def __init__(self, connection: sqlite3.Connection, file: Path) -> None:
        self.connection = connection
        self.file = file
        self.marker = file.with_suffix(ERASE_MARKER)
        self.requested = self.marker.exists()
        self._in_log = False
        self._next = 0.0
        if self.requested:
            with suppress(sqlite3.Error):  # on a full disk the marker stays
                self._rewrite()

    def request(self) -> None:
        """Erase the rows that the next commit deletes, even if the server ends right after it."""
        self.marker.touch(mode=0o600)
        self.requested = self._in_log = True

    @property
    def due(self) -> bool:
        """Whether ``erase`` has something to do now."""
        return self.requested and (self._in_log or time.monotonic() >= self._next)

    def erase(self) -> None:
        """Erase as much as no player has to wait for; raises ``sqlite3.Error``."""
        self._in_log = False
        if self.file.stat().st_size > SMALL:
            self._next = float("inf")
            self._empty_log()
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + REWRITE_INTERVAL
            self._rewrite()
        else:
            self._empty_log()

    def _rewrite(self) -> None:
        self.connection.execute("VACUUM")
        if self._empty_log():
            self.requested = False
            self.marker.unlink(missing_ok=True)

    def _empty_log(self) -> bool:
        """Checkpoint and truncate the log; return ``False`` if another connection still reads."""
        (timeout,) = self.connection.execute("PRAGMA busy_timeout").fetchone()
        self.connection.execute("PRAGMA busy_timeout = 0")
        (busy, _, _) = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self.connection.execute(f"PRAGMA busy_timeout = {timeout}")
        return not busy
