"""Short cuts for tests of Doppelt so clever."""

from __future__ import annotations

from clever_table import CleverTable

ALL_SILVER = " ".join(f"s{number}{row}" for row in "ybgp" for number in range(1, 7))
CIRCLES = "y3a y6a y1b y2b y4c y3c y2d y5d y5e y4e"
ALL_YELLOW = f"{CIRCLES} {CIRCLES}"  # circled first, crossed then
ALL_BLUE = "b2 " * 12
ALL_GREEN = "g1 " * 12
ALL_PINK = "p1 " * 12
EVERYTHING = f"{ALL_SILVER} {ALL_YELLOW} {ALL_BLUE}{ALL_GREEN}{ALL_PINK}"
P6_ALONE = "s1y1b1g1p6w1"  # taking the 6 sends all other dice to the platter


def doppelt(players: int = 1) -> CleverTable:
    return CleverTable("doppelt", players)


def silver(*faces: int) -> set[str]:
    """The entries of silver for these numbers, in all rows."""
    return {f"s{face}{row}" for face in faces for row in "ybgp"}
