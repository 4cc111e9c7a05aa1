"""The time of day, confirmed by a monotonic clock.

A wrong system clock must not reveal the dice of a daily challenge before its day is over.
The confirmed time continues from the last known one, in this process or the one before it.
It jumps to the system clock only after that one ran evenly for a day, and is never ahead of it.
"""

from __future__ import annotations

import sys
import time

DAY = 86_400
JUMP = 60.0  # seconds of difference after which the system clock counts as changed


def elapsed() -> float:
    """Return the seconds of a monotonic clock, on Linux one that includes suspended time."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class ConfirmedTime:
    """The confirmed time of a process."""

    def __init__(self) -> None:
        self._wall, self._at = time.time(), elapsed()
        self._since = self._at  # start of the system clock's even run
        self._confirmed = self._wall

    def go_on_from(self, known: float) -> None:
        """Continue from the time that an earlier process confirmed."""
        self._confirmed = min(self.now(), known)

    def now(self) -> float:
        """Return the confirmed time, in seconds since 1970."""
        wall, at = time.time(), elapsed()
        passed = max(0.0, at - self._at)
        if abs(wall - self._wall - passed) > JUMP:
            self._since = at
        even = at - self._since >= DAY
        self._confirmed = wall if even else min(wall, self._confirmed + passed)
        self._wall, self._at = wall, at
        return self._confirmed


CLOCK = ConfirmedTime()
"""The clock of this process."""
