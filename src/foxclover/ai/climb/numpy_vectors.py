"""The functions of ``vectors`` for CPython, where a whole row at a time is quicker than a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foxclover.climb.state import NO_CARD, ROLLS, SLOTS, WORDS, Deck, Player

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Floats, Ints, Number, Row


def clear_row(row: Row) -> None:
    """Set a row to zero."""
    row.fill(0.0)


def copy_row(target: Row, source: Row) -> None:
    """Copy a row."""
    target[:] = source


def add_row(target: Row, row: Row, scale: float) -> None:
    """Add a multiple of a row."""
    target += row if scale == 1.0 else scale * row


def fire(hidden: Row, extra: Row, out: Row) -> Number:
    """Add one more row to the hidden layer, or to each of many, and weigh what is positive of it."""
    firing = hidden + extra
    return np.maximum(firing, 0.0, out=firing).dot(out)


def look_up(table: Floats, at: Number) -> Number:
    """The entries of a table at whole numbers."""
    return np.asarray(table)[np.asarray(at, int)]


def count_missed(deck: Deck, mine: Player, low: int, missed: Row, _: Ints) -> None:
    """For every set of cards on a level and the next one: how many rolls fulfil none of them. Bit n is the n-th place from there."""
    subsets, met = np.zeros(1, int), np.zeros((1, WORDS), int)
    for slot, card in enumerate(mine.active[low * SLOTS : (low + 2) * SLOTS]):
        if card != NO_CARD:
            subsets = np.concatenate([subsets, subsets | 1 << slot])
            met = np.concatenate([met, met | np.array(deck.hit_words[card])])
    missed[:] = ROLLS
    missed[subsets] -= np.bitwise_count(met) @ np.array(deck.word_weight)
