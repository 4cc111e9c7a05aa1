"""The computer players of Geht noch was?, as ``ai.families`` declares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, log
from typing import Any

from foxclover.ai.families import PuzzleSettings, ReviewSettings, Strength
from foxclover.core.contract import Feature
from foxclover.core.game import Game
from foxclover.games.climb.ai.workspace import (
    KNOWN_LUCK,
    KNOWN_PLAYERS,
    LEAST_MISS,
    Nets,
    Workspace,
)
from foxclover.games.climb.ai.workspace import VERSION as INPUTS
from foxclover.games.climb.definitions import COLOUR_NAMES
from foxclover.games.climb.rules.state import CARDS, COPIES, FOURFOLD, LEVELS, SLOTS
from foxclover.kernel import Instance

__all__ = [
    "COARSE",
    "INPUTS",
    "PUZZLES",
    "REVIEW",
    "STEPS",
    "STRENGTHS",
    "Workspace",
    "equip",
    "name_inputs",
    "shapes",
]

SEARCHING = Strength(seconds=0.7, tries=120, to_win=True)
STRENGTHS = {
    "easy": Strength(noise=4.0),
    "medium": Strength(noise=2.0),
    "net": Strength(),
    "search": SEARCHING,
    "strong": SEARCHING,
}
REVIEW = ReviewSettings(
    classes=(1.0, 1.5, 2.25),
    tries=40,
    dice_luck_used=((0.0, 0.99), (0.1, 0.95), (3.5, 0.09)),
    shared_rolls=True,
)
PUZZLES = PuzzleSettings(margin=2.0, span=6.0, tries=240)
COARSE = ()
STEPS: Mapping[str, float] = {}
DRAWS = 16  # of cards, to try plans of purchases with


def shapes(_: Game) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the nets' arrays, which are the same for every deck."""
    return {name: shape.lengths for name, shape in Nets.shapes.items()}


def equip(_: Instance, workspace: Any, __: Game) -> None:
    """Set how many draws plans of purchases are tried with."""
    workspace.draws = DRAWS


def name_inputs(_: Game) -> Iterator[Feature]:
    """Name the inputs of the nets, in their order."""
    cells = [f"level {level + 1} {colour}" for level in range(LEVELS) for colour in COLOUR_NAMES]
    for cell in cells:
        yield Feature(f"{cell} cards", 0, SLOTS)
    for cell in cells:
        yield Feature(f"{cell} sum of chances", 0, SLOTS)
    for level in range(LEVELS):
        yield Feature(
            f"level {level + 1} logarithm of the chance of a miss",
            floor(2 * SLOTS * log(LEAST_MISS)),
            0,
        )
    for cell in cells:
        yield Feature(f"{cell} scored", 0, FOURFOLD * COPIES * CARDS)
    for luck in range(KNOWN_LUCK + 1):
        yield Feature(f"luck is {luck}" + (" or more" if luck == KNOWN_LUCK else ""), 0, 1)
    for players in range(1, KNOWN_PLAYERS + 1):
        yield Feature(
            f"players are {players}" + (" or more" if players == KNOWN_PLAYERS else ""), 0, 1
        )
    yield Feature("always 1", 0, 1)
