"""What the rules of every family share: constants, random numbers and signatures.

Kernel code imports the constants and the generator. ``kernel.stubs`` takes its signatures from
``Rules``, and mypy compares each family's own functions with it.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from foxclover.core.records import Record

CHANCE = -1  # the seat that makes the moves of chance
NO_MOVE = -1  # the number of a text that names no possible move
MAX_PLAYERS = 8  # of any family
MAX_MOVES = 256  # more than the longest list of legal moves
MAX_ACTION_SPACE = 2304  # one more than the highest number of a player's move
MAX_ACTIONS = 512  # moves that a player can ever make
MAX_OUTCOMES = 46656  # of a chance move
MAX_PARTS = 8  # of a score
MAX_TALLIES = 2  # what else is counted of a seat
MAX_FEATURES = 1312  # numbers that a seat sees
MAX_INPUTS = 192  # of a net, with what all seats see

# Kinds of pending chance. FAMILY_DUE is free for each family.
NO_CHANCE, ROLL_DUE, FAMILY_DUE, START_PLAYER_DUE = range(4)

# The number that ``Rules.start`` takes: bits of options, plus the start player times this unit.
START_PLAYER_UNIT = 256
RANDOM = 15  # as a start player: drawn by a move of chance

MASK = 0xFFFFFFFF
WARM_UP = 12

TablesT_contra = TypeVar("TablesT_contra", contravariant=True)
StateT = TypeVar("StateT", bound=Record)


def seed_rng(rng: list[int], seed: int, stream: int) -> None:
    """Start the generator sfc32, a buffer of four integers below 2**32.

    The same seed gives the same numbers in CPython and in the kernel. Games of one batch share a
    seed and differ in ``stream``.
    """
    rng[0] = seed & MASK
    rng[1] = (seed >> 32) & MASK
    rng[2] = stream & MASK
    rng[3] = 1
    for _ in range(WARM_UP):
        next32(rng)


def next32(rng: list[int]) -> int:
    """Return the next 32 random bits."""
    a = rng[0]
    b = rng[1]
    c = rng[2]
    counter = rng[3]
    result = (a + b + counter) & MASK
    rng[3] = (counter + 1) & MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c * 9) & MASK
    rng[2] = (((c << 21) | (c >> 11)) + result) & MASK
    return result


def below(rng: list[int], n: int) -> int:
    """Draw a number below ``n`` without bias, by Lemire's rejection method."""
    product = next32(rng) * n
    if product & MASK < n:
        surplus = (MASK + 1) % n
        while product & MASK < surplus:
            product = next32(rng) * n
    return product >> 32


class Rules(Protocol[TablesT_contra, StateT]):
    """Pure functions over the tables of a definition and a state."""

    State: type[StateT]
    OUTCOMES: int  # of a chance move, at most
    ACTION_SPACE: int  # one more than the highest number of a player's move

    def start(self, tables: TablesT_contra, state: StateT, players: int, variant: int, /) -> None:
        """Set a state up for a new game, up to the first decision or chance move."""

    def acting(self, tables: TablesT_contra, state: StateT, /) -> int:
        """Return a mask of the seats that may act now."""

    def legal(self, tables: TablesT_contra, state: StateT, seat: int, moves: list[int], /) -> int:
        """Write the legal moves of an acting seat in a fixed order and return their number."""

    def apply(self, tables: TablesT_contra, state: StateT, seat: int, move: int, /) -> None:
        """Make a move without checking it, and advance to the next decision or chance move."""

    def chance_pending(self, tables: TablesT_contra, state: StateT, /) -> int:
        """Return which chance move is due: ``NO_CHANCE``, ``ROLL_DUE`` or another one."""

    def rollers(self, tables: TablesT_contra, state: StateT, /) -> int:
        """Return a mask of the seats that may roll the dice now."""

    def draw(self, tables: TablesT_contra, state: StateT, rng: list[int], /) -> int:
        """Draw a chance move with the right odds."""

    def chance_moves(
        self, tables: TablesT_contra, state: StateT, moves: list[int], weights: list[int], /
    ) -> int:
        """Write all chance moves with their weights and return their number."""

    def is_chance_move(self, tables: TablesT_contra, state: StateT, move: int, /) -> bool:
        """Check whether a number is a possible outcome of the chance move that is due."""

    def score(self, tables: TablesT_contra, state: StateT, seat: int, /) -> int:
        """Return the current points of a seat."""
