"""Pushing, the end of the game, scoring and piles, rule by rule.

A name with "ruling" is one where the rulebook is silent.
"""

from __future__ import annotations

from climb_table import Cards, Table
from foxclover.games.climb.rules.state import put_under

GREEN, YELLOW, RED = range(3)
EASY = "B1122 R666"


def pushing_table(active: Cards, fulfilled: list[int], luck: int = 1, number: int = 1) -> Table:
    """Seat 0 of two has fulfilled these cards, in this order, and is about to push.

    The other player had no marker.
    """
    table = Table(players=2)
    table.to_round(number)
    if number > 1:
        table.all_do("take 2 luck")
    table.lay(0, active)
    table.lay(1, {})
    table.player(0).luck, table.state.supply = luck, 15 - luck
    for index, card in enumerate(fulfilled):
        table.roll(EASY)
        table.do(f"fulfil {card}", "out" if index == len(fulfilled) - 1 else "stay")
        if index == 0:
            table.do("pay", "out", seat=1)
    return table


# -- 5. pushing


def test_marked_cards_are_pushed_or_scored_in_any_order_each_exactly_once() -> None:
    table = pushing_table({1: [1, 25], 2: [33]}, [1, 25, 33])
    assert table.acting() == {0}
    assert table.legal() == {"push 1", "score 1", "push 25", "score 25", "push 33", "score 33"}
    table.do("push 25")
    assert table.legal() == {"push 1", "score 1", "push 33", "score 33"}
    table.do("score 33", "push 1")
    assert table.active() == {2: [1, 25]}
    assert table.scored() == {2: [33]}
    assert table.state.round == 2


def test_unmarked_cards_stay_where_they_are() -> None:
    table = pushing_table({1: [1, 25], 3: [33]}, [1])
    table.do("score 1")
    assert table.active() == {1: [25], 3: [33]}


def test_a_card_moves_up_only_if_fewer_than_4_active_cards_lie_there_at_that_moment() -> None:
    table = pushing_table({1: [1], 2: [25, 26, 27, 33]}, [1, 33])
    assert table.legal() == {"score 1", "push 33", "score 33"}
    table.do("push 33")
    assert table.legal() == {"push 1", "score 1"}


def test_from_level_5_a_card_must_be_scored() -> None:
    table = pushing_table({1: [1], 2: [25], 3: [33], 4: [26], 5: [40]}, [1, 25, 33, 26, 40])
    assert "push 40" not in table.legal()
    table.do("score 40", "push 26")
    assert table.active()[5] == [26]


def test_markers_return() -> None:
    table = pushing_table({1: [1, 25, 9], 2: [33, 26, 34]}, [1, 25, 9, 33, 26, 34])
    assert table.player().luck == 0
    supply = table.state.supply
    table.do("score 34")
    assert table.state.supply == supply + 1
    table.do("score 1")
    assert table.view["players"][0]["black"] == 1  # type: ignore[index]


def test_ruling_scored_cards_have_no_limit_per_level() -> None:
    table = pushing_table({1: [1, 25, 9, 33]}, [1, 25, 9, 33])
    table.player().scored[0][GREEN] |= sum(
        1 << (table.definition.code_of[str(number)] & 63) for number in (26, 27, 40)
    )
    table.do("score 1", "score 25", "score 9", "score 33")
    assert len(table.scored()[1]) == 7


def test_players_without_a_marked_card_have_nothing_to_push() -> None:
    table = pushing_table({1: [1]}, [1])
    assert table.legal(1) == set()


def test_after_round_5_with_a_normal_pushing_phase_the_game_ends() -> None:
    table = pushing_table({1: [1, 25]}, [1, 25], number=5)
    assert table.legal() == {"push 1", "score 1", "push 25", "score 25"}
    table.do("score 1")
    assert not table.position.over
    table.do("push 25")
    assert table.position.over
    assert table.view["phase"] == "over"


# -- scoring


def test_the_worked_example_has_85_points() -> None:
    table = Table(players=2)
    table.lay(0, {}, {5: [61, 82], 4: [83], 3: [25, 62, 63], 2: [84, 26], 1: [64, 65, 27]})
    assert table.player().luck == 1
    assert table.position.breakdown(0) == {
        "level5": 48,
        "level4": 16,
        "level3": 10,
        "level2": 5,
        "level1": 5,
        "luck": 1,
    }
    assert table.position.score(0) == 85


def test_multiplied_cards_count_3_or_4_times() -> None:
    table = Table(players=2)
    table.lay(0, {}, {5: [61], 4: [82]})
    table.multiply(61, 3)
    table.multiply(82, 4)
    assert table.position.score(0) == 3 * 2 * 8 + 4 * 4 * 4 + 1


def test_ties_are_broken_by_unscored_cards_from_level_5_down() -> None:
    table = Table(players=4)
    table.lay(0, {5: [1], 1: [2]})
    table.lay(1, {5: [7], 2: [8]})
    table.lay(2, {4: [13, 14, 15, 16]})
    table.lay(3, {4: [19, 20, 21, 22]})
    assert table.position.places() == [2, 1, 3, 3]
    table.player(3).luck += 1
    assert table.position.places() == [3, 2, 4, 1]


