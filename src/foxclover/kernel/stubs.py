"""What code that serves every family of games may use of it: stand-ins, bound by name to one family's own records and functions.

Kernel modules that know no family import these names. ``link`` binds them in CPython, the translator in a family's kernel.
"""

from __future__ import annotations

from foxclover.records import Record

SEATS = 8  # at most, of any family


class NotLinked(TypeError):
    """A stand-in was called: the module that imported it was not linked to a family."""


class Tables(Record):
    """The printed facts of a game."""


class State(Record):
    """The table."""

    players: int
    round: int


def start(tables: Tables, state: State, players: int, variant: int) -> None:
    """Begin a game, up to the first decision or move of chance."""
    raise NotLinked


def acting(tables: Tables, state: State) -> int:
    """Mask of the seats that may act now."""
    raise NotLinked


def chance_pending(tables: Tables, state: State) -> int:
    """Which chance move is due; 0: none."""
    raise NotLinked


def draw(tables: Tables, state: State, rng: list[int]) -> int:
    """A chance move, drawn with the right odds."""
    raise NotLinked


def chance_moves(tables: Tables, state: State, moves: list[int], weights: list[int]) -> int:
    """Write all chance moves with their weights; return how many."""
    raise NotLinked


def legal(tables: Tables, state: State, seat: int, moves: list[int]) -> int:
    """Write the legal moves of a seat that may act; return how many."""
    raise NotLinked


def apply(tables: Tables, state: State, seat: int, move: int) -> None:
    """Make a legal move (it is not checked) and go on to the next decision."""
    raise NotLinked


def score(tables: Tables, state: State, seat: int) -> int:
    """Points of a seat as things stand."""
    raise NotLinked


def greedy(
    tables: Tables, state: State, scratch: State, seat: int, moves: list[int], count: int
) -> int:
    """Index of the move that looks best at once."""
    raise NotLinked


def observe_table(tables: Tables, state: State, seat: int, features: list[int]) -> int:
    """Write what all see, the first part of ``observe``; return how many numbers that are."""
    raise NotLinked


def observe(tables: Tables, state: State, seat: int, features: list[int]) -> None:
    """Write what a seat sees of the table, in the order in which the family names its features."""
    raise NotLinked


def write_parts(tables: Tables, state: State, seat: int, parts: list[int]) -> None:
    """Write the parts of a seat's score, in the order in which ``scoring.breakdown`` names them."""
    raise NotLinked


def write_tallies(tables: Tables, state: State, seat: int, tallies: list[int]) -> None:
    """Write what else is counted of a seat, in the order of ``scoring.tallies``."""
    raise NotLinked


def is_ahead(tables: Tables, state: State, seat: int, other: int) -> bool:
    """Does a seat have a better place than another one?"""
    raise NotLinked
