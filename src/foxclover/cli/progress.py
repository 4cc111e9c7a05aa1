"""A progress bar for long work: on standard error, and only when a person is watching."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

WIDTH = 30
PAUSE = 0.1  # seconds between two drawings


class Progress:
    """``with Progress(games) as bar: ... bar.advance(100)``; ``note`` stands behind the bar."""

    def __init__(self, total: int, label: str = "") -> None:
        self.total = max(total, 1)
        self.label = label
        self.done = 0.0
        self.note = ""
        self.shown = sys.stderr.isatty()
        self.started = time.monotonic()
        self.drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def advance(self, steps: float, note: str = "") -> None:
        """Tell that ``steps`` more of the total are done."""
        self.done += steps
        self.note = note or self.note
        now = time.monotonic()
        if self.shown and (now - self.drawn >= PAUSE or self.done >= self.total):
            self.drawn = now
            print(f"\r\x1b[K{self.line(now)}", end="", file=sys.stderr, flush=True)

    def line(self, now: float) -> str:
        """The bar as text."""
        share = min(self.done / self.total, 1.0)
        full = round(share * WIDTH)
        left = (now - self.started) * (1 - share) / share if share else 0.0
        return f"{self.label} {'█' * full}{'░' * (WIDTH - full)} {share:4.0%} {left:4.0f} s {self.note}".strip()
