"""Exact odds.

Of conditions, of sets of cards, of a player's next roll, and of staying in against going out.
"""

from __future__ import annotations

from collections import Counter

import pytest

from climb_table import Cards, Table
from foxclover.core.errors import ConditionError
from foxclover.core.rules import CHANCE, MAX_MOVES
from foxclover.games.climb.conditions import dice_of, outcome_of
from foxclover.games.climb.rules.moves import FAIL, STAY
from foxclover.games.climb.rules.state import OUTCOMES, ROLLS, SPOTS, State
from foxclover.games.climb.rules.table import apply, legal
from foxclover.games.climb.scoring import (
    any_odds,
    condition_odds,
    points_value,
    position_odds,
    position_stakes,
    stakes,
)

EASY = "B1122 R666"
WIDE: Cards = {1: [1, 2, 3], 2: [10, 25, 28], 3: [61, 63, 68], 4: [74, 76], 5: [82]}


def test_odds_of_a_condition() -> None:
    odds = condition_odds("  =RR|=BB")
    assert odds.text == "=RR | =BB"
    assert (odds.hits, odds.of) == (236_736, 279_936)
    assert odds.probability == pytest.approx(1 - (5 / 6 * 4 / 6) * (5 / 6 * 4 / 6 * 3 / 6))


def test_odds_of_a_text_that_is_no_condition() -> None:
    with pytest.raises(ConditionError, match="column 2"):
        condition_odds("W")


def test_odds_of_at_least_one_of_several_cards() -> None:
    assert any_odds(["W4", "W4"]).hits == condition_odds("W4").hits
    assert any_odds(["W4", "W5"]).hits == ROLLS - 4**7
    assert any_odds(["=RR", "=BB"]).hits == condition_odds("=RR | =BB").hits


def test_odds_of_a_position() -> None:
    table = Table(players=2)
    table.lay(0, {1: [3, 15], 2: [25], 3: [28]})
    odds = position_odds(table.definition, table.state, 0)
    assert [(card.card, card.level, card.odds.text) for card in odds.cards] == [
        ("3", 1, "W4"),
        ("15", 1, "W5"),
    ]
    assert odds.fail.hits == 4**7
    table.roll("B4444 R444")
    table.do("fulfil 3")
    odds = position_odds(table.definition, table.state, 0)
    assert [(card.card, card.level) for card in odds.cards] == [("15", 1), ("25", 2)]
    assert odds.fail.hits == 4**7


def test_without_markers_every_roll_fails() -> None:
    table = Table(players=2)
    table.player().luck = 0
    table.lay(0, {1: [1, 25, 9, 33], 2: [34, 26, 27, 32]})
    table.player().marked = 0b11111
    table.player().reached = 1
    assert position_odds(table.definition, table.state, 0).fail.hits == ROLLS


def value_by_the_rules(table: Table) -> tuple[float, float]:
    """Return the values of staying and leaving for seat 0 of a solo game.

    Plays every outcome of every roll with the rules themselves.
    """
    deck = table.definition.tables
    value = points_value(table.definition, table.state, table.player())

    def leave(state: State) -> float:
        mine = state.seats[0]
        return mine.luck + sum(value[spot] for spot in range(SPOTS) if mine.marked >> spot & 1)

    known: dict[tuple[int, int], float] = {}

    def stay(state: State) -> float:
        mine = state.seats[0]
        if (mine.marked, mine.luck) not in known:
            known[mine.marked, mine.luck] = (
                sum(weight * best_of(moves, rolled) for moves, rolled, weight in rolls(state))
                / ROLLS
            )
        return known[mine.marked, mine.luck]

    def rolls(state: State) -> list[tuple[tuple[int, ...], State, int]]:
        """Return the different choices after a roll, each with a position and its weight."""
        rolling = state.copy()
        apply(deck, rolling, 0, STAY)
        apply(deck, rolling, CHANCE, 0)
        found: Counter[tuple[int, ...]] = Counter()
        moves = [0] * MAX_MOVES
        for outcome in range(OUTCOMES):
            rolling.outcome = outcome
            found[tuple(moves[: legal(deck, rolling, 0, moves)])] += deck.weight[outcome]
        return [(choice, rolling, weight) for choice, weight in found.items()]

    def best_of(moves: tuple[int, ...], state: State) -> float:
        choices = []
        for move in moves:
            after = state.copy()
            apply(deck, after, 0, move)
            choices.append(
                float(after.seats[0].luck) if move == FAIL else max(leave(after), stay(after))
            )
        return max(choices)

    return stay(table.state), leave(table.state)


@pytest.mark.parametrize(
    ("active", "luck"),
    [({1: [1, 15]}, 1), ({1: [1], 2: [61, 4]}, 0), ({1: [1], 2: [10]}, 2), ({1: [1], 3: [61]}, 1)],
)
def test_the_values_of_staying_and_leaving_follow_the_rules(active: Cards, luck: int) -> None:
    table = Table()
    table.lay(0, active)
    table.player().luck, table.state.supply = luck, 16 - luck
    table.roll("B1111 R246")
    table.do("fulfil 1")
    expected = value_by_the_rules(table)
    found = position_stakes(table.definition, table.state, 0)
    assert (found.stay, found.leave) == pytest.approx(expected)


def test_black_markers_run_out_in_the_value_of_staying_too() -> None:
    table = Table()
    table.lay(0, {1: [1, 25, 9, 33], 2: [34, 26]})
    table.player().luck, table.state.supply = 1, 15
    for card in (1, 25, 9):
        table.roll(EASY)
        table.do(f"fulfil {card}", "stay")
    table.roll(EASY)
    table.do("fulfil 33")
    expected = value_by_the_rules(table)
    found = position_stakes(table.definition, table.state, 0)
    assert (found.stay, found.leave) == pytest.approx(expected)


def test_leaving_is_right_when_the_next_roll_can_only_fail() -> None:
    table = Table()
    table.lay(0, {1: [1]})
    table.player().luck, table.state.supply = 0, 16
    table.roll(EASY)
    table.do("fulfil 1")
    found = stakes(
        table.definition,
        table.player(),
        points_value(table.definition, table.state, table.player()),
    )
    assert (found.stay, found.leave) == (0.0, 1.0)


def test_a_higher_value_of_failing_and_of_luck_is_counted() -> None:
    table = Table()
    table.lay(0, {1: [1]})
    table.roll(EASY)
    table.do("fulfil 1")
    found = stakes(table.definition, table.player(), [0.0] * SPOTS, luck_value=2.0, fail_value=0.5)
    assert (found.stay, found.leave) == (2.5, 2.0)


def test_outcomes_of_the_rules_are_those_of_the_conditions() -> None:
    table = Table()
    table.roll("B1336 R225")
    assert dice_of(table.state.outcome) == ((1, 3, 3, 6), (2, 2, 5))
    assert table.state.outcome == outcome_of((6, 3, 1, 3), (5, 2, 2))
