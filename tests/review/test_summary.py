"""What a review adds up to."""

from __future__ import annotations

from pathlib import Path

import pytest

from foxclover.ai.families import family_of
from foxclover.core.game import game, game_names
from foxclover.core.rules import CHANCE, MAX_MOVES, RANDOM
from foxclover.review import MISTAKES, Review, review, summary
from foxclover.review.analyser import Analyser
from foxclover.review.schema import DiceLuck, Point, SeatReview
from foxclover.review.summary import add_chances_to_win, chances_to_win, dice_luck_used
from reviewed import played

TABLES = [(key, players) for key in game_names() for players in (1, 2)] + [("geht-noch-was", 4)]


def figures(found: Review) -> list[tuple[object, ...]]:
    return [
        (
            seat.start,
            seat.dice_luck,
            seat.loss,
            seat.adjusted,
            [(made.at, made.loss, made.error, made.verdict) for made in seat.decisions],
            seat.curve,
        )
        for seat in found.seats
    ]


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_start_luck_loss_and_rest_make_the_score(key: str, players: int) -> None:
    position = played(game(key), "medium", players)
    found = review(position, tried=False)
    assert [seat.seat for seat in found.seats] == list(range(players))
    for seat in found.seats:
        assert seat.score == position.score(seat.seat)
        assert seat.start + seat.dice_luck - seat.loss + seat.rest == pytest.approx(seat.score)
        assert sum(row.dice_luck for row in seat.rounds) == pytest.approx(seat.dice_luck)
        assert sum(row.loss for row in seat.rounds) == pytest.approx(seat.loss)
        assert sum(part.points for part in seat.parts) == seat.score
        assert 0 < sum(part.loss for part in seat.parts) <= seat.loss + 1e-9
        assert seat.curve[-1].expected == seat.score
        assert 0 < seat.percentile < 1


@pytest.mark.parametrize(
    "options", [["solo_rules"], ["free_placement"], ["solo_rules", "free_placement"]]
)
def test_variants_are_reviewed(options: list[str]) -> None:
    geht = game("geht")
    position = played(geht, "easy", 2, setup=geht.setup(options))
    for seat in review(position, tried=False).seats:
        assert seat.start + seat.dice_luck - seat.loss + seat.rest == pytest.approx(
            position.score(seat.seat)
        )


@pytest.mark.parametrize("key", ["ganz", "geht"])
def test_a_random_start_player_is_no_dice_luck(key: str) -> None:
    chosen = game(key)
    position = played(chosen, "easy", 2, setup=chosen.setup(start_player=RANDOM))
    for seat in review(position, tried=False).seats:
        assert all(chance.at > 0 for chance in seat.chances)
        assert seat.start + seat.dice_luck - seat.loss + seat.rest == pytest.approx(
            position.score(seat.seat)
        )


def test_a_custom_deck_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(game("geht").definition.source)
    position = played(game("geht", str(file)), "easy")
    (seat,) = review(position, tried=False).seats
    assert seat.decisions


def test_every_decision_has_the_values_of_all_legal_moves() -> None:
    ganz = game("ganz")
    position = played(ganz, "easy")
    (seat,) = review(position, tried=False).seats
    choices = {}
    for at, (state, move) in enumerate(position.history()):
        if move.seat != CHANCE:
            buffer = [0] * MAX_MOVES
            count = ganz.rules.legal(ganz.definition.tables, state, 0, buffer)
            if count > 1:
                choices[at] = set(buffer[:count])
    assert {
        made.at: {option.move.number for option in made.options} for made in seat.decisions
    } == choices
    for made in seat.decisions:
        values = [option.expected for option in made.options]
        assert values == sorted(values, reverse=True)
        assert made.loss == pytest.approx(values[0] - made.expected)


def test_the_same_moves_give_the_same_review() -> None:
    position = played(game("ganz"), "medium", 2, moves=60)
    analyser = Analyser(position.game)
    review(played(game("ganz"), "easy"), tried=False, analyser=analyser)
    assert figures(review(position, analyser=analyser)) == figures(review(position))


