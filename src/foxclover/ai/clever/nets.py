"""The nets of the Clever games, found, checked and ready to think with."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from foxclover.ai import files
from foxclover.ai.clever import LEARNING, PLAYING
from foxclover.ai.clever.inputs import SCALARS, VERSION
from foxclover.ai.clever.mind import Mind, make_mind
from foxclover.ai.clever.plan import Plan, make_plan
from foxclover.ai.clever.policy import STATES
from foxclover.ai.parts import Net
from foxclover.clever.state import State
from foxclover.game import Game

if TYPE_CHECKING:
    import numpy as np


@cache
def plan_of(game: Game) -> Plan:
    """The inputs of a game's net."""
    return make_plan(game.book.tables)


@cache
def shipped_net(game: Game) -> Net:
    """The net that comes with the package."""
    return load(files.shipped(game.key), game)


def load(path: Path, game: Game) -> Net:
    """Read a net; raises ``files.NetError``."""
    arrays = files.load(path, game.key, VERSION)
    try:
        net = Net(**arrays)
        first, second = net.weights.shape
    except (TypeError, ValueError):
        raise files.NetError(f"the net {path} is damaged") from None
    shapes = ((plan_of(game).rows, first), (SCALARS, first), (first,), (first, second), (second,), (second,), (1,))
    if shapes != tuple(array.shape for array in net):
        raise files.NetError(f"the net {path} does not fit the sheet of {game.name}")
    return net


def save(path: Path, game: Game, net: Net) -> None:
    """Write a net; the many rows of the first layer as bytes."""
    files.save(path, game.key, VERSION, net._asdict(), coarse=("rows",))


def functions(learning: bool = False) -> SimpleNamespace:
    """The compiled functions; each is compiled when it is first called, or taken from the cache on disk."""
    from foxclover.fast import link

    return link("clever", compiled=True, extra=LEARNING if learning else PLAYING)


def workplace(game: Game, net: Net) -> tuple[np.ndarray[Any, Any], Mind, np.ndarray[Any, Any]]:
    """What the compiled functions take: the book, a mind and states to work on; for one thread."""
    from foxclover.fast import to_array

    return to_array(game.book.tables), make_mind(plan_of(game), net), to_array(*(State() for _ in range(STATES)))
