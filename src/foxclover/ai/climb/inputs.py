"""What the nets see of a tableau."""

from __future__ import annotations

from math import log

from foxclover.ai.climb.network import (
    ACTIVE,
    ALWAYS,
    HIT,
    INPUTS,
    KNOWN_PLAYERS,
    MISS,
    PLAYERS,
    SCORED,
    luck_input,
)
from foxclover.ai.climb.vectors import add_row, copy_row
from foxclover.climb.piles import colour_of
from foxclover.climb.state import (
    COLOURS,
    LEVELS,
    NO_CARD,
    ROLLS,
    SLOTS,
    SPOTS,
    WORDS,
    Deck,
    Player,
    State,
)
from foxclover.climb.tableau import scored_on
from foxclover.records import Record, floats

LEAST_MISS = 0.02
LEAST_OF_LEVEL = LEAST_MISS**2


class TableauInputs(Record):
    """What the nets see of a tableau, by itself."""

    unit: list[list[float]] = floats(
        INPUTS, INPUTS
    )  # the unit matrix: what turns a hidden layer into the inputs themselves
    inputs: list[float] = floats(INPUTS)


def missing(chance: float) -> float:
    """The logarithm of the chance that a card is missed."""
    return log(max(1.0 - chance, LEAST_MISS))


def add_active(
    rows: list[list[float]],
    colour: int,
    chance: float,
    level: int,
    sign: float,
    hidden: list[float],
) -> None:
    """Put an active card of some chance on a level, or take it away."""
    cell = COLOURS * level + colour
    add_row(hidden, rows[ACTIVE + cell], sign)
    add_row(hidden, rows[HIT + cell], sign * chance)
    add_row(hidden, rows[MISS + level], sign * missing(chance))


def add_card(
    deck: Deck, rows: list[list[float]], card: int, level: int, sign: float, hidden: list[float]
) -> None:
    """Put an active card on a level, or take it away."""
    add_active(rows, colour_of(card), deck.hits[card] / ROLLS, level, sign, hidden)


def add_tableau(
    deck: Deck, state: State, mine: Player, rows: list[list[float]], hidden: list[float]
) -> None:
    """Everything but luck."""
    copy_row(hidden, rows[ALWAYS])
    add_row(hidden, rows[PLAYERS + min(state.players, KNOWN_PLAYERS) - 1], 1.0)
    for spot in range(SPOTS):
        if mine.active[spot] != NO_CARD:
            add_card(deck, rows, mine.active[spot], spot // SLOTS, 1.0, hidden)
    for level in range(LEVELS):
        for colour in range(COLOURS):
            count = scored_on(state, mine, level, colour)
            if count > 0:
                add_row(hidden, rows[SCORED + COLOURS * level + colour], float(count))


def write_tableau(deck: Deck, state: State, mine: Player, tableau: TableauInputs) -> None:
    """Write the inputs of a tableau."""
    for n in range(INPUTS):
        tableau.unit[n][n] = 1.0
    add_tableau(deck, state, mine, tableau.unit, tableau.inputs)
    tableau.inputs[luck_input(mine.luck)] += 1.0


def overlap(deck: Deck, mine: Player, level: int, chosen: int) -> float:
    """By how much the logarithm of a level's chance to be missed exceeds that of independent cards, with the ``chosen`` waiting ones on it.

    It is no sum over the cards: only where cards are laid out in earnest do the nets for tableaus about to roll get to know it.
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
        missed -= deck.word_weight[word] * met.bit_count()
    return log(max(missed / ROLLS, LEAST_OF_LEVEL)) - independent
