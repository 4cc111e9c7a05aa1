"""The compiled computer players of the Clever games: the same choices as in CPython, searching, learning."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from foxclover import ai
from foxclover.ai import batch
from foxclover.ai.clever import nets, training
from foxclover.ai.clever.agents import Judge, SearchAgent
from foxclover.ai.clever.batch import runner_with
from foxclover.ai.clever.levels import LEVELS
from foxclover.ai.clever.policy import HERE
from foxclover.ai.levels import Level
from foxclover.chance import seeded
from foxclover.fast import to_array
from foxclover.game import Game, Variant, game

ROUNDING = 0.01  # points


@pytest.fixture(params=["ganz-schoen-clever", "doppelt-so-clever"])
def chosen(request: pytest.FixtureRequest) -> Game:
    return game(request.param)


def test_compiled_and_plain_ratings_differ_by_rounding_only(chosen: Game) -> None:
    net = nets.shipped_net(chosen)
    books, mind, states = nets.workplace(chosen, net)
    functions, judge = nets.functions(), Judge(chosen, net)
    for players in (1, 3):
        position, dice = chosen.start(players), seeded(8, players)
        while not position.over:
            if position.chance_due:
                position.push(dice.draw(position))
                continue
            seat = position.acting[0]
            plain = judge.rate(position.state, seat, position.legal_numbers(seat))
            states[HERE] = to_array(position.state)[0]
            count = functions.legal(books[0], states[HERE], seat, mind.moves)
            best = functions.rate(books[0], mind, states, HERE, seat, count)
            assert mind.ratings[:count] == pytest.approx(plain, abs=ROUNDING)
            assert plain[best] > max(plain) - ROUNDING
            position.push(position.legal_moves(seat)[best])


def test_searching_games_can_be_repeated(chosen: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "search", Level(tries=16, to_win=True))
    run = batch.runner(chosen, ["search", "greedy"], Variant.NONE)
    first, again = run(5, 0, 2)[0], run(5, 0, 2)[0]
    assert (first == again).all()
    assert first[:, 0].mean() > first[:, 1].mean()


def test_a_searching_player_at_a_table_ranks_every_move_once_to_the_end(chosen: Game) -> None:
    others, searching = ai.agent("greedy", chosen, seed=1), SearchAgent(chosen, Level(seconds=0.01, to_win=True), seed=1)
    while not searching.ready:
        time.sleep(0.1)
    position, dice, tried = chosen.start(4), seeded(2), 0
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        elif 0 not in position.acting or position.state.round < 3:
            position.push(others.choose(position, position.acting[0]))
        else:
            ranked = searching.rank(position, 0)
            assert sorted(str(entry.move) for entry in ranked) == sorted(str(move) for move in position.legal_moves(0))
            tried += sum(entry.error > 0 for entry in ranked)
            position.push(ranked[0].move)
    assert tried > 10


def test_a_resumed_training_goes_on_as_if_never_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "GAMES_OF_TERM", 8)
    chosen = game("doppelt")

    def ignore(_: int) -> None: ...

    whole = training.Training(chosen, seed=3, terms=2)
    whole.run_term(2, ignore)
    whole.run_term(2, ignore)
    begun = training.Training(chosen, seed=3, terms=2)
    begun.run_term(2, ignore)
    begun.save(tmp_path)
    resumed = training.Training.resume(chosen, tmp_path)
    resumed.run_term(2, ignore)
    assert resumed.term == whole.term == 2
    for one, other in zip(whole.net, resumed.net, strict=True):
        assert np.array_equal(one, other)
    assert not np.array_equal(begun.net.out, whole.net.out)
    assert nets.load(tmp_path / f"{chosen.key}.net", chosen).out == pytest.approx(begun.net.out, abs=0.001)


def test_a_net_learns_within_some_thousand_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "GAMES_OF_TERM", 2400)
    chosen = game("ganz")
    student = training.Training(chosen, seed=1, terms=1)
    before = runner_with(student.net, chosen, ["net"])(1, 0, 200)[0].mean()
    student.run_term(1, lambda _: None)
    after = runner_with(student.net, chosen, ["net"])(1, 0, 200)[0].mean()
    assert after > before + 20
