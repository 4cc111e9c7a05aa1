"""How the thinking computer players of the Clever games differ."""

from __future__ import annotations

from foxclover.ai.levels import Level

LEVELS = {
    "easy": Level(heat=9.0),
    "medium": Level(heat=4.5),
    "net": Level(),
    "search": Level(seconds=0.5, tries=400, to_win=True),
    "strong": Level(seconds=0.5, tries=400, to_win=True),
}
