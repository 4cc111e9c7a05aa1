"""What judging a game asks of its family: stand-ins, bound by name to ``review.FAMILY``, as in ``ai.family``."""

from __future__ import annotations

from foxclover.ai.family import Mind
from foxclover.ai.trials import Trials
from foxclover.kernel.family import NotLinked, State, Tables

MEAN_UNKNOWN = -1e9


def start_rating(mind: Mind, remembers: bool) -> None:
    """Before ratings that follow each other: of earlier ones not even the rounding is left, so that a game is always judged alike."""
    raise NotLinked


def rate_through(tables: Tables, mind: Mind, state: State, seat: int, trials: Trials) -> int:
    """Rate the legal moves of any position, each with the decisions that the player may make at once after it; return the best's index."""
    raise NotLinked


def move_ahead(tables: Tables, mind: Mind, state: State, seat: int, mover: int) -> int:
    """The move that somebody makes while the game is carried on for a player."""
    raise NotLinked


def concerns(tables: Tables, state: State, seat: int) -> bool:
    """Does it matter to a player what chance does now?"""
    raise NotLinked


def is_at_rest(tables: Tables, state: State, seat: int) -> bool:
    """Can a position be rated for a player who is not about to decide?"""
    raise NotLinked


def value_at_rest(tables: Tables, mind: Mind, state: State, seat: int) -> float:
    """Expected final points of a player at rest."""
    raise NotLinked


def known_mean(tables: Tables, mind: Mind, seat: int) -> float:
    """What a player may expect before chance's move in ``mind.here``, where that is solved exactly; else ``MEAN_UNKNOWN``."""
    raise NotLinked


def is_exact(tables: Tables, state: State, seat: int) -> bool:
    """Are the ratings of a player's moves exact, but for what follows the round?"""
    raise NotLinked


def see_end(tables: Tables, mind: Mind, seat: int, seed: int, stream: int) -> tuple[float, float]:
    """Carry the game on from ``mind.ahead`` to where a player's points are certain, or exactly rated; return them and his share of the win.

    The same seed and stream give the same luck, whatever move came before.
    """
    raise NotLinked
