"""Interface stubs: what a review needs of a family of games.

They are bound by name to the functions of ``games.FAMILY.review``, as in ``kernel.stubs``.
"""

from __future__ import annotations

from foxclover.ai.candidates import Candidates
from foxclover.ai.stubs import Workspace
from foxclover.kernel.stubs import NotLinked, State, Tables

MEAN_UNKNOWN = -1e9


def start_rating(workspace: Workspace, remembers: bool) -> None:
    """Prepare for a series of ratings, without any trace of earlier ones.

    So the same game always gets the same review.
    """
    raise NotLinked


def rate_through(
    tables: Tables, workspace: Workspace, state: State, seat: int, candidates: Candidates
) -> int:
    """Rate the legal moves of any position; return the index of the best.

    A rating includes the decisions that the player may make right after the move.
    """
    raise NotLinked


def move_ahead(tables: Tables, workspace: Workspace, state: State, seat: int, mover: int) -> int:
    """Return the move of ``mover`` while the game is played on for ``seat``."""
    raise NotLinked


def concerns(tables: Tables, state: State, seat: int) -> bool:
    """Return whether the chance move due matters to a seat."""
    raise NotLinked


def is_at_rest(tables: Tables, state: State, seat: int) -> bool:
    """Return whether a position can be rated for a seat that is not to decide."""
    raise NotLinked


def value_at_rest(tables: Tables, workspace: Workspace, state: State, seat: int) -> float:
    """Return the expected final points of a seat at rest."""
    raise NotLinked


def known_mean(tables: Tables, workspace: Workspace, seat: int) -> float:
    """Return the exact expected points of a seat before the chance move in ``workspace.here``.

    Return ``MEAN_UNKNOWN`` where there is no exact solution.
    """
    raise NotLinked


def is_exact(tables: Tables, state: State, seat: int) -> bool:
    """Return whether the ratings of a seat's moves are exact up to the end of the round."""
    raise NotLinked


def see_end(
    tables: Tables, workspace: Workspace, seat: int, seed: int, stream: int
) -> tuple[float, float]:
    """Play on from ``workspace.ahead`` until a seat's points are certain or rated exactly.

    Return the points and the share of the win. The same seed and stream give the same dice
    after any move.
    """
    raise NotLinked
