"""The value nets: which there are, the inputs they have in common, and what they say of a tableau.

Inputs add up over the cards of a tableau, so that moving one card changes a few rows of the hidden layer only.
"""

from __future__ import annotations

from foxclover.ai.climb.vectors import fire
from foxclover.climb.state import COLOURS, LEVELS, ROLLS_OF_ROUND, Deck, State
from foxclover.records import Record, floats

VERSION = 2  # of what the nets see: a net for another version is refused
HIDDEN = 32  # width of the hidden layers
MODES = 2  # star side, solo rules
MOST_LEFT = 4  # rounds to come that the nets tell apart
ROUNDS_LEFT = MOST_LEFT + 1
KINDS = (
    ROUNDS_LEFT + MOST_LEFT
)  # nets of a mode: before rolling with 0 to 4 rounds left, after pushing with 1 to 4 left
NETS = MODES * KINDS
SCALE = 20.0  # points in an output of 1

KNOWN_LUCK = 4  # amounts of luck and
KNOWN_PLAYERS = 4  # numbers of players that the nets tell apart
ACTIVE = 0  # + cell: active cards of a colour on a level
HIT = ACTIVE + LEVELS * COLOURS  # + cell: the sum of their chances
MISS = (
    HIT + LEVELS * COLOURS
)  # + level: logarithm of the chance that all its cards are missed, were they independent; see ``overlap``
SCORED = MISS + LEVELS  # + cell: scored cards
LUCK = SCORED + LEVELS * COLOURS  # + luck
PLAYERS = LUCK + KNOWN_LUCK + 1  # + players - 1
ALWAYS = PLAYERS + KNOWN_PLAYERS
INPUTS = ALWAYS + 1


class Nets(Record):
    """All value nets of the game; each has one hidden layer."""

    rows: list[list[list[float]]] = floats(NETS, INPUTS, HIDDEN)
    out: list[list[float]] = floats(NETS, HIDDEN)
    bias: list[float] = floats(NETS)
    rolling: list[list[list[float]]] = floats(
        MODES, ROUNDS_LEFT, ROLLS_OF_ROUND
    )  # how often a player makes that roll of a round


def net_before_rolling(deck: Deck, state: State) -> int:
    """The net for a tableau about to roll."""
    left = deck.rounds - max(state.round, 1)
    return KINDS * state.solo + min(left, MOST_LEFT)


def net_after_pushing(deck: Deck, state: State) -> int:
    """The net for a tableau at the end of a round that is not the last one."""
    left = deck.rounds - state.round
    return KINDS * state.solo + MOST_LEFT + min(left, MOST_LEFT)


def luck_input(luck: int) -> int:
    """The input that stands for so much luck."""
    return LUCK + min(luck, KNOWN_LUCK)


def expected(nets: Nets, net: int, hidden: list[float], luck: int) -> float:
    """The points to come of a tableau with so much luck, which counts as points already."""
    return luck + SCALE * (
        fire(hidden, nets.rows[net][luck_input(luck)], nets.out[net]) + nets.bias[net]
    )
