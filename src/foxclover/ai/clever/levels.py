"""How the thinking computer players of the Clever games differ."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """A way to think."""

    heat: float = 0.0  # points by which it misjudges moves
    seconds: float = 0.0  # to think at a table
    rollouts: int = 0  # instead, where games must be repeatable
    to_win: bool = False  # in the last round winning counts, not points


LEVELS = {
    "easy": Level(heat=9.0),
    "medium": Level(heat=4.5),
    "net": Level(),
    "search": Level(seconds=0.8, rollouts=400, to_win=True),
    "strong": Level(seconds=0.8, rollouts=400, to_win=True),
}
DECISIONS = 5  # of the player in a rollout, before the net tells how it will end
