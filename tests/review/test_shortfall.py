"""What a review expects beyond the net: as much as was measured, and nothing of it in losses or luck."""

import hashlib

import pytest

from foxclover import net_file
from foxclover.game import CHANCE, game
from foxclover.review import judge, review, shortfall
from reviewed import played


def test_it_was_measured_of_the_nets_that_are_shipped() -> None:
    assert shortfall.NETS.keys() == shortfall.POINTS.keys()
    for key, digest in shortfall.NETS.items():
        found = hashlib.sha256(net_file.shipped(key).read_bytes()).hexdigest()
        assert found == digest, f"measure the shortfall of {key} again: python bench/review.py shortfall {key}"


def test_losses_and_luck_are_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played(game("ganz"), "easy")
    (with_it,) = review(position, tried=False).seats
    monkeypatch.setattr(judge, "shortfall", lambda *_: 0.0)
    (without,) = review(position, tried=False).seats
    assert with_it.start - without.start == pytest.approx(shortfall.POINTS["ganz-schoen-clever"][6])
    assert with_it.rest - without.rest == pytest.approx(without.start - with_it.start)
    assert [made.loss for made in with_it.decisions] == pytest.approx([made.loss for made in without.decisions], abs=1e-9)
    assert [one.luck for one in with_it.chances] == pytest.approx([one.luck for one in without.chances], abs=1e-9)


@pytest.mark.parametrize(("players", "rounds"), [(1, 6), (2, 6), (3, 5), (4, 4)])
def test_everybody_has_a_turn_less_to_come_with_each_round(players: int, rounds: int) -> None:
    chosen = game("doppelt")
    position = played(chosen, "random", players)
    to_come: list[list[int]] = [[] for _ in range(players)]
    for state, move in position.history():
        if move.seat != CHANCE:
            to_come[move.seat].append(chosen.scoring.turns_to_come(chosen.book, state, move.seat))
    for turns in to_come:
        assert turns == sorted(turns, reverse=True)
        assert (turns[0] in (rounds, rounds - 1), set(range(1, rounds)) <= set(turns)) == (True, True)
    assert to_come[0][0] == rounds
