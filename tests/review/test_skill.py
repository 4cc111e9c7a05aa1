"""The skill rating: losses per decision on the scale of the computer players."""

from __future__ import annotations

import pytest

from foxclover.core.game import game, game_names
from foxclover.review import SeatReview, review
from foxclover.review.analyser import Analyser
from foxclover.review.skill import (
    LATEST,
    Lost,
    Neighbours,
    Skill,
    curve,
    marks_of,
    neighbours,
    rate,
)
from reviewed import played

GAMES = 24
MARKS = {"random": Skill(8.0, 0.3, 9), "easy": Skill(4.0, 0.1, 9), "strong": Skill(0.1, 0.0, 9)}


def test_a_rating_is_the_loss_per_decision_with_the_error_of_a_ratio() -> None:
    assert rate([]) is None
    assert rate([Lost(0.0, 0)]) is None
    assert rate([Lost(30.0, 20)]) == Skill(1.5, None, 1)
    found = rate([Lost(30.0, 20), Lost(10.0, 20), Lost(0.0, 0)])
    assert found is not None
    assert (found.loss, found.games) == (1.0, 2)
    assert found.error == pytest.approx((2 * (10**2 + 10**2)) ** 0.5 / 40)


def test_only_the_latest_games_count() -> None:
    games = [Lost(100.0, 10)] * 3 + [Lost(10.0, 10)] * LATEST
    assert rate(games) == Skill(1.0, 0.0, LATEST)
    found = curve(games)
    assert (len(found), found[0], found[-1]) == (len(games), 10.0, 1.0)
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize(
    ("loss", "error", "expected"),
    [
        (9.0, 0.2, Neighbours("", "random")),
        (5.0, None, Neighbours("random", "easy")),
        (4.2, 0.3, Neighbours("easy", "easy")),
        (1.0, 0.3, Neighbours("easy", "strong")),
        (0.05, 0.0, Neighbours("strong", "")),
    ],
)
def test_a_rating_is_between_two_computer_players(
    loss: float, error: float | None, expected: Neighbours
) -> None:
    assert neighbours(Skill(loss, error, 5), MARKS) == expected
    assert neighbours(Skill(loss, error, 5), {}) == Neighbours("", "")


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("name", game_names())
def test_the_published_marks_separate_the_strengths(name: str, several: bool) -> None:
    marks = marks_of(game(name), several)
    assert list(marks) == ["random", "easy", "medium", "strong"], "the weakest first"
    for weaker, stronger in zip(list(marks.values()), list(marks.values())[1:], strict=False):
        assert weaker.error is not None
        assert stronger.error is not None
        assert weaker.loss - stronger.loss > 2 * (weaker.error**2 + stronger.error**2) ** 0.5


@pytest.mark.parametrize("name", game_names())
def test_dice_luck_does_not_move_a_rating(name: str) -> None:
    """The same way to decide in the luckier and in the unluckier half of some games."""
    chosen = game(name)
    analyser = Analyser(chosen)
    seats = [
        review(
            played(chosen, "medium", seed=3, number=number), tried=False, analyser=analyser
        ).seats[0]
        for number in range(GAMES)
    ]
    seats.sort(key=lambda seat: seat.dice_luck)
    unlucky, lucky = seats[: GAMES // 2], seats[GAMES // 2 :]
    low, high = rated(unlucky), rated(lucky)
    assert mean_score(lucky) > 1.05 * mean_score(unlucky), "points follow the dice"
    assert low.error is not None
    assert high.error is not None
    assert abs(high.loss - low.loss) < 2 * (low.error**2 + high.error**2) ** 0.5
    weak = rated(
        [
            review(
                played(chosen, "easy", seed=3, number=number), tried=False, analyser=analyser
            ).seats[0]
            for number in range(6)
        ]
    )
    assert weak.error is not None
    assert weak.loss - high.loss > 2 * (weak.error**2 + high.error**2) ** 0.5, "but decisions do"


def rated(seats: list[SeatReview]) -> Skill:
    found = rate([Lost(seat.loss, len(seat.decisions)) for seat in seats])
    assert found is not None
    return found


def mean_score(seats: list[SeatReview]) -> float:
    return sum(seat.score for seat in seats) / len(seats)
