"""Environments for reinforcement learning (docs/research.md).

Importing this package registers the games with Gymnasium:
``gymnasium.make("foxclover/ganz-schoen-clever-v0")``, and ``make_vec`` with the same names.
``aec(game, players)`` is for PettingZoo, ``openspiel_game(game, players)`` for OpenSpiel. Install
the libraries with ``pip install 'foxclover[envs]'``. The deck of Geht noch was? is a reconstruction
(docs/rules-climb.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from foxclover.core.game import game_names
from foxclover.simulation.vector_game import Action, Features, actions, features

if TYPE_CHECKING:
    from foxclover.envs.pettingzoo import TableEnv

__all__ = ["Action", "Features", "actions", "aec", "env_id", "features", "openspiel_game"]


def env_id(game: str) -> str:
    """Return the name of a game in Gymnasium."""
    return f"foxclover/{game}-v0"


def aec(game: str, players: int = 2, **options: Any) -> TableEnv:
    """Return a game as a PettingZoo environment, with all seats from outside."""
    with _with_install_hint():
        from foxclover.envs.pettingzoo import TableEnv
    return TableEnv(game, players, **options)


def openspiel_game(
    game: str, players: int = 2, start_player: int = 0, utility: str = "points"
) -> Any:
    """Return a game for OpenSpiel, with dice rolled one by one.

    ``start_player`` is a seat, or ``RANDOM``, which is a chance node. ``utility`` is "points", or
    "win": 1 for the winner, or a share of it.
    """
    with _with_install_hint():
        from foxclover.envs.openspiel import load
    return load(game, players, start_player, utility)


@contextmanager
def _with_install_hint() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(
            f"environments need {error.name}: pip install 'foxclover[envs]'"
        ) from None


def _register() -> None:
    try:
        import gymnasium
    except ImportError:  # OpenSpiel works without it
        return
    for key in game_names():
        gymnasium.register(
            env_id(key),
            entry_point="foxclover.envs.gym:GameEnv",
            vector_entry_point="foxclover.envs.gym:GameVectorEnv",
            kwargs={"game": key},
        )


_register()
