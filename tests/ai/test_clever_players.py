"""The computer players of the Clever games in the kernel.

The same choices as in CPython, searching, learning.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from families import CLEVER
from foxclover import ai
from foxclover.ai import nets
from foxclover.ai.agents import SearchAgent
from foxclover.ai.families import Strength
from foxclover.core.game import Game, game
from foxclover.core.rules import next32
from foxclover.dice.sources import seeded
from foxclover.games.clever.ai import players, training
from foxclover.kernel import open_kernel
from foxclover.kernel.python_backend import PythonKernel
from foxclover.simulation.workers import Runner

ROUNDING = 0.01  # points


@pytest.fixture(params=CLEVER)
def chosen(request: pytest.FixtureRequest) -> Game:
    return game(request.param)


def plain_thinker(chosen: Game, monkeypatch: pytest.MonkeyPatch) -> nets.Thinker:
    with monkeypatch.context() as patched:
        patched.setattr(nets, "open_kernel", PythonKernel)
        return nets.make_thinker(chosen, nets.shipped_net(chosen))


def test_kernel_and_cpython_rate_alike_but_for_rounding(
    chosen: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_kernel("clever").built
    thinkers = (
        nets.make_thinker(chosen, nets.shipped_net(chosen)),
        plain_thinker(chosen, monkeypatch),
    )
    position, dice = chosen.start(3), seeded(8)
    compared = 0
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        seat = position.acting[0]
        numbers = position.legal_numbers(seat)
        best = 0
        if next32(dice.rng) % 4 == 0:  # CPython is slow
            found = []
            for instance, tables, workspace in thinkers:
                instance.set(workspace.here, position.state)
                workspace.candidates.count = instance.call(
                    "legal", tables, workspace.here, seat, workspace.candidates.moves
                )
                best = instance.call("rate", tables, workspace, seat)
                found.append(
                    [float(rating) for rating in workspace.candidates.ratings[: len(numbers)]]
                )
            assert found[0] == pytest.approx(found[1], abs=ROUNDING)
            assert found[0][best] > max(found[0]) - ROUNDING
            compared += 1
        position.push(position.legal_moves(seat)[best])
    assert compared > 10


def test_kernel_and_cpython_learn_alike_but_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "GAMES_PER_ITERATION", 4)
    chosen = game("ganz")
    student = training.Training(chosen, seed=3, iterations=1)
    settings = (chosen, student.net, student.manner(), student.seed)
    workers = [training.Worker(*settings)]
    with monkeypatch.context() as patched:
        patched.setattr(nets, "open_kernel", PythonKernel)
        workers.append(training.Worker(*settings))
    examples = [
        worker.instance.call(
            "teach", worker.tables, worker.workspace, worker.game, worker.learner, 5, 0
        )
        for worker in workers
    ]
    assert examples[0] == examples[1] > 10
    gradients = [worker.read(worker.learner.grads) for worker in workers]
    for worker in workers:
        worker.step(1, 0.001, examples[0])
    steps = [worker.read(worker.workspace.net) for worker in workers]
    for name, array in gradients[0].items():
        assert np.abs(array).max() > 0
        assert array == pytest.approx(gradients[1][name], rel=1e-3, abs=1e-4)
        assert steps[0][name] == pytest.approx(steps[1][name], abs=1e-5)


def test_searching_games_can_be_repeated(chosen: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(players.STRENGTHS, "search", Strength(tries=16, prior=50.0, to_win=True))
    run = Runner(chosen, ["search", "greedy"])
    first, again = run(5, 0, 2), run(5, 0, 2)
    assert (first == again).all()
    assert first[:, 0].mean() > first[:, 1].mean()


def test_a_searching_player_at_a_table_ranks_every_move_once_to_the_end(chosen: Game) -> None:
    others, searching = (
        ai.agent("greedy", chosen, seed=1),
        SearchAgent(chosen, Strength(seconds=0.01, prior=50.0, to_win=True), seed=1),
    )
    position, dice, tried = chosen.start(4), seeded(2), 0
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        elif 0 not in position.acting or position.state.round < 3:
            position.push(others.choose(position, position.acting[0]))
        else:
            ranked = searching.rank(position, 0)
            assert sorted(str(entry.move) for entry in ranked) == sorted(
                str(move) for move in position.legal_moves(0)
            )
            rated = nets.value_error(chosen, position.state, 0)
            tried += sum(entry.error > rated for entry in ranked)
            position.push(ranked[0].move)
    assert tried > 10


def test_a_resumed_training_goes_on_as_if_never_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "GAMES_PER_ITERATION", 8)
    chosen = game("doppelt")

    def ignore(_: int) -> None: ...

    whole = training.Training(chosen, seed=3, iterations=2)
    whole.run_iteration(2, ignore)
    whole.run_iteration(2, ignore)
    begun = training.Training(chosen, seed=3, iterations=2)
    begun.run_iteration(2, ignore)
    begun.save(tmp_path)
    resumed = training.Training.resume(chosen, tmp_path)
    resumed.run_iteration(2, ignore)
    assert resumed.iteration == whole.iteration == 2
    for name, array in whole.arrays().items():
        assert np.array_equal(array, resumed.arrays()[name])
    assert not np.array_equal(begun.net["out"], whole.net["out"])
    assert nets.load(tmp_path / f"{chosen.key}.net", chosen)["out"] == pytest.approx(
        begun.net["out"], abs=0.001
    )


def test_a_net_learns_within_some_thousand_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "GAMES_PER_ITERATION", 2400)
    chosen = game("ganz")
    student = training.Training(chosen, seed=1, iterations=1)
    before = Runner(chosen, ["net"], net=student.net)(1, 0, 200).mean()
    student.run_iteration(1, lambda _: None)
    after = Runner(chosen, ["net"], net=student.net)(1, 0, 200).mean()
    assert after > before + 20