# -- piles


def test_known_cards_come_up_last_in_the_order_they_went_under() -> None:
    table = Table()
    table.lay(0, {1: [1]})
    table.empty_pile(GREEN, keep=(30,))
    for number in (26, 61, 25):
        put_under(table.state, table.definition.code_of[str(number)])
    for expected in (30, 26, 25):
        table.roll()
        table.do("fail")
        assert [move.text for move in table.position.legal_moves(-1)] == [f"card {expected}"]
        table.card(expected)
        if table.view["phase"] == "bonus":
            table.do("take 2 luck")
    assert table.active() == {1: [1, 30, 26, 25]}
    assert table.under() == [61]


def failing_table(scored: Cards, others: Cards, players: int = 2) -> Table:
    """Seat 0 is about to fail while the green pile is empty; seat 1 has the other scored cards."""
    table = Table(players=players)
    table.lay(0, {1: [1]}, scored)
    table.lay(1, {}, others)
    table.empty_pile(GREEN)
    table.roll("B3456 R333")
    return table


def test_ruling_an_empty_pile_is_rebuilt_from_groups_of_4_else_3_scored_cards() -> None:
    table = failing_table({3: [25, 26, 27, 28, 29], 1: [30, 31]}, {2: [35, 36, 37]})
    table.do("fail")
    assert table.scored(0) == {1: [30, 31], 3: [25, 29]}  # the lowest number stays
    assert table.scored(1) == {2: [35]}
    assert table.shuffled(GREEN) == {26, 27, 28, 36, 37}
    assert table.state.multipliers == 2
    times = [
        (card["card"], card["times"])
        for player in table.view["players"]
        for row in player["levels"]
        for card in row["scored"]
    ]  # type: ignore[attr-defined]
    assert times == [("30", 1), ("31", 1), ("25", 4), ("29", 1), ("35", 3)]


def test_ruling_seven_cards_on_a_level_are_a_group_of_4_and_one_of_3() -> None:
    table = failing_table({3: [25, 26, 27, 28, 29, 30, 31]}, {})
    table.do("fail")
    assert table.scored(0) == {3: [25, 29]}
    assert table.state.multipliers == 2


def test_ruling_the_wanting_player_comes_first_then_clockwise_while_markers_last() -> None:
    table = Table(players=3)
    table.lay(0, {}, {1: [25, 26, 27]})
    table.lay(1, {}, {1: [28, 29, 30], 5: [31, 32, 33]})
    table.lay(2, {}, {1: [34, 35, 36]})
    table.empty_pile(GREEN)
    table.state.multipliers = 3
    table.roll("B3456 R333")
    table.do("fail", seat=1)
    assert table.scored(1) == {1: [28], 5: [31]}  # from level 5 down
    assert table.scored(2) == {1: [34]}
    assert table.scored(0) == {1: [25, 26, 27]}
    assert table.state.multipliers == 0


def test_a_marked_card_takes_no_further_part_and_counts_as_it_is_marked() -> None:
    table = failing_table({3: [25, 26, 27]}, {})
    table.multiply(25, 3)
    table.do("fail")
    assert table.scored(0) == {3: [25, 26, 27]}
    assert table.acting() == {1}


def test_the_score_is_the_same_before_and_after_a_pile_is_rebuilt() -> None:
    table = failing_table({3: [25, 26, 27, 28], 5: [29, 30, 31]}, {})
    before = table.position.score(0)
    table.do("fail")
    assert table.scored(0) == {3: [25], 5: [29]}
    assert table.position.score(0) == before


def test_if_nothing_comes_back_no_card_is_drawn() -> None:
    table = failing_table({3: [25, 26], 4: [27, 28]}, {})
    table.do("fail")
    assert table.acting() == {1}
    assert table.active(0) == {1: [1]}


def test_a_colour_of_which_no_card_can_be_had_cannot_be_bought() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {}, {3: [25, 26], 4: [27]})
    table.empty_pile(GREEN)
    table.empty_pile(YELLOW)
    table.all_do("take 2 luck")
    assert table.player().money == 8
    assert table.legal() == {"buy red", "done"}


def test_buying_from_an_empty_pile_rebuilds_it() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {}, {3: [25, 26, 27]})
    table.empty_pile(GREEN)
    table.all_do("take 2 luck")
    table.do("buy green")
    assert table.shuffled(GREEN) == {26, 27}
    table.card(27)
    assert table.waiting() == [27]
    assert table.player().money == 5


def test_all_scored_cards_of_a_colour_may_rebuild_yellow_and_red_too() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {}, {5: [25, 26], 2: [82, 83, 84], 1: [61, 62, 63, 64]})
    table.empty_pile(YELLOW)
    table.empty_pile(RED)
    table.all_do("take 2 luck")
    table.do("buy red")
    table.card(84)
    table.do("buy yellow")
    table.card(62)
    assert table.scored() == {1: [61], 2: [82], 5: [25, 26]}
    assert table.state.multipliers == 2
