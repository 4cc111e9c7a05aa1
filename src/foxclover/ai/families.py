"""What a family's package of computer players tells Python; what it gives the kernel stands in ``family``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from foxclover.ai.playing import WITH_NET
from foxclover.ai.simple import POLICIES
from foxclover.game import Game
from foxclover.kernel import Instance
from foxclover.records import Record


class Strength(NamedTuple):
    """How a computer player thinks."""

    heat: float = 0.0  # points by which it misjudges moves
    seconds: float = 0.0  # to try moves out at a table
    tries: int = 0  # of moves, instead, where games must be repeatable
    prior: float = 0.0  # tries that a move's rating counts for
    to_win: bool = False  # in the last round winning counts, not points


class Judgement(NamedTuple):
    """How decisions are judged after a game."""

    classes: tuple[
        float, float, float
    ]  # points lost from which on a decision is an inaccuracy, a mistake, a blunder
    tries: int  # of moves that seem to lose something
    use_of_luck: tuple[
        tuple[float, float], ...
    ]  # points lost a decision -> share of a point of luck that becomes a point of the score


class Family(Protocol):
    """The module ``players`` of a family's package."""

    STRENGTHS: Mapping[str, Strength]  # by name of the player
    JUDGEMENT: Judgement
    INPUTS: int  # version of what its net sees
    COARSE: tuple[str, ...]  # arrays of its net that are written as bytes
    Mind: type[Record]  # its field ``net`` is a record with a field for each array of the net

    def shapes(self, game: Game) -> dict[str, tuple[int, ...]]:
        """The arrays of the net for a game."""

    def equip(self, instance: Instance, mind: Any, game: Game) -> None:
        """Fill in what a mind needs beside the net."""


def seat_players(game: Game, names: Sequence[str], policies: Any, habits: Any) -> None:
    """Tell the kernel how the computer players on the seats choose."""
    strengths = family_of(game).STRENGTHS
    for seat, name in enumerate(names):
        policies[seat] = POLICIES.get(name, WITH_NET)
        strength, habit = strengths.get(name, Strength()), habits[seat]
        habit.heat, habit.tries, habit.prior, habit.to_win = (
            strength.heat,
            strength.tries,
            strength.prior,
            int(strength.to_win),
        )


def family_of(game: Game) -> Family:
    """The family that a game belongs to."""
    return cast(Family, import_module(f"foxclover.ai.{game.family}.players"))
