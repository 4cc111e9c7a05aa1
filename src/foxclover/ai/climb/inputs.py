"""What the nets see of a layout: numbers that add up over its cards, so that moving one card changes a few rows only."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from foxclover.ai.climb.vectors import add_row, copy_row, fire
from foxclover.climb.piles import colour_of, count_bits, times
from foxclover.climb.state import COLOURS, LEVELS, NO_CARD, PLACES, ROLLS, SLOTS, WORDS, Deck, Player, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Nets, Row

VERSION = 2  # of what the nets see: a net for another version is refused
LUCKS = 5  # 0 to 4 on the clover

ACTIVE = 0  # + cell: active cards of a colour on a level
HIT = ACTIVE + LEVELS * COLOURS  # + cell: the sum of their chances
MISS = HIT + LEVELS * COLOURS  # + level: logarithm of the chance that all its cards are missed, were they independent; see ``overlap``
SCORED = MISS + LEVELS  # + cell: scored cards
LUCK = SCORED + LEVELS * COLOURS  # + luck
PLAYERS = LUCK + LUCKS  # + players - 1
ALWAYS = PLAYERS + 4
INPUTS = ALWAYS + 1

SCALE = 20.0  # points in an output of 1
LEAST_MISS = 0.02
LEAST_OF_LEVEL = LEAST_MISS**2
KINDS = 9
MOST_LEFT = 4


def net_before_rolling(deck: Deck, state: State) -> int:
    """The net for a layout about to roll."""
    left = deck.rounds - max(state.round, 1)
    return KINDS * state.solo + min(left, MOST_LEFT)


def net_after_pushing(deck: Deck, state: State) -> int:
    """The net for a layout at the end of a round that is not the last one."""
    left = deck.rounds - state.round
    return KINDS * state.solo + MOST_LEFT + min(left, MOST_LEFT)


def missing(chance: float) -> float:
    """The logarithm of the chance that a card is missed."""
    return log(max(1.0 - chance, LEAST_MISS))


def add_active(rows: list[Row], colour: int, chance: float, level: int, sign: float, hidden: Row) -> None:
    """Put an active card of some chance on a level, or take it away."""
    cell = COLOURS * level + colour
    add_row(hidden, rows[ACTIVE + cell], sign)
    add_row(hidden, rows[HIT + cell], sign * chance)
    add_row(hidden, rows[MISS + level], sign * missing(chance))


def add_card(deck: Deck, rows: list[Row], card: int, level: int, sign: float, hidden: Row) -> None:
    """Put an active card on a level, or take it away."""
    add_active(rows, colour_of(card), deck.hits[card] / ROLLS, level, sign, hidden)


def add_layout(deck: Deck, state: State, mine: Player, rows: list[Row], hidden: Row) -> None:
    """Everything but luck. With the unit matrix for ``rows`` this gives the inputs themselves."""
    copy_row(hidden, rows[ALWAYS])
    add_row(hidden, rows[PLAYERS + state.players - 1], 1.0)
    for place in range(PLACES):
        if mine.active[place] != NO_CARD:
            add_card(deck, rows, mine.active[place], place // SLOTS, 1.0, hidden)
    for level in range(LEVELS):
        for colour in range(COLOURS):
            count = times(state, colour, mine.scored[level][colour])
            if count > 0:
                add_row(hidden, rows[SCORED + COLOURS * level + colour], float(count))


def overlap(deck: Deck, mine: Player, level: int, chosen: int) -> float:
    """By how much the logarithm of a level's chance to be missed exceeds that of independent cards, with the ``chosen`` waiting ones on it.

    It is no sum over the cards: only where cards are laid out in earnest do the nets for layouts about to roll get to know it.
    """
    independent = 0.0
    for slot in range(SLOTS):
        if mine.active[SLOTS * level + slot] != NO_CARD:
            independent += missing(deck.hits[mine.active[SLOTS * level + slot]] / ROLLS)
    for index in range(mine.waiting_count):
        if chosen >> index & 1:
            independent += missing(deck.hits[mine.waiting[index]] / ROLLS)
    missed = ROLLS
    for word in range(WORDS):
        met = 0
        for slot in range(SLOTS):
            met |= deck.hit_words[mine.active[SLOTS * level + slot]][word]
        for index in range(mine.waiting_count):
            if chosen >> index & 1:
                met |= deck.hit_words[mine.waiting[index]][word]
        missed -= deck.word_weight[word] * count_bits(met)
    return log(max(missed / ROLLS, LEAST_OF_LEVEL)) - independent


def expected(nets: Nets, net: int, hidden: Row, luck: int) -> float:
    """The points to come of a layout with so much luck, which counts as points already."""
    return luck + SCALE * (fire(hidden, nets.rows[net][LUCK + min(luck, LUCKS - 1)], nets.out[net]) + nets.bias[net])