def test_an_unfinished_game_is_reviewed_so_far() -> None:
    position = played(game("geht"), "medium", 2, moves=60)
    assert not position.over
    for seat in review(position, tried=False).seats:
        assert seat.score == seat.curve[-1].expected
        assert seat.start + seat.dice_luck - seat.loss + seat.rest == pytest.approx(seat.score)
        assert 0 < seat.curve[-1].winning < 1


def test_mistakes_are_confirmed_by_trying_them_out() -> None:
    position = played(game("ganz"), "easy", seed=4)
    (rated,), (tried,) = review(position, tried=False).seats, review(position).seats
    assert tried.mistakes()
    for before, after in zip(rated.decisions, tried.decisions, strict=True):
        if before.loss < 1:
            assert (after.loss, after.error) == (before.loss, 0)
        else:
            assert after.error >= 0
            assert after.loss != before.loss or after.error == 0
        if after.verdict in MISTAKES:
            assert after.loss >= 2 * after.error
            assert after.best.number != after.move.number


def test_a_decision_called_best_has_no_loss() -> None:
    (seat,) = review(played(game("geht"), "medium"), tried=False).seats
    none = [made for made in seat.decisions if made.loss < 0.005]
    assert any(made.loss > 0 for made in none)
    assert {made.verdict for made in none} == {"best"}
    assert seat.share_best == len(none) / len(seat.decisions)


def test_who_leads_for_certain_wins_for_certain() -> None:
    assert chances_to_win([100, 60], [1, 1]) == pytest.approx([1, 0], abs=1e-6)
    assert chances_to_win([80, 80, 80], [30, 30, 30]) == pytest.approx([1 / 3] * 3)
    behind, ahead = chances_to_win([70, 80], [100, 100])
    # 10 points are 0.707 deviations of the difference
    assert behind == pytest.approx(0.24, abs=0.005)
    assert behind + ahead == pytest.approx(1)


def test_luck_that_is_not_used_does_not_count() -> None:
    settings = family_of(game("ganz")).REVIEW
    shares = [dice_luck_used(settings, lost) for lost in (0, 1, 3, 6, 20)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.7 > 0.3 > shares[-1]


@pytest.mark.parametrize("over", [True, False])
def test_chances_to_win_are_computed_once_a_moment_for_all_seats(
    over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = played(game("geht"), "random", 4)
    moves, move = len(position.moves_made), position.moves_made[0]
    if not over:
        position.pop()
    reviews = []
    for seat in range(4):
        chances = [
            DiceLuck(at, 1, move, 50.0, 50.0 + seat, 1.0 + (at * seat) % 7)
            for at in range(seat, moves - 2, 3)
        ]
        curve = [Point(at, 60.0 + seat + at / 10, 1.0) for at in range(0, moves - 1, 2)] + [
            Point(moves, 80.0, 1.0)
        ] * over
        reviews.append(SeatReview(seat, "", 80.0, 0.0, [], chances, curve))
    counted = []
    monkeypatch.setattr(
        summary, "chances_to_win", lambda *both: counted.append(both) or chances_to_win(*both)
    )
    add_chances_to_win(position, reviews)
    assert len(counted) == len(range(0, moves - 1, 2))
    left = 0 if over else position.view()["rounds"] - position.state.round
    for seat in reviews:
        for point in seat.curve[: len(counted)]:
            expected = [
                [one for one in other.curve if one.at <= point.at][-1].expected for other in reviews
            ]
            spread = [
                sum(one.variance for one in other.chances if one.at >= point.at)
                + sum(one.variance for one in other.chances) * left / max(position.state.round, 1)
                for other in reviews
            ]
            assert point.winning == pytest.approx(chances_to_win(expected, spread)[seat.seat])
        assert not over or seat.curve[-1].winning == (seat.seat in position.winners) / len(
            position.winners
        )
