"""What a table leaves behind on disk, and the interface that every kind of storage implements."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from foxclover.daily import WORD

GATHERING = 0.016  # seconds at least from one commit of moves to the next: on a busy server several share its price


class Event(NamedTuple):
    """One thing that happened: a move in its notation and by its number, an undo (``text`` is ``None``), or a salt (``salt ...``)."""

    seat: int
    text: str | None
    at: int  # seconds since 1970
    number: int | None = None  # spares reading the text; None where it is not known


@dataclass(frozen=True)
class SeatRecord:
    """A seat: ``level`` is empty for persons, ``key`` is the hash of the token, ``None`` while the seat is open.

    With both, a computer player stands in for the person who has the token.
    """

    name: str
    level: str = ""
    key: bytes | None = None

    @property
    def computer(self) -> bool:
        """Whether a computer player plays here."""
        return self.level != ""

    @property
    def open(self) -> bool:
        """Whether the seat waits for a friend."""
        return not self.computer and self.key is None


@dataclass(frozen=True)
class TableRecord:
    """A table as it is stored; its position is ``events`` replayed."""

    code: str
    game: str
    variant: int
    seed: int | None
    pace: int
    created: int
    seats: list[SeatRecord]
    invitation: str  # the secret that lets friends sit down
    rematch: str | None = None
    finished: bool = False
    seal: bytes | None = (
        None  # the end of the chain of sealed dice: whoever knows it knows every roll to come
    )
    dice: str = ""  # "typed": people roll their own and type in what they show; "daily <day>": those of a day, whose key is ``seal``
    host: bytes | None = None  # hash of a token of whoever made the table
    origin: str = ""  # the table or the text from which the game was taken over
    script: str = ""  # rolls that fall again where they fit
    events: list[Event] = field(default_factory=list)

    @property
    def day(self) -> str:
        """The day of the daily challenge that is played here, "" at any other table."""
        kind, _, day = self.dice.partition(" ")
        return day if kind == WORD else ""


class Conflict(Exception):
    """Another process has put something at this place first; nothing was written."""


class StoreAway(Exception):
    """The store cannot be reached or written to. What was asked for may or may not have been done."""


class Rows(Protocol):
    """A store as far as it is asked in its own language."""

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Do a statement that every kind of storage understands, with ``?`` for its values; return its rows."""


class Store(Rows, Protocol):
    """Keeps tables. What an awaited method has done outlives the process; a method that raises ``Conflict`` has changed nothing.

    Where ``shared``, several processes use the store at once, and tell each other what they do.
    """

    shared: bool

    async def create(self, table: TableRecord) -> bool:
        """Keep a new table, with the events it may bring; ``False`` if its code is in use."""

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        """Return a table with its events from ``seq`` on."""

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:
        """Put events behind the first ``seq`` ones of a table, which may end its game; raises ``Conflict`` if there are more."""

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        """Let somebody else sit in a seat; ``False`` if who sits there is no longer who was thought to."""

    async def set_pace(self, code: str, pace: int) -> None:
        """Remember how fast computer players move."""

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        """Keep the table of the next game unless there is one; return the code of the one there is, ``None`` if its code is in use."""

    async def review(self, code: str) -> str | None:
        """Return the review of a table, if one was kept."""

    async def keep_review(self, code: str, text: str) -> None:
        """Keep the review of a table."""

    def codes(self) -> AsyncIterator[str]:
        """Go through all tables."""

    async def untouched(self, since: int) -> list[str]:
        """Return unfinished tables at which nothing has happened since a time."""

    async def remove(self, code: str) -> None:
        """Forget a table."""

    async def ping(self) -> None:
        """See whether the store still works; raises ``StoreAway`` if not."""

    async def close(self) -> None:
        """Finish what was begun and let go of the files."""

    # --- several processes ------------------------------------------------------------------------------------------------

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        """Return how many events each of these tables has."""

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
    ) -> None:
        """From now on hand over what other processes announce; say so when the store is lost, and back."""

    def announce(self, text: str) -> None:
        """Tell the other processes something, soon."""

    async def hold(self, code: str) -> bool:
        """Whether the computer players of a table are this process's to drive, until ``release``."""

    async def release(self, code: str) -> None:
        """Let another process drive them."""
