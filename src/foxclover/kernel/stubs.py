"""Interface stubs: records and functions that kernel code for all families needs of a family.

Kernel modules import these names. They are bound by name to the records and functions of one
family: by ``link`` in CPython, by the translator in a built kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import NoReturn, cast

from foxclover.core.records import Record
from foxclover.core.rules import Rules


class NotLinked(TypeError):
    """A stub was called: the module that imported it is not linked to a family."""


class Tables(Record):
    """The printed data of a game."""


class State(Record):
    """The state of a game."""

    players: int
    round: int


def _stub(name: str) -> Callable[..., NoReturn]:
    def stub(*_: object) -> NoReturn:
        raise NotLinked

    stub.__name__ = name  # ``link`` and the translator bind a stub by its name
    return stub


# The signatures of the rules are declared once, in ``core.rules``.
_RULES = cast(
    Rules[Tables, State],
    SimpleNamespace(**{name: _stub(name) for name in vars(Rules) if not name.startswith("_")}),
)
start, acting, legal, apply = _RULES.start, _RULES.acting, _RULES.legal, _RULES.apply
chance_pending, chance_moves = _RULES.chance_pending, _RULES.chance_moves
draw, score = _RULES.draw, _RULES.score


def greedy(
    tables: Tables, state: State, scratch: State, seat: int, moves: list[int], count: int
) -> int:
    """Return the index of the move with the best immediate result."""
    raise NotLinked


def observe_table(tables: Tables, state: State, seat: int, features: list[int]) -> int:
    """Write the public part of ``observe``, its first part; return how many numbers."""
    raise NotLinked


def observe(tables: Tables, state: State, seat: int, features: list[int]) -> None:
    """Write the observation of a seat, in the order of the family's feature names."""
    raise NotLinked


def write_parts(tables: Tables, state: State, seat: int, parts: list[int]) -> None:
    """Write the parts of a seat's score, in the order of ``scoring.breakdown``."""
    raise NotLinked


def write_tallies(tables: Tables, state: State, seat: int, tallies: list[int]) -> None:
    """Write the tallies of a seat, in the order of ``scoring.tallies``."""
    raise NotLinked


def is_ahead(tables: Tables, state: State, seat: int, other: int) -> bool:
    """Return whether a seat has a better place than another one."""
    raise NotLinked
