"""What the nets of Geht noch was? see of cards that the same rolls fulfil."""

from __future__ import annotations

from math import log

import pytest

from foxclover.ai.climb import nets
from foxclover.ai.climb.numpy_building import overlaps
from foxclover.climb.state import ROLLS, SLOTS, State
from foxclover.game import game

DECK = game("geht-noch-was").book.tables
FUNCTIONS = nets.plain_functions()


def start() -> State:
    """A table for two; the first player has three waiting cards."""
    state = State()
    FUNCTIONS.start(DECK, state, 2, 0)
    mine = state.seats[0]
    mine.waiting_count = 3
    mine.waiting[:3] = state.seats[1].active[0], state.seats[1].active[1], mine.active[0]
    return state


@pytest.mark.parametrize("level", [0, 1, 2])
def test_overlap_is_what_independent_cards_lack(level: int) -> None:
    mine = start().seats[0]
    places = [SLOTS * level + slot for slot in range(SLOTS) if mine.active[SLOTS * level + slot]]
    exact = log(FUNCTIONS.missed_rolls(DECK, mine, sum(1 << place for place in places)) / ROLLS)
    independent = sum(log(1 - DECK.hits[mine.active[place]] / ROLLS) for place in places)
    assert len(places) == 2
    assert abs(exact - independent) > 0.01
    assert FUNCTIONS.overlap(DECK, mine, level, 0) == pytest.approx(exact - independent)


def test_a_card_laid_beside_its_twin_adds_nothing() -> None:
    mine = start().seats[0]
    alone = log(1 - DECK.hits[mine.active[0]] / ROLLS)
    assert FUNCTIONS.overlap(DECK, mine, 0, 4) == pytest.approx(FUNCTIONS.overlap(DECK, mine, 0, 0) - alone)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_all_sets_of_waiting_cards_at_once(level: int) -> None:
    mine = start().seats[0]
    assert overlaps(DECK, mine, level) == pytest.approx([FUNCTIONS.overlap(DECK, mine, level, chosen) for chosen in range(8)])
