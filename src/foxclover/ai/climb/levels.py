"""How the thinking computer players of Geht noch was? differ."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """A way to think."""

    heat: float = 0.0  # points by which it misjudges moves, at most
    seconds: float = 0.0  # to think at a table
    tries: int = 0  # instead, where games must be repeatable
    to_win: bool = False  # in the last round winning counts, not points


LEVELS = {
    "easy": Level(heat=10.0),
    "medium": Level(heat=3.0),
    "net": Level(),
    "search": Level(seconds=0.7, tries=120, to_win=True),
    "strong": Level(seconds=0.7, tries=120, to_win=True),
}
