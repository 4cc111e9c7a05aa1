"""Who sits at a table according to other processes. They say so again and again; what was not said for a while is forgotten."""

from __future__ import annotations

import time

REPEAT = 10.0  # seconds between two announcements of the same
FORGET = 30.0


class Presence:
    """What each process has said last, and when."""

    def __init__(self) -> None:
        self.said: dict[str, tuple[float, frozenset[int], int]] = {}

    def tell(self, process: str, seats: list[int], spectators: int) -> bool:
        """Note what a process says; return whether that is new."""
        before = self._now()
        self.said[process] = (time.monotonic(), frozenset(seats), spectators)
        return self._now() != before

    def knows(self, process: str) -> bool:
        """Whether a process has said lately whom it serves."""
        return self.anybody() and process in self.said

    def anybody(self) -> bool:
        """Whether any other process wants to hear what happens."""
        self._now()
        return bool(self.said)

    def seats(self) -> set[int]:
        """Seats somebody elsewhere is connected for."""
        return self._now()[0]

    def spectators(self) -> int:
        """How many watch elsewhere."""
        return self._now()[1]

    def _now(self) -> tuple[set[int], int]:
        if not self.said:
            return set(), 0
        oldest = time.monotonic() - FORGET
        self.said = {process: said for process, said in self.said.items() if said[0] > oldest}
        return {seat for _, seats, _ in self.said.values() for seat in seats}, sum(
            count for _, _, count in self.said.values()
        )
