"""What a review adds up to."""

from __future__ import annotations

from pathlib import Path

import pytest

from foxclover.ai.families import family_of
from foxclover.game import CHANCE, LOT, game, games
from foxclover.review import MISTAKES, Review, review
from foxclover.review.judge import Judge
from foxclover.review.reviewing import use_of_luck
from foxclover.review.winning import chances_to_win
from reviewed import played

TABLES = [(key, players) for key in games() for players in (1, 2)] + [("geht-noch-was", 4)]


def figures(found: Review) -> list[tuple[object, ...]]:
    return [
        (
            seat.start,
            seat.luck,
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
        assert seat.start + seat.luck - seat.loss + seat.rest == pytest.approx(seat.score)
        assert sum(row.luck for row in seat.rounds) == pytest.approx(seat.luck)
        assert sum(row.loss for row in seat.rounds) == pytest.approx(seat.loss)
        assert sum(part.points for part in seat.parts.values()) == seat.score
        assert 0 < sum(part.loss for part in seat.parts.values()) <= seat.loss + 1e-9
        assert seat.curve[-1].expected == seat.score
        assert 0 < seat.percentile < 1


@pytest.mark.parametrize(
    "options", [["solo_rules"], ["free_placement"], ["solo_rules", "free_placement"]]
)
def test_variants_are_reviewed(options: list[str]) -> None:
    geht = game("geht")
    position = played(geht, "easy", 2, variant=geht.variant(options))
    for seat in review(position, tried=False).seats:
        assert seat.start + seat.luck - seat.loss + seat.rest == pytest.approx(
            position.score(seat.seat)
        )


@pytest.mark.parametrize("key", ["ganz", "geht"])
def test_who_begins_by_lot_is_nobodys_luck(key: str) -> None:
    chosen = game(key)
    position = played(chosen, "easy", 2, variant=chosen.variant([], LOT))
    for seat in review(position, tried=False).seats:
        assert all(chance.at > 0 for chance in seat.chances)
        assert seat.start + seat.luck - seat.loss + seat.rest == pytest.approx(
            position.score(seat.seat)
        )


def test_a_deck_of_ones_own_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(game("geht").book.source)
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
            buffer = [0] * ganz.rules.MOVES
            count = ganz.rules.legal(ganz.book.tables, state, 0, buffer)
            if count > 1:
                choices[at] = set(buffer[:count])
    assert {
        made.at: {option.move.number for option in made.options} for made in seat.decisions
    } == choices
    for made in seat.decisions:
        values = [option.expected for option in made.options]
        assert values == sorted(values, reverse=True)
        assert made.loss == pytest.approx(values[0] - made.played)


def test_the_same_moves_give_the_same_review() -> None:
    position = played(game("ganz"), "medium", 2, moves=60)
    judge = Judge(position.game)
    review(played(game("ganz"), "easy"), tried=False, judge=judge)
    assert figures(review(position, judge=judge)) == figures(review(position))


def test_a_game_that_is_on_is_judged_so_far() -> None:
    position = played(game("geht"), "medium", 2, moves=60)
    assert not position.over
    for seat in review(position, tried=False).seats:
        assert seat.score == seat.curve[-1].expected
        assert seat.start + seat.luck - seat.loss + seat.rest == pytest.approx(seat.score)
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


def test_what_is_told_as_no_loss_is_none() -> None:
    (seat,) = review(played(game("geht"), "medium"), tried=False).seats
    none = [made for made in seat.decisions if made.loss < 0.005]
    assert any(made.loss > 0 for made in none)
    assert {made.verdict for made in none} == {"best"}
    assert seat.share_best == len(none) / len(seat.decisions)


def test_who_leads_for_certain_wins_for_certain() -> None:
    assert chances_to_win([100, 60], [1, 1]) == pytest.approx([1, 0], abs=1e-6)
    assert chances_to_win([80, 80, 80], [30, 30, 30]) == pytest.approx([1 / 3] * 3)
    behind, ahead = chances_to_win([70, 80], [100, 100])
    assert behind == pytest.approx(
        0.24, abs=0.005
    )  # 10 points are 0.707 deviations of the difference
    assert behind + ahead == pytest.approx(1)


def test_luck_that_is_not_used_does_not_count() -> None:
    judgement = family_of(game("ganz")).JUDGEMENT
    shares = [use_of_luck(judgement, lost) for lost in (0, 1, 3, 6, 20)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.7 > 0.3 > shares[-1]
