"""The computer players of Geht noch was?, compiled: they think the same as in CPython, and they win."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from foxclover.ai.climb.leaves import COUNT, LUCK_NOW, LUCKY_NOW
from foxclover.ai.climb.levels import LEVELS, Level
from foxclover.ai.climb.parts import make_plain_mind
from foxclover.ai.climb.playing import HERE, STATES_TO_WORK_ON
from foxclover.fast import to_array

from foxclover.ai import batch
from foxclover.ai.climb import nets
from foxclover.ai.climb.inputs import LUCKS
from foxclover.climb.state import CHANCE, FREE_PLACEMENT, OVER, SOLO_RULES, TO_DECIDE, State
from foxclover.game import game
from foxclover.rng import seed_rng

GAME = game("geht-noch-was")
ROUNDING = 1e-9  # points; sums are added up in another order
FEW_SAMPLES = 2


@pytest.mark.parametrize(
    ("players", "variant"),
    [(1, 0), (2, 0), (3, SOLO_RULES), (4, FREE_PLACEMENT)],
)
def test_a_whole_game_is_thought_through_as_in_cpython(players: int, variant: int) -> None:
    deck: Any = GAME.book.tables
    plain, compiled = nets.plain_functions(), nets.functions()
    thought = nets.shipped_nets(GAME.key)
    plain_mind = make_plain_mind(thought, FEW_SAMPLES)
    plain_states = [State() for _ in range(STATES_TO_WORK_ON)]
    books, mind, states = nets.workplace(GAME, thought, FEW_SAMPLES)
    state = plain_states[HERE]
    seed_rng(plain_mind.dice_rng, 12, players)
    plain.start(deck, state, players, int(variant))
    stages: Counter[int] = Counter()
    while state.phase != OVER:
        mask = plain.acting(deck, state)
        if mask == 0:
            plain.apply(deck, state, CHANCE, plain.draw(deck, state, plain_mind.dice_rng))
            continue
        seat = plain.first_seat(mask)
        stage = state.seats[seat].stage
        count = plain.legal(deck, state, seat, plain_mind.moves)
        mind["moves"][:count] = plain_mind.moves[:count]
        seed_rng(plain_mind.choice_rng, 5, stages.total())
        seed_rng(mind["choice_rng"], 5, stages.total())
        states[HERE] = to_array(state)[0]
        best = plain.rate_here(deck, plain_mind, plain_states, seat, count, 0)
        same = compiled.rate_here(books[0], mind, states, seat, count, 0)
        assert same == best or plain_mind.ratings[same] == pytest.approx(plain_mind.ratings[best], abs=ROUNDING)
        assert mind["ratings"][:count].tolist() == pytest.approx(plain_mind.ratings[:count], abs=ROUNDING)
        if stage == TO_DECIDE:
            assert_solved_alike(deck, mind["solvers"][seat], plain_mind.solvers[seat])
        plain.apply(deck, state, seat, plain_mind.moves[best])
        stages[stage] += 1
    assert stages[TO_DECIDE] > 10 * players
    assert len(stages) >= 6


def assert_solved_alike(deck: Any, solver: Any, plain: Any) -> None:
    """Both know the same positions of the round and what they are worth, with all the luck that may be left there."""
    assert solver["facts"].tolist() == plain.facts
    assert (solver["found"] == plain.found).all()
    count = plain.facts[COUNT]
    assert solver["masks"][:count].tolist() == plain.masks[:count]
    marked = np.bitwise_count(plain.masks[:count])
    luck = plain.facts[LUCK_NOW] + plain.facts[LUCKY_NOW] - np.maximum(marked.astype(int) - deck.black_markers, 0)
    possible = np.arange(LUCKS) <= luck[:, None]
    for field in ("stop", "roll", "value"):
        assert np.abs(solver[field] - getattr(plain, field))[:count][possible].max() < ROUNDING


def test_net_beats_greedy() -> None:
    scores, _ = batch.runner(GAME, ["net", "greedy"])(31, 0, 40)
    assert (scores[:, 0] > scores[:, 1]).mean() > 0.7


@pytest.mark.parametrize(("players", "variant"), [(1, 0), (4, SOLO_RULES | FREE_PLACEMENT)])
def test_the_same_seed_gives_the_same_games(players: int, variant: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "search", Level(tries=6, to_win=True))
    run = batch.runner(GAME, ["search", "net", "easy", "random"][:players], variant)
    first, again = run(7, 3, 1)[0], run(7, 3, 1)[0]
    assert (first == again).all()
    assert (first > 0).all()
