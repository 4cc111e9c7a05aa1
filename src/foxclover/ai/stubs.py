"""Interface stubs: what computer players need of a family, bound by name as in ``kernel.stubs``.

A family has these functions and a ``Workspace`` with the fields below, beside its own.
"""

from __future__ import annotations

from foxclover.ai.candidates import Candidates
from foxclover.core.records import Record, ints, one
from foxclover.kernel.stubs import NotLinked, State, Tables

NO_EXACT_WAY = -1


class Workspace(Record):
    """The working memory of one thread."""

    here: State = one(State)  # the position to decide in
    pre_roll_state: State = one(State)  # hides decisions of other players on the same roll
    ahead: State = one(State)  # a position after further moves
    candidates: Candidates = one(Candidates)  # of ``here``
    ahead_candidates: Candidates = one(Candidates)  # of ``ahead``
    rate_all: int  # 1: rate dominated moves, too
    no_cache: int  # 1: ``here`` may be of any game; 0: it continues the game of earlier calls
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    look_rng: list[int] = ints(4)  # for looking ahead


def is_forced(workspace: Workspace) -> bool:
    """Return whether the only move in ``workspace.candidates`` needs no rating.

    It needs one if later decisions use the rating.
    """
    raise NotLinked


def rate(tables: Tables, workspace: Workspace, seat: int) -> int:
    """Rate the moves in ``workspace.candidates`` by expected final points; return the best index.

    They are the legal moves of ``workspace.here``.
    """
    raise NotLinked


def noisy_argmax(ratings: list[float], count: int, noise: float, rng: list[int]) -> int:
    """Return the index of the best rating after noise was added to each."""
    raise NotLinked


def wants_win(tables: Tables, state: State) -> bool:
    """Return whether to play for the win, not for points."""
    raise NotLinked


def choose_to_win(tables: Tables, workspace: Workspace, seat: int, rng: list[int]) -> int:
    """Return the index of the move that wins most often, if that is known without rollouts.

    Otherwise return ``NO_EXACT_WAY``.
    """
    raise NotLinked


def priority(workspace: Workspace, seat: int, index: int, best: int) -> float:
    """Return the rating of a move, or less if it needs no rollouts beside the best-rated one."""
    raise NotLinked


def look_ahead(
    tables: Tables, workspace: Workspace, seat: int, to_win: bool
) -> tuple[float, float]:
    """Play on from ``workspace.ahead``; return the expected points and the share of the win.

    The share is computed only with ``to_win``.
    """
    raise NotLinked


def forget(workspace: Workspace) -> None:
    """Clear all caches: another game starts."""
    raise NotLinked


def write_inputs(
    tables: Tables, workspace: Workspace, state: State, seat: int, inputs: list[float], at: int
) -> None:
    """Write the net inputs of a player from index ``at`` on, in the order of the input names."""
    raise NotLinked
