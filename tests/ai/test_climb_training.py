"""How the nets of Geht noch was? learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from foxclover.ai.climb.students import Student

from foxclover.ai.climb.training import Progress, Training
from foxclover.game import game


def test_a_student_learns_what_is_no_sum_of_its_inputs() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.integers(0, 3, (4000, 4)).astype(np.float32)
    inputs[:, 3] = 1
    targets = np.minimum(inputs[:, 0], inputs[:, 1]) - np.float32(0.5) * inputs[:, 2]
    student = Student(4, 16, rng)
    first = student.learn(inputs, targets, 20, 0.01, rng)
    for _ in range(20):
        last = student.learn(inputs, targets, 100, 0.01, rng)
    assert first > 0.3
    assert last < 0.01


def test_the_nets_that_play_follow_those_that_learn() -> None:
    rng = np.random.default_rng(3)
    student = Student(4, 8, rng)
    student.settle(first=True)
    student.learn(rng.random((300, 4), np.float32), np.ones(300, np.float32), 20, 0.01, rng)
    before = [abs(average - weights).sum() for average, weights in zip(student.averages, student.weights, strict=True)]
    student.settle(first=False)
    after = [abs(average - weights).sum() for average, weights in zip(student.averages, student.weights, strict=True)]
    assert all(0 < new < old for new, old in zip(after, before, strict=True))
    student.settle(first=True)
    assert all(np.allclose(average, weights) for average, weights in zip(student.averages, student.weights, strict=True))


def test_a_training_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    training = Training(game("geht-noch-was"), seed=5, terms=9)
    rng = np.random.default_rng(1)
    training.term = 4
    training.curve = [Progress(2, 60.0, 50.0), Progress(4, 61.5, 52.25)]
    training.rolling += 0.5
    for student, remembered in zip(training.students, training.memory, strict=True):
        remembered.append((rng.random((300, 60), np.float32), rng.random(300, np.float32)))
        student.learn(*remembered[0], 3, 0.01, rng)
    training.save(tmp_path)
    resumed = Training.resume(game("geht-noch-was"), tmp_path)
    assert (resumed.term, resumed.terms, resumed.seed, resumed.curve) == (4, 9, 5, training.curve)
    assert (resumed.rolling == training.rolling).all()
    for old, new, kept, read in zip(training.students, resumed.students, training.memory, resumed.memory, strict=True):
        assert new.steps == old.steps
        assert all((a == b).all() for a, b in zip(old.arrays(), new.arrays(), strict=True))
        assert all((a == b).all() for a, b in zip(kept[0], read[0], strict=True))
