"""What the nets of Geht noch was? see of cards that the same rolls fulfil."""

from __future__ import annotations

from math import log

import pytest

from foxclover.core.game import game
from foxclover.games.climb.ai.workspace import overlap
from foxclover.games.climb.rules.evaluation import missed_rolls
from foxclover.games.climb.rules.state import ROLLS, SLOTS, Player, State
from foxclover.games.climb.rules.table import start

DECK = game("geht-noch-was").definition.tables


def start_player() -> Player:
    """The first player of a table for two, with three waiting cards."""
    state = State()
    start(DECK, state, 2, 0)
    mine = state.seats[0]
    mine.waiting_count = 3
    mine.waiting[:3] = state.seats[1].active[0], state.seats[1].active[1], mine.active[0]
    return mine


@pytest.mark.parametrize("level", [0, 1, 2])
def test_overlap_is_what_independent_cards_lack(level: int) -> None:
    mine = start_player()
    spots = [SLOTS * level + slot for slot in range(SLOTS) if mine.active[SLOTS * level + slot]]
    exact = log(missed_rolls(DECK, mine, sum(1 << spot for spot in spots)) / ROLLS)
    independent = sum(log(1 - DECK.hits[mine.active[spot]] / ROLLS) for spot in spots)
    assert len(spots) == 2
    assert abs(exact - independent) > 0.01
    assert overlap(DECK, mine, level, 0) == pytest.approx(exact - independent)


def test_a_card_laid_beside_its_twin_adds_nothing() -> None:
    mine = start_player()
    alone = log(1 - DECK.hits[mine.active[0]] / ROLLS)
    assert overlap(DECK, mine, 0, 4) == pytest.approx(overlap(DECK, mine, 0, 0) - alone)
