"""Short cuts for tests of Ganz schön clever."""

from __future__ import annotations

from clever_table import CleverTable

ALL_YELLOW = "y3a y6a y5a y2b y1b y5b y1c y2c y4c y3d y4d y6d"
ALL_BLUE = "b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12"
ALL_GREEN = "gx " * 11
ALL_ORANGE = "o1 " * 11
ALL_PURPLE = "p6 " * 11
EVERYTHING = f"{ALL_YELLOW} {ALL_BLUE} {ALL_GREEN}{ALL_ORANGE}{ALL_PURPLE}"
P6_ALONE = "y1b1g1o1p6w1"  # taking the 6 sends all other dice to the platter


def ganz(players: int = 1) -> CleverTable:
    return CleverTable("ganz", players)
