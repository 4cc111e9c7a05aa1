"""Pushing by the computer players of Geht noch was?: what a way to handle the marked cards is rated, it brings."""

from __future__ import annotations

import pytest

from foxclover.ai.climb.mind import Mind
from foxclover.ai.climb.rating import rate
from foxclover.climb.rules import apply, legal, score, start
from foxclover.climb.state import (
    GREEN,
    IDLE,
    NO_CHANCE,
    PUSHING,
    RED,
    SLOTS,
    TO_PUSH,
    YELLOW,
    State,
)
from foxclover.game import game

DECK = game("geht-noch-was").book.tables


def prepare_last_pushing(state: State, cards: dict[int, int], solo: int) -> None:
    """The end of the last round with cards of some colours, by level, all marked."""
    start(DECK, state, 2 - solo, 0)
    state.round, state.phase, state.busy, state.chance = DECK.rounds, PUSHING, 1, NO_CHANCE
    mine = state.seats[0]
    for spot in range(len(mine.active)):
        mine.active[spot] = 0
    for level, colour in cards.items():
        mine.active[SLOTS * level] = 64 * colour + 1 + level
        mine.marked |= 1 << SLOTS * level
    mine.stage = TO_PUSH


@pytest.mark.parametrize("solo", [0, 1])
@pytest.mark.parametrize(
    "cards",
    [
        {0: GREEN, 4: RED},
        {0: YELLOW, 2: RED, 3: YELLOW, 4: GREEN},
        {0: RED, 1: GREEN, 3: GREEN, 4: YELLOW},
    ],
)
def test_the_last_round_ends_with_the_points_promised(cards: dict[int, int], solo: int) -> None:
    mind = Mind()
    state = mind.here
    prepare_last_pushing(state, cards, solo)
    promised = None
    while state.seats[0].stage != IDLE:
        mind.trials.count = legal(DECK, state, 0, mind.trials.moves)
        best = rate(DECK, mind, 0)
        promised = mind.trials.ratings[best] if promised is None else promised
        apply(DECK, state, 0, mind.trials.moves[best])
    assert score(DECK, state, 0) == pytest.approx(promised, abs=0.01)
