"""The nets of Geht noch was?, found, checked and ready to think with."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from foxclover.ai import files
from foxclover.ai.climb import COMPILED, PLAIN
from foxclover.ai.climb.inputs import VERSION
from foxclover.ai.climb.parts import NETS_SHAPE, Nets, make_mind
from foxclover.ai.climb.playing import STATES_TO_WORK_ON
from foxclover.climb.state import State
from foxclover.fast import link
from foxclover.game import Game

if TYPE_CHECKING:
    import numpy as np


@cache
def shipped_nets(key: str) -> Nets:
    """The nets that come with the package; they serve every deck."""
    return load(files.shipped(key), key)


def load(path: Path, key: str) -> Nets:
    """Read nets; raises ``files.NetError``."""
    arrays = files.load(path, key, VERSION)
    if {name: array.shape for name, array in arrays.items()} != NETS_SHAPE:
        raise files.NetError(f"the net {path} is damaged")
    wide: dict[str, Any] = {name: array.astype("f8") for name, array in arrays.items()}
    return Nets(**wide)


def save(path: Path, key: str, nets: Nets) -> None:
    """Write nets."""
    arrays: dict[str, Any] = nets._asdict()
    files.save(path, key, VERSION, {name: array.astype("f4") for name, array in arrays.items()})


def functions() -> SimpleNamespace:
    """The compiled functions; each is compiled when it is first called, or taken from the cache on disk."""
    return link("climb", compiled=True, extra=COMPILED)


def plain_functions() -> SimpleNamespace:
    """The same functions in CPython."""
    return link("climb", compiled=False, extra=PLAIN)


def workplace(game: Game, nets: Nets, samples: int) -> tuple[np.ndarray[Any, Any], Any, np.ndarray[Any, Any]]:
    """What the compiled functions take: the book, a mind and states to work on; for one thread."""
    from foxclover.fast import to_array

    return (
        to_array(game.book.tables),
        make_mind(nets, samples),
        to_array(*(State() for _ in range(STATES_TO_WORK_ON))),
    )
