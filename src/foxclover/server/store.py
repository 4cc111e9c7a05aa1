"""What a table leaves behind on disk, and the interface that every kind of storage implements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Event:
    """One thing that happened: a move in its notation, or an undo (``text`` is ``None``)."""

    seat: int
    text: str | None
    at: int  # seconds since 1970


@dataclass(frozen=True)
class SeatRecord:
    """A seat: ``level`` is empty for persons, ``key`` is the hash of the token, ``None`` while the seat is open."""

    name: str
    level: str = ""
    key: bytes | None = None

    @property
    def computer(self) -> bool:
        """Whether a computer player sits here."""
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
    rematch: str | None = None
    events: list[Event] = field(default_factory=list)


class Store(Protocol):
    """Keeps tables. What an awaited method has done is on disk; a method that raises has changed nothing."""

    async def create(self, table: TableRecord) -> bool:
        """Keep a new table; ``False`` if its code is in use."""

    async def load(self, code: str) -> TableRecord | None:
        """Return a table with all its events."""

    async def append(self, code: str, seq: int, events: Sequence[Event]) -> None:
        """Put events behind the first ``seq`` ones of a table."""

    async def take_seat(self, code: str, seat: int, name: str, key: bytes) -> bool:
        """Give an open seat to whoever has the token with this hash; ``False`` if it is taken."""

    async def set_pace(self, code: str, pace: int) -> None:
        """Remember how fast computer players move."""

    async def set_rematch(self, code: str, successor: str) -> None:
        """Remember where the next game is played."""

    async def close(self) -> None:
        """Finish what was begun and let go of the files."""
