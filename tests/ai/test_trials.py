"""Trying candidates within a time."""

from __future__ import annotations

import time
from collections import Counter

from foxclover.ai.halving import halve


def test_most_tries_go_to_the_best_candidates() -> None:
    tries: Counter[int] = Counter()

    def try_move(candidate: int) -> None:
        tries[candidate] += 1
        time.sleep(0.001)

    order = halve([0, 1, 2, 3, 4], 0.1, try_move, worth=[2.0, 5.0, 1.0, 4.0, 3.0].__getitem__)
    assert order[:3] == [1, 3, 4]
    assert tries[1] > tries[4] > tries[0] > 0


def test_slow_tries_overrun_the_time_by_one_look_at_each_candidate() -> None:
    tries: list[int] = []

    def try_move(candidate: int) -> None:
        tries.append(candidate)
        time.sleep(0.01)

    assert halve([7, 8, 9], 0.0, try_move, worth=float) == [9, 8, 7]
    assert tries == [7, 8, 9, 9, 8]


def test_a_single_candidate_is_not_tried() -> None:
    def refuse(_: int) -> None:
        raise AssertionError

    assert halve([3], 1.0, refuse, worth=float) == [3]
