"""The greedy player.

Sensible decisions, blind for the others' decisions on the same roll, much better than chance.
"""

from __future__ import annotations

import random

from climb_table import Table
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.dice.sources import seeded
from foxclover.games.climb.rules.evaluation import greedy
from foxclover.games.climb.rules.table import State

EASY = "B1122 R666"


def choice(position: Position, seat: int = 0) -> str:
    numbers = position.legal_numbers(seat)
    number = numbers[
        greedy(
            position.game.definition.tables, position.state, State(), seat, numbers, len(numbers)
        )
    ]
    return next(move.text for move in position.legal_moves(seat) if move.number == number)


def test_it_leaves_when_the_next_roll_can_only_fail() -> None:
    table = Table()
    table.lay(0, {1: [1]})
    table.player().luck, table.state.supply = 0, 16
    table.roll(EASY)
    table.do("fulfil 1")
    assert choice(table.position) == "out"


def test_it_stays_when_the_next_roll_is_as_good_as_safe() -> None:
    table = Table()
    table.lay(0, {1: [1, 13, 40, 45], 2: [41, 48, 22, 16]})
    table.roll(EASY)
    table.do("fulfil 1")
    assert choice(table.position) == "stay"


def test_it_fulfils_the_most_valuable_card() -> None:
    table = Table(players=2)
    table.to_round(5)
    table.all_do("take 2 luck")
    table.lay(0, {3: [1, 33], 4: [62]})
    table.player().luck, table.state.supply = 0, 14
    table.roll(EASY)
    table.player().marked, table.player().reached = 1 << 8, 2
    assert table.legal() == {"fulfil 33", "fulfil 62", "fail"}
    assert choice(table.position) == "fulfil 62"


def test_it_fails_only_when_nothing_else_is_left() -> None:
    table = Table()
    table.lay(0, {1: [1, 25], 2: [33]})
    table.roll(EASY)
    assert choice(table.position).startswith("fulfil")
    table.do("fulfil 1", "stay")
    table.player().luck = 0
    table.roll("B3456 R333")
    assert choice(table.position) == "fail"


def test_it_scores_in_the_last_round_and_pushes_a_hard_card_early() -> None:
    def pushing(number: int) -> str:
        table = Table(players=2)
        table.to_round(number)
        if number > 1:
            table.all_do("take 2 luck")
        table.lay(0, {3: [61]})
        table.roll()
        table.do("pay")
        table.player().marked = 1 << 8
        table.do("out")
        table.do("pay", "out", seat=1)
        return choice(table.position)

    assert pushing(1) == "push 61"
    assert pushing(5) == "score 61"


def test_it_does_not_look_at_the_others_decisions_on_the_same_roll() -> None:
    for dice in (EASY, "B3456 R333", "B1123 R456"):
        table = Table(players=3)
        table.roll(dice)
        before = choice(table.position)
        table.do("pay", "out", seat=1)
        table.do("pay", "stay", seat=2)
        assert choice(table.position) == before


def test_it_is_much_better_than_chance() -> None:
    def mean(thoughtful: bool) -> float:
        points = 0
        for seed in range(12):
            position, dice, chance = game("geht").start(2), seeded(seed), random.Random(seed)
            while not position.over:
                if position.chance_due:
                    position.push(dice.draw(position))
                else:
                    seat = position.acting[0]
                    text = (
                        choice(position, seat)
                        if thoughtful
                        else chance.choice(position.legal_moves(seat)).text
                    )
                    position.push_text(text, seat)
            points += position.score(0) + position.score(1)
        return points / 24

    assert mean(thoughtful=True) > 5 * mean(thoughtful=False)
