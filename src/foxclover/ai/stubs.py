"""What thinking that serves every family of games may use of it: stand-ins, bound by name to one family's own, as in ``kernel.family``.

A family's package of computer players has its own ``Mind``, with the fields below beside what else it thinks with, and these functions.
"""

from __future__ import annotations

from foxclover.ai.trials import Trials
from foxclover.kernel.family import NotLinked, State, Tables
from foxclover.records import Record, ints, one

ROLL_DUE = 1  # of ``chance_pending``: the dice are to be rolled
NO_EXACT_WAY = -1


class Mind(Record):
    """What one thread thinks with."""

    here: State = one(State)  # the position thought about
    known: State = one(
        State
    )  # the table as it was when the dice last fell: nobody looks at decisions of the same roll
    ahead: State = one(State)  # a position that a move is carried on to
    trials: Trials = one(Trials)  # of ``here``
    ahead_trials: Trials = one(Trials)  # of ``ahead``
    every: int  # 1: moves that others plainly beat are rated too
    fresh: int  # 1: ``here`` comes from anywhere, so that nothing found out before counts; 0: from the game played on
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    look_rng: list[int] = ints(4)  # for looking ahead


def is_forced(mind: Mind) -> bool:
    """May the only move in ``mind.trials`` be made without rating it? Not where a rating is also remembered for later decisions."""
    raise NotLinked


def rate(tables: Tables, mind: Mind, seat: int) -> int:
    """Rate the legal moves in ``mind.trials``, those of ``mind.here``, by expected final points; return the index of the best."""
    raise NotLinked


def misjudge(ratings: list[float], count: int, heat: float, rng: list[int]) -> int:
    """The index of the best rating after each was mistaken by some points, as people do."""
    raise NotLinked


def wants_win(tables: Tables, state: State) -> bool:
    """Is it time to play for the win, not for points?"""
    raise NotLinked


def choose_to_win(tables: Tables, mind: Mind, seat: int, rng: list[int]) -> int:
    """The index of the move that wins most often, where that can be told without trying moves out; else ``NO_EXACT_WAY``."""
    raise NotLinked


def standing(mind: Mind, seat: int, index: int, best: int) -> float:
    """The rating of a move, or less if it need not be tried beside the best-rated one."""
    raise NotLinked


def look_ahead(tables: Tables, mind: Mind, seat: int, to_win: bool) -> tuple[float, float]:
    """Carry the game on from ``mind.ahead``; return the points a player may expect, and his share of the win if that was asked for."""
    raise NotLinked


def forget(mind: Mind) -> None:
    """Another game begins: nothing found out before counts."""
    raise NotLinked


def write_inputs(
    tables: Tables, mind: Mind, state: State, seat: int, inputs: list[float], at: int
) -> None:
    """Write what the nets see of a player, from index ``at`` on, in the order in which the family names its inputs."""
    raise NotLinked
