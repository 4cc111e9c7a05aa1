"""Pushing by the computer players of Geht noch was?.

What a way to handle the marked cards is rated, it brings.
"""

from __future__ import annotations

import pytest

from foxclover.core.game import game
from foxclover.core.rules import NO_CHANCE
from foxclover.games.climb.ai.rating import rate
from foxclover.games.climb.ai.workspace import Workspace
from foxclover.games.climb.rules.state import (
    GREEN,
    IDLE,
    PUSHING,
    RED,
    SLOTS,
    TO_PUSH,
    YELLOW,
    State,
)
from foxclover.games.climb.rules.table import apply, legal, score, start

DECK = game("geht-noch-was").definition.tables


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
    workspace = Workspace()
    state = workspace.here
    prepare_last_pushing(state, cards, solo)
    promised = None
    while state.seats[0].stage != IDLE:
        workspace.candidates.count = legal(DECK, state, 0, workspace.candidates.moves)
        best = rate(DECK, workspace, 0)
        promised = workspace.candidates.ratings[best] if promised is None else promised
        apply(DECK, state, 0, workspace.candidates.moves[best])
    assert score(DECK, state, 0) == pytest.approx(promised, abs=0.01)
