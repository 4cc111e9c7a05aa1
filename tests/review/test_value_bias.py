"""What a review expects beyond the net.

As much as was measured, and nothing of it in losses or luck.
"""

from pathlib import Path

import pytest

from families import CLEVER
from foxclover import ai
from foxclover.ai import agents, nets
from foxclover.ai.families import Strength
from foxclover.ai.nets import value_bias
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.review import analyser, review
from own_sheet import write_sheet
from reviewed import played


@pytest.mark.parametrize("key", CLEVER)
def test_the_shipped_nets_have_a_measured_bias(key: str) -> None:
    found = nets.read_accuracy(nets.shipped(game(key))).value_bias
    most = max(game(key).definition.tables.rounds)
    assert len(found) == most + 1, f"measure it: python bench/review.py shortfall {key} --keep"
    assert found[0] == 0


@pytest.mark.parametrize("key", CLEVER)
def test_hints_have_the_error_that_was_measured(key: str) -> None:
    chosen = game(key)
    found = nets.read_accuracy(nets.shipped(chosen)).rmse
    position = chosen.start()
    position.roll(seeded(1))
    turns = chosen.scoring.turns_to_come(chosen.definition, position.state, 0)
    assert turns == len(found) - 1, f"measure it: python bench/values.py {key} --keep"
    assert found[turns] > 2
    for ranked in ai.adviser("net", chosen).rank(position, 0):
        assert ranked.error == found[turns]


def test_nothing_is_added_where_it_was_not_measured(tmp_path: Path) -> None:
    for chosen in (game("geht"), game(str(write_sheet(tmp_path / "own")))):
        position = chosen.start(1)
        assert value_bias(chosen, position.state, 0) == 0
    assert nets.value_error(chosen, position.state, 0) == 0


def test_losses_and_luck_are_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played(game("ganz"), "easy")
    (with_it,) = review(position, tried=False).seats
    monkeypatch.setattr(analyser, "value_bias", lambda *_: 0.0)
    (without,) = review(position, tried=False).seats
    assert with_it.start - without.start == pytest.approx(
        nets.read_accuracy(nets.shipped(game("ganz"))).value_bias[6]
    )
    assert with_it.rest - without.rest == pytest.approx(without.start - with_it.start)
    assert [made.loss for made in with_it.decisions] == pytest.approx(
        [made.loss for made in without.decisions], abs=1e-9
    )
    assert [chance.dice_luck for chance in with_it.chances] == pytest.approx(
        [chance.dice_luck for chance in without.chances], abs=1e-9
    )


def test_a_hint_promises_what_a_review_says() -> None:
    chosen = game("ganz")
    adviser, reviewer = ai.adviser("net", chosen), analyser.Analyser(chosen)
    for moment in list(analyser.moments(played(chosen, "greedy")))[:20]:
        if moment.move.seat != CHANCE:
            hinted = adviser.rank(Position(chosen, moment.state), moment.move.seat)
            assert hinted[0].expected == pytest.approx(reviewer.rate(moment).options[0][1])


def test_moves_tried_out_and_moves_only_rated_promise_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "value_bias", lambda *_: 1000.0)
    position = game("ganz").start()
    position.roll(seeded(1))
    hinted = agents.SearchAgent(position.game, Strength(seconds=0.01, prior=50.0), seed=1).rank(
        position, 0
    )
    rated = nets.value_error(position.game, position.state, 0)
    assert rated > 1
    assert {value.error > rated for value in hinted} == {True, False}
    assert all(1000 < value.expected < 1500 for value in hinted)


@pytest.mark.parametrize(("players", "rounds"), [(1, 6), (2, 6), (3, 5), (4, 4)])
def test_every_seat_has_a_turn_less_to_come_with_each_round(players: int, rounds: int) -> None:
    chosen = game("doppelt")
    position = played(chosen, "random", players)
    to_come: list[list[int]] = [[] for _ in range(players)]
    for state, move in position.history():
        if move.seat != CHANCE:
            to_come[move.seat].append(
                chosen.scoring.turns_to_come(chosen.definition, state, move.seat)
            )
    for turns in to_come:
        assert turns == sorted(turns, reverse=True)
        assert (turns[0] in (rounds, rounds - 1), set(range(1, rounds)) <= set(turns)) == (
            True,
            True,
        )
    assert to_come[0][0] == rounds
