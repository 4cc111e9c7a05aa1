"""Pushing by the computer players of Geht noch was?: what a way to handle the marked cards is rated, it brings."""

from __future__ import annotations

import pytest

from foxclover.ai.climb import nets
from foxclover.ai.climb.parts import make_plain_mind
from foxclover.ai.climb.playing import HERE, STATES_TO_WORK_ON
from foxclover.climb.state import GREEN, IDLE, NO_CHANCE, PUSHING, RED, SLOTS, TO_PUSH, YELLOW, State
from foxclover.game import game

GAME = game("geht-noch-was")
FUNCTIONS = nets.plain_functions()


def last_pushing(cards: dict[int, int], solo: int) -> State:
    """The end of the last round with cards of some colours, by level, all marked."""
    deck, state = GAME.book.tables, State()
    FUNCTIONS.start(deck, state, 2 - solo, 0)
    state.round, state.phase, state.busy, state.chance = deck.rounds, PUSHING, 1, NO_CHANCE
    mine = state.seats[0]
    for place in range(len(mine.active)):
        mine.active[place] = 0
    for level, colour in cards.items():
        mine.active[SLOTS * level] = 64 * colour + 1 + level
        mine.marked |= 1 << SLOTS * level
    mine.stage = TO_PUSH
    return state


@pytest.mark.parametrize("solo", [0, 1])
@pytest.mark.parametrize("cards", [{0: GREEN, 4: RED}, {0: YELLOW, 2: RED, 3: YELLOW, 4: GREEN}, {0: RED, 1: GREEN, 3: GREEN, 4: YELLOW}])
def test_the_last_round_ends_with_the_points_promised(cards: dict[int, int], solo: int) -> None:
    deck = GAME.book.tables
    mind = make_plain_mind(nets.shipped_nets(GAME.key), 1)
    states = [State() for _ in range(STATES_TO_WORK_ON)]
    state = states[HERE] = last_pushing(cards, solo)
    promised = None
    while state.seats[0].stage != IDLE:
        best = FUNCTIONS.rate_here(deck, mind, states, 0, FUNCTIONS.legal(deck, state, 0, mind.moves), 0)
        promised = mind.ratings[best] if promised is None else promised
        FUNCTIONS.apply(deck, state, 0, mind.moves[best])
    assert FUNCTIONS.score(deck, state, 0) == pytest.approx(promised, abs=0.01)
