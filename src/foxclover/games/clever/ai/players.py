"""The computer players of the Clever games, as ``ai.families`` asks for them."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from foxclover.ai.clever.inputs import VERSION as INPUTS
from foxclover.ai.clever.inputs import Plan
from foxclover.ai.clever.mind import Mind
from foxclover.ai.clever.network import FIRST, Net
from foxclover.ai.clever.plan import make_plan
from foxclover.ai.families import Judgement, Strength
from foxclover.clever.state import Sheet
from foxclover.game import Game
from foxclover.kernel import Instance

__all__ = ["COARSE", "INPUTS", "JUDGEMENT", "STRENGTHS", "Mind", "equip", "plan_of", "shapes"]

SEARCHING = Strength(seconds=0.5, tries=400, prior=50.0, to_win=True)
STRENGTHS = {
    "easy": Strength(heat=9.0),
    "medium": Strength(heat=4.5),
    "net": Strength(),
    "search": SEARCHING,
    "strong": SEARCHING,
}
JUDGEMENT = Judgement(
    classes=(1.0, 4.0, 8.0),
    tries=80,
    use_of_luck=((0.0, 0.93), (2.2, 0.93), (10.6, 0.21), (15.3, 0.0)),
)
COARSE = ("rows",)


@cache
def plan_of(game: Game) -> Plan:
    """The inputs of a game's net."""
    return make_plan(cast(Sheet, game.book.tables))


def shapes(game: Game) -> dict[str, tuple[int, ...]]:
    """The arrays of the net for a game."""
    return {name: shape.lengths for name, shape in Net.shapes.items()} | {
        "rows": (plan_of(game).rows, FIRST)
    }


def equip(instance: Instance, mind: Any, game: Game) -> None:
    """Tell a mind which inputs the net has."""
    instance.set(mind.plan, plan_of(game))
