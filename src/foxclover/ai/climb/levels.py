"""How the thinking computer players of Geht noch was? differ."""

from __future__ import annotations

from foxclover.ai.levels import Level

LEVELS = {
    "easy": Level(heat=4.0),
    "medium": Level(heat=2.0),
    "net": Level(),
    "search": Level(seconds=0.7, tries=120, to_win=True),
    "strong": Level(seconds=0.7, tries=120, to_win=True),
}
