"""The computer players of Geht noch was?, compiled: they think the same as in CPython, and they win."""

from __future__ import annotations

from typing import Any

import pytest

from foxclover.ai import batch
from foxclover.ai.climb import nets
from foxclover.ai.climb.batch import SAMPLES
from foxclover.ai.climb.levels import LEVELS, Level
from foxclover.ai.climb.parts import make_plain_mind
from foxclover.ai.climb.playing import HERE, STATES_TO_WORK_ON
from foxclover.climb.state import State
from foxclover.fast import to_array
from foxclover.game import Variant, game
from foxclover.rng import seed_rng

GAME = game("geht-noch-was")
ROUNDING = 1e-6  # points; sums are added up in another order


def test_ratings_are_those_of_cpython() -> None:
    deck: Any = GAME.book.tables
    plain, compiled = nets.plain_functions(), nets.functions()
    thought = nets.shipped_nets(GAME.key)
    plain_mind = make_plain_mind(thought, SAMPLES)
    plain_states = [State() for _ in range(STATES_TO_WORK_ON)]
    books, mind, states = nets.workplace(GAME, thought, SAMPLES)
    state = plain_states[HERE]
    seed_rng(plain_mind.dice_rng, 12, 0)
    plain.start(deck, state, 2, int(Variant.SOLO_RULES))
    compared = 0
    while state.round < 3:
        mask = plain.acting(deck, state)
        if mask == 0:
            plain.apply(deck, state, -1, plain.draw(deck, state, plain_mind.dice_rng))
            continue
        seat = plain.first_seat(mask)
        count = plain.legal(deck, state, seat, plain_mind.moves)
        mind["moves"][:count] = plain_mind.moves[:count]
        seed_rng(plain_mind.choice_rng, 5, compared)
        seed_rng(mind["choice_rng"], 5, compared)
        states[HERE] = to_array(state)[0]
        best = plain.rate_here(deck, plain_mind, plain_states, seat, count, 0)
        compiled.rate_here(books[0], mind, states, seat, count, 0)
        assert mind["ratings"][:count].tolist() == pytest.approx(plain_mind.ratings[:count], abs=ROUNDING)
        plain.apply(deck, state, seat, plain_mind.moves[best])
        compared += 1
    assert compared > 30


def test_net_beats_greedy() -> None:
    scores, _ = batch.runner(GAME, ["net", "greedy"])(31, 0, 40)
    assert (scores[:, 0] > scores[:, 1]).mean() > 0.7


@pytest.mark.parametrize(("players", "variant"), [(1, Variant.NONE), (4, Variant.SOLO_RULES | Variant.FREE_PLACEMENT)])
def test_the_same_seed_gives_the_same_games(players: int, variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "search", Level(tries=6, to_win=True))
    run = batch.runner(GAME, ["search", "net", "easy", "random"][:players], variant)
    first, again = run(7, 3, 1)[0], run(7, 3, 1)[0]
    assert (first == again).all()
    assert (first > 0).all()
