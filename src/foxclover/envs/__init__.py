"""Environments for learning; importing this package registers them with Gymnasium (docs/research.md).

``gymnasium.make("foxclover/ganz-schoen-clever-v0")``, ``make_vec`` with the same names, ``aec(game, players)`` for PettingZoo, and
``openspiel_game(game, players)`` for OpenSpiel. Everything here needs ``pip install 'foxclover[envs]'``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from foxclover.envs.lanes import Action, Features, actions, features
from foxclover.game import games

if TYPE_CHECKING:
    from foxclover.envs.pettingzoo import TableEnv

__all__ = ["Action", "Features", "actions", "aec", "env_id", "features", "openspiel_game"]


def env_id(game: str) -> str:
    """What Gymnasium calls a game."""
    return f"foxclover/{game}-v0"


def aec(game: str, players: int = 2, **options: Any) -> TableEnv:
    """A game for all who may play it as a PettingZoo environment, turn by turn."""
    with _told_what_is_missing():
        from foxclover.envs.pettingzoo import TableEnv
    return TableEnv(game, players, **options)


def openspiel_game(game: str, players: int = 2, begins: int = 0) -> Any:
    """A game for OpenSpiel, with dice rolled one by one; ``begins`` is a seat, or ``LOT``, which is a chance node."""
    with _told_what_is_missing():
        from foxclover.envs.openspiel import load
    return load(game, players, begins)


@contextmanager
def _told_what_is_missing() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(
            f"environments need {error.name}: pip install 'foxclover[envs]'"
        ) from None


def _register() -> None:
    try:
        import gymnasium
    except ImportError:  # PettingZoo and OpenSpiel do without
        return
    for key in games():
        gymnasium.register(
            env_id(key),
            entry_point="foxclover.envs.gym:GameEnv",
            vector_entry_point="foxclover.envs.gym:GameVectorEnv",
            kwargs={"game": key},
        )


_register()
