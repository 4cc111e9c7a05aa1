"""The computer players of Geht noch was?, as ``ai.families`` declares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, log
from typing import TYPE_CHECKING, Any

from foxclover.ai.families import NetGraph, Node, PuzzleSettings, ReviewSettings, Strength
from foxclover.core.contract import Feature
from foxclover.core.game import Game
from foxclover.games.climb.ai.workspace import (
    KNOWN_LUCK,
    KNOWN_PLAYERS,
    LEAST_MISS,
    SCALE,
    Nets,
    Workspace,
)
from foxclover.games.climb.ai.workspace import VERSION as INPUTS
from foxclover.games.climb.definitions import COLOUR_NAMES
from foxclover.games.climb.rules.state import CARDS, COPIES, FOURFOLD, LEVELS, SLOTS
from foxclover.kernel import Instance

if TYPE_CHECKING:
    from foxclover.ai.nets import Net

__all__ = [
    "COARSE",
    "INPUTS",
    "PUZZLES",
    "REVIEW",
    "STEPS",
    "STRENGTHS",
    "Workspace",
    "equip",
    "graph",
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
PUZZLES = PuzzleSettings(margin=2.0, span=6.0, tries=120, games=480)
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


GRAPH = (
    Node("Gather", ("rows", "kind"), "rows of the kind"),
    Node("Unsqueeze", ("inputs", "middle"), "row"),
    Node("MatMul", ("row", "rows of the kind"), "sums"),
    Node("Relu", ("sums",), "hidden"),
    Node("Gather", ("out", "kind"), "weights of the kind"),
    Node("MatMul", ("hidden", "weights of the kind"), "cube"),
    Node("Squeeze", ("cube", "last"), "weighted"),
    Node("Gather", ("bias", "kind"), "bias of the kind"),
    Node("Add", ("weighted", "bias of the kind"), "output"),
    Node("Mul", ("output", "unit"), "points"),
)
RATES = (
    "The points that a player may expect beyond those on the table, of which each luck marker is "
    "one. `log` inputs of a level contain how its cards overlap where cards are built."
)
UNITS = (
    "Cards are counted. A chance is a number from 0 to 1, a logarithm is natural, and the other "
    "inputs are 0 or 1."
)
LEARNT = (
    "Regression with Adam on self-play. The targets are values of the exact solver of a round, "
    "so that dice add no noise."
)
KINDS = (
    "`kind` chooses one of 18 nets: 9 if the solo rules count, plus the number of rounds left "
    "(0 to 4, more count as 4) before rolling, or 4 plus that number (1 to 4) after pushing."
)


def graph(_: Game, net: Net) -> NetGraph:
    """Return the nets as operations of ONNX, with the number of the net as a second input."""
    import numpy as np

    arrays = {
        "rows": net["rows"],
        "out": net["out"][:, :, None],
        "bias": net["bias"],
        "unit": np.array([SCALE], np.float32),
        "middle": np.array([1]),
        "last": np.array([1, 2]),
    }
    return NetGraph(arrays, GRAPH, RATES, UNITS, LEARNT, "docs/training-climb.md", KINDS)
