"""Records of tables, and the interface that every kind of storage implements."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from foxclover.dice.daily import WORD

T = TypeVar("T")
COMMIT_INTERVAL = 0.016  # seconds at least between commits, so that busy tables share one


class Event(NamedTuple):
    """A move with its notation and number, an undo (``text`` is ``None``), or a roller's salt."""

    seat: int
    text: str | None
    at: int  # seconds since 1970
    number: int | None = None  # saves parsing the text; None in old files


@dataclass(frozen=True)
class SeatRecord:
    """A seat.

    ``strength`` is empty for a person. ``key`` is the hash of the seat's token, ``None`` while the
    seat is open. A seat with both is a person's, played by a computer player meanwhile.
    """

    name: str
    strength: str = ""
    key: bytes | None = None

    @property
    def computer(self) -> bool:
        """Whether a computer player plays here."""
        return self.strength != ""

    @property
    def open(self) -> bool:
        """Whether the seat waits for a friend."""
        return not self.computer and self.key is None


POSITION = "position"  # begins the origin of a table whose game starts from a position


@dataclass(frozen=True)
class TableRecord:
    """A table as it is stored; its position is ``events`` replayed."""

    code: str
    game: str
    variant: int
    seed: int | None
    pace: int
    created: int
    seats: Sequence[SeatRecord]
    invitation: str  # the secret of the link that opens seats
    rematch: str | None = None
    finished: bool = False
    seal: bytes | None = None  # the root of all secrets of fair dice, or the key of a day
    dice: str = ""  # "sealed 2", "typed" (real dice), "daily <day>", "" for plain random dice
    host: bytes | None = None  # hash of a token of the table's creator
    origin: str = ""  # "transcript", or "position <text>" where the game starts; "" for new games
    script: str = ""  # rolls that are repeated where they fit
    days: int = 0  # that a person may take for a turn; 0: no limit
    events: Sequence[Event] = field(default_factory=list)

    @property
    def day(self) -> str:
        """The day of the daily challenge played here, "" at other tables."""
        kind, _, day = self.dice.partition(" ")
        return day if kind == WORD else ""

    @property
    def start(self) -> str:
        """The position that the game starts from, as text; "" for the usual one."""
        kind, _, text = self.origin.partition(" ")
        return text if kind == POSITION else ""


class Conflict(Exception):
    """Another process has appended first; nothing was written."""


class StoreAway(Exception):
    """The store cannot be reached or written; the request may or may not have been executed."""


Steps = Generator[tuple[Any, ...], list[tuple[Any, ...]], T]
"""Yield statements with their values, receive the rows of each, return a result."""


class Rows(Protocol):
    """The part of a store that executes SQL."""

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute a statement of the common dialect with ``?`` for its values; return its rows."""

    async def transact(self, work: Callable[[], Steps[T]], erase: bool = False) -> T:
        """Execute several statements as one serializable transaction, retried on conflicts.

        With ``erase``, overwrite deleted rows in the files of the store as far as it can.
        """


class Store(Rows, Protocol):
    """Stores tables.

    The effect of an awaited method survives the end of the process. A method that raises
    ``Conflict`` has changed nothing. Several processes use a ``shared`` store at once and
    announce their changes to each other. For other stores the defaults here do nothing.
    """

    shared: bool
    keeps_people: bool  # not only tables

    @property
    def patient(self) -> Rows:
        """The rows for work that no player waits for: it joins commits of others if it can."""
        return self

    async def create(self, table: TableRecord) -> bool:
        """Store a new table with its events; return ``False`` if its code is in use."""

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        """Return a table with its events from ``seq`` on."""

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:
        """Append events to the first ``seq`` events of a table, which may end its game.

        Raises ``Conflict`` if the table has more.
        """

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        """Replace the record of a seat; return ``False`` if it is not ``before`` any more."""

    async def set_pace(self, code: str, pace: int) -> None:
        """Store the pace of the computer players."""

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        """Store the table of the next game unless there is one.

        Return the code of the next table, or ``None`` if the code of ``successor`` is in use.
        """

    async def review(self, code: str) -> str | None:
        """Return the stored review of a table."""

    async def keep_review(self, code: str, text: str) -> None:
        """Store the review of a table."""

    def codes(self) -> AsyncIterator[str]:
        """Iterate over the codes of all tables."""

    async def untouched(self, since: int) -> list[str]:
        """Return the codes of unfinished tables without an event since a time."""

    async def remove(self, code: str) -> None:
        """Delete a table."""

    async def ping(self) -> None:
        """Raise ``StoreAway`` unless the store works."""

    async def close(self) -> None:
        """Finish the waiting requests and close the store."""

    # --- several processes

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        """Return the number of events of each table."""

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
    ) -> None:
        """Pass on the announcements of other processes from now on.

        Report when the connection to the store is lost, and when it is back.
        """
        return

    def announce(self, text: str) -> None:
        """Announce something to the other processes, soon."""
        return

    async def hold(self, code: str) -> bool:
        """Return whether this process may drive a table's computer players, until ``release``."""
        return True

    async def release(self, code: str) -> None:
        """Allow other processes to drive them."""
        return
