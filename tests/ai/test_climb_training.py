"""How the nets of Geht noch was? learn."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from foxclover.ai import nets
from foxclover.core.game import game
from foxclover.games.climb.ai.training import Job, Regression, Training, Worker
from foxclover.kernel.python_backend import PythonKernel
from foxclover.simulation.training import Progress

GAME = game("geht-noch-was")


def test_a_net_learns_what_is_no_sum_of_its_inputs() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.integers(0, 3, (4000, 4)).astype(np.float32)
    inputs[:, 3] = 1
    targets = np.minimum(inputs[:, 0], inputs[:, 1]) - np.float32(0.5) * inputs[:, 2]
    regression = Regression(4, 16, rng)
    first = regression.learn(inputs, targets, 20, 0.01, rng)
    for _ in range(20):
        last = regression.learn(inputs, targets, 100, 0.01, rng)
    assert first > 0.3
    assert last < 0.01


def test_the_nets_that_play_follow_those_that_learn() -> None:
    rng = np.random.default_rng(3)
    regression = Regression(4, 8, rng)
    regression.settle(first=True)
    regression.learn(rng.random((300, 4), np.float32), np.ones(300, np.float32), 20, 0.01, rng)
    before = [
        abs(average - weights).sum()
        for average, weights in zip(regression.averages, regression.weights, strict=True)
    ]
    regression.settle(first=False)
    after = [
        abs(average - weights).sum()
        for average, weights in zip(regression.averages, regression.weights, strict=True)
    ]
    assert all(0 < new < old for new, old in zip(after, before, strict=True))
    regression.settle(first=True)
    assert all(
        np.allclose(average, weights)
        for average, weights in zip(regression.averages, regression.weights, strict=True)
    )


def test_a_training_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    training = Training(GAME, seed=5, iterations=9)
    rng = np.random.default_rng(1)
    training.iteration = 4
    training.curve = [Progress(2, 60.0, 50.0, 40.0), Progress(4, 61.5, 52.25, 41.5)]
    training.rolling += 0.5
    for regression, remembered in zip(training.regressions, training.memory, strict=True):
        remembered.append((rng.random((300, 60), np.float32), rng.random(300, np.float32)))
        regression.learn(*remembered[0], 3, 0.01, rng)
    training.save(tmp_path)
    resumed = Training.resume(GAME, tmp_path)
    assert (resumed.iteration, resumed.iterations, resumed.seed, resumed.curve) == (
        4,
        9,
        5,
        training.curve,
    )
    assert (resumed.rolling == training.rolling).all()
    for old, new, kept, read in zip(
        training.regressions, resumed.regressions, training.memory, resumed.memory, strict=True
    ):
        assert new.steps == old.steps
        assert all((a == b).all() for a, b in zip(old.arrays(), new.arrays(), strict=True))
        assert all((a == b).all() for a, b in zip(kept[0], read[0], strict=True))


def test_kernel_and_cpython_play_the_same_games_to_learn_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built = Worker(GAME, nets.shipped_net(GAME), seed=3, noise=4.0)
    with monkeypatch.context() as patched:
        patched.setattr(nets, "open_kernel", PythonKernel)
        plain = Worker(GAME, nets.shipped_net(GAME), seed=3, noise=4.0)
    for worker in (built, plain):
        worker.workspace.draws = 1  # CPython is slow
    first, again = (worker.play(Job(2, 0, 0, 1)) for worker in (built, plain))
    assert len(first.nets) == 2 * (5 + 4)  # tableaus about to roll and after pushing
    assert (first.nets == again.nets).all()
    assert (first.rolls == again.rolls).all()
    assert first.inputs == pytest.approx(again.inputs, abs=1e-6)
    assert first.targets == pytest.approx(again.targets, abs=1e-6)


def test_games_to_learn_from_are_played_as_they_were() -> None:
    training = Training(GAME, seed=3, iterations=4)
    batch = Worker(GAME, training.playing_net(), seed=3, noise=6.0).play(Job(2, 0, 0, 10))
    digest = hashlib.sha256(b"".join(array.tobytes() for array in batch))
    # What another build of the same players played.
    assert digest.hexdigest() == "1d836d7d505adeba6aa580d90f82493c6a39a1c41e33655c9fa9a04400f4cda7"


def test_progress_counts_every_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foxclover.games.climb.ai.training.ITERATION", ((1, 0, 28), (2, 0, 3)))
    counted: list[int] = []
    Training(GAME, seed=3, iterations=4).run_iteration(2, counted.append)
    assert counted == [25, 3, 3]
