"""Mistakes followed by dice luck differ from those of an honest player."""

from __future__ import annotations

import random
from typing import Any, cast

from foxclover.review.cheat_detection import SUSPICIOUS, foresight
from foxclover.review.schema import SeatRecord


def seat(pairs: list[tuple[float, float]]) -> SeatRecord:
    """A game of one decision before each roll."""
    decisions: list[Any] = [{"at": 2 * at, "loss": loss} for at, (loss, _) in enumerate(pairs)]
    chances: list[Any] = [{"at": 2 * at + 1, "luck": luck} for at, (_, luck) in enumerate(pairs)]
    return cast(SeatRecord, {"decisions": decisions, "chances": chances})


def test_luck_that_has_nothing_to_do_with_mistakes_is_not_suspicious() -> None:
    chance = random.Random(11)
    found = [
        foresight([seat([(max(0.0, chance.gauss(-1, 2)), chance.gauss(0, 5)) for _ in range(24)])])
        for _ in range(2_000)
    ]
    assert abs(sum(found) / len(found)) < 0.1
    assert 0.8 < sum(one * one for one in found) / len(found) < 1.2, (
        "standard errors are what they are called"
    )
    assert max(found) < SUSPICIOUS


def test_mistakes_that_pay_off_every_time_are_after_some_games() -> None:
    chance = random.Random(12)

    def played() -> SeatRecord:
        luck = [chance.gauss(0, 5) for _ in range(24)]
        return seat([(max(0.0, one), one) for one in luck])

    alone = [foresight([played()]) for _ in range(200)]
    assert min(alone) > 1
    assert sum(one > SUSPICIOUS for one in alone) < len(alone) / 2, "one game seldom suffices"
    assert min(foresight([played() for _ in range(5)]) for _ in range(200)) > SUSPICIOUS


def test_decisions_before_one_roll_are_added_and_those_after_the_last_left_out() -> None:
    both = seat([(3.0, 4.0), (0.0, -4.0)])
    split = seat([(3.0, 4.0), (0.0, -4.0)])
    split["decisions"] = cast(
        Any,
        [
            {"at": 0, "loss": 1.0},
            {"at": 0, "loss": 2.0},
            {"at": 2, "loss": 0.0},
            {"at": 9, "loss": 50.0},
        ],
    )
    assert foresight([split]) == foresight([both]) == 1.0


def test_a_game_without_mistakes_or_without_rolls_proves_nothing() -> None:
    assert foresight([seat([(0.0, 3.0)] * 5), seat([])]) == 0.0
    assert foresight([]) == 0.0
