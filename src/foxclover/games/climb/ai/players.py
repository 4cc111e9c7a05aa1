"""The computer players of Geht noch was?, as ``ai.families`` asks for them."""

from __future__ import annotations

from typing import Any

from foxclover.ai.climb.mind import Mind
from foxclover.ai.climb.network import VERSION as INPUTS
from foxclover.ai.climb.network import Nets
from foxclover.ai.families import Judgement, Strength
from foxclover.game import Game
from foxclover.kernel import Instance

__all__ = ["COARSE", "INPUTS", "JUDGEMENT", "STRENGTHS", "Mind", "equip", "shapes"]

SEARCHING = Strength(seconds=0.7, tries=120, to_win=True)
STRENGTHS = {
    "easy": Strength(heat=4.0),
    "medium": Strength(heat=2.0),
    "net": Strength(),
    "search": SEARCHING,
    "strong": SEARCHING,
}
JUDGEMENT = Judgement(
    classes=(1.0, 1.5, 2.25), tries=40, use_of_luck=((0.0, 0.99), (0.1, 0.95), (3.5, 0.09))
)
COARSE = ()
DRAWS = 16  # of cards, to try plans of purchases with


def shapes(_: Game) -> dict[str, tuple[int, ...]]:
    """The arrays of the nets, which serve every deck."""
    return {name: shape.lengths for name, shape in Nets.shapes.items()}


def equip(_: Instance, mind: Any, __: Game) -> None:
    """Tell a mind how thoroughly to plan."""
    mind.draws = DRAWS
