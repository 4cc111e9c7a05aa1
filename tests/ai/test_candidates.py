"""Trying moves out: which ones, how often, and what is made of it."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from foxclover.ai.agents import all_at_once, halve
from foxclover.ai.candidates import (
    MARGIN,
    WIDTH,
    Candidates,
    drop_weaker_half,
    note_try,
    pick_candidates,
    value,
)


def trials_of(*ratings: float) -> Candidates:
    candidates = Candidates()
    candidates.count = len(ratings)
    candidates.ratings[: len(ratings)] = ratings
    candidates.priorities[: len(ratings)] = ratings
    return candidates


def test_moves_far_behind_the_best_are_not_tried() -> None:
    candidates = trials_of(5.0, 20.0, 20.0 - MARGIN, 14.5, 19.0)
    assert pick_candidates(candidates) == 3
    assert candidates.order[:5] == [1, 4, 3, 2, 0]


def test_only_some_of_many_good_moves_are_tried() -> None:
    candidates = trials_of(*[10.0 + number / 10 for number in range(20)])
    assert pick_candidates(candidates) == WIDTH
    assert candidates.order[:WIDTH] == [19, 18, 17, 16, 15, 14]


def test_what_was_found_out_before_is_forgotten() -> None:
    candidates = trials_of(1.0, 2.0)
    note_try(candidates, 0, 5.0, 1.0)
    pick_candidates(candidates)
    assert (candidates.tries[0], candidates.sums[0], candidates.squares[0], candidates.wins[0]) == (
        0,
        0.0,
        0.0,
        0.0,
    )


def test_a_rating_counts_as_some_tries_and_a_win_as_many_points() -> None:
    candidates = trials_of(10.0)
    note_try(candidates, 0, 20.0, 0.0)
    note_try(candidates, 0, 30.0, 0.5)
    assert value(candidates, 0, 0.0, False) == 25.0
    assert value(candidates, 0, 2.0, False) == pytest.approx((2 * 10 + 20 + 30) / 4)
    assert value(candidates, 0, 0.0, True) == 25.0 + 100 * 0.25


def test_the_weaker_half_is_dropped() -> None:
    candidates = trials_of(1.0, 1.0, 1.0, 1.0, 1.0)
    left = pick_candidates(candidates)
    for index, points in enumerate((2.0, 5.0, 1.0, 4.0, 3.0)):
        note_try(candidates, index, points, 0.0)
    left = drop_weaker_half(candidates, left, 0.0, False)
    assert left == 3
    assert candidates.order[:5] == [1, 3, 4, 0, 2]


@pytest.mark.parametrize("cost", [0.00001, 0.001, 0.01])
def test_most_tries_go_to_the_best_candidates_however_long_a_try_takes(
    cost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: Counter[int] = Counter()
    clock = [0.0]

    def try_all(left: int, number: int) -> None:
        tries[left] += number
        clock[0] += cost * left * number

    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    all_at_once(halve(5, 0.5, try_all, lambda left: (left + 1) // 2))
    assert list(tries) == [5, 3, 2]
    assert tries[2] > tries[3] > tries[5]
    assert clock[0] == pytest.approx(0.5, abs=0.03)


def test_slow_tries_overrun_the_time_by_one_look_at_each_candidate() -> None:
    tries: list[tuple[int, int]] = []
    all_at_once(
        halve(
            3, 0.0, lambda left, number: tries.append((left, number)), lambda left: (left + 1) // 2
        )
    )
    assert tries == [(3, 1), (2, 1)]


def test_a_single_candidate_is_not_tried() -> None:
    def refuse(*_: int) -> int:
        raise AssertionError

    all_at_once(halve(1, 1.0, refuse, refuse))
