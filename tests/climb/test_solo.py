"""The solo rules, alone and as a variant.

A name with "ruling" is one where the rulebook is silent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from climb_table import Cards, Table
from foxclover.core.game import game

STANDARD = game("geht").definition.source.decode()
GREEN, YELLOW, RED = range(3)
EASY = "B1122 R666"


def buying_table(scored: Cards, active: Cards | None = None, deck: str = "") -> Table:
    table = Table(deck=deck)
    table.to_round(2)
    table.lay(0, active or {}, scored)
    table.do("take 2 luck")
    return table


def pushing_table(level: int, card: int, scored: Cards) -> Table:
    """One card is marked on a level, with these cards scored before."""
    table = Table()
    table.lay(0, {level: [card]}, scored)
    mine = table.player()
    spot = next(spot for spot in range(20) if mine.active[spot])
    table.roll()
    table.do("pay")
    mine = table.player()
    mine.marked, mine.reached = 1 << spot, level - 1
    table.do("out")
    return table


def test_one_player_always_has_the_solo_rules_and_more_have_them_as_a_variant() -> None:
    assert Table(players=1).view["solo_rules"]
    assert not Table(players=2).view["solo_rules"]
    assert Table(players=3, solo_rules=True).view["solo_rules"]


def test_1_the_back_of_the_strip_has_other_factors() -> None:
    table = Table()
    table.lay(0, {}, {1: [25], 2: [26], 3: [27], 4: [28], 5: [29]})
    assert [table.position.breakdown(0)[f"level{level}"] for level in (1, 2, 3, 4, 5)] == [
        1,
        2,
        3,
        4,
        6,
    ]


def test_2_scoring_on_level_4_gives_one_push_of_a_scored_card() -> None:
    table = pushing_table(4, 61, {1: [25], 2: [62]})
    table.do("score 61")
    assert table.legal() == {"lift 25", "lift 62", "done"}
    table.do("lift 62")
    assert table.scored() == {1: [25], 3: [62], 4: [61]}
    assert table.state.round == 2


def test_2_scoring_on_level_5_gives_two_pushes_which_may_go_to_one_card() -> None:
    table = pushing_table(5, 61, {1: [25], 2: [62]})
    table.do("score 61", "lift 25")
    assert table.legal() == {"lift 25", "lift 62", "done"}
    table.do("lift 25")
    assert table.scored() == {2: [62], 3: [25], 5: [61]}


def test_2_only_cards_of_the_same_or_an_easier_colour_are_pushed() -> None:
    scored = {1: [25], 2: [61], 3: [82]}
    for card, expected in (
        (26, {"lift 25"}),
        (62, {"lift 25", "lift 61"}),
        (83, {"lift 25", "lift 61", "lift 82"}),
    ):
        table = pushing_table(4, card, scored)
        table.do(f"score {card}")
        assert table.legal() == expected | {"done"}


def test_2_not_beyond_level_5_and_not_the_card_just_scored() -> None:
    table = pushing_table(4, 25, {5: [26]})
    table.do("score 25")
    assert table.state.round == 2  # nothing to push


def test_2_pushes_are_optional_and_unused_ones_are_lost() -> None:
    table = pushing_table(5, 25, {1: [26]})
    table.do("score 25", "lift 26", "done")
    assert table.scored() == {2: [26], 5: [25]}
    assert table.player().lifts == 0


def test_2_being_pushed_is_not_scoring() -> None:
    table = pushing_table(4, 25, {3: [26], 1: [27]})
    table.do("score 25", "lift 26")
    assert table.scored() == {1: [27], 4: [25, 26]}
    assert table.state.round == 2


def test_2_pushes_come_before_the_next_marked_card() -> None:
    table = pushing_table(4, 25, {1: [26]})
    mine = table.player()
    mine.active[0], mine.marked = table.definition.code_of["27"], mine.marked | 1
    table.do("score 25")
    assert table.legal() == {"lift 26", "done"}
    table.do("lift 26")
    assert table.legal() == {"push 27", "score 27"}


def test_2_scoring_on_lower_levels_gives_no_push() -> None:
    table = pushing_table(3, 25, {1: [26]})
    table.do("score 25")
    assert table.state.round == 2


def test_2_no_pushes_without_the_solo_rules() -> None:
    table = Table(players=2)
    table.lay(0, {4: [25]}, {1: [26]})
    table.roll()
    table.do("pay")
    table.player().marked = 1 << 12
    table.do("out")
    table.do("pay", "out", seat=1)
    table.do("score 25")
    assert table.state.round == 2


def test_3_there_is_no_income_but_green_cards_may_be_turned_in() -> None:
    table = buying_table({3: [25, 61], 2: [26]})
    assert table.player().money == 0
    assert table.legal() == {"turn in 25", "turn in 26", "done"}
    table.do("turn in 25")
    assert table.player().money == 3
    assert table.under() == [25]
    assert table.legal() == {"buy green", "buy yellow", "turn in 26", "done"}


def test_3_change_is_kept_until_the_phase_ends() -> None:
    table = buying_table({3: [25], 2: [26]})
    table.do("turn in 25", "buy yellow")
    table.card(61)
    assert table.player().money == 1
    table.do("turn in 26", "buy yellow")
    table.card(62)
    assert table.player().money == 1
    table.do("done")
    assert table.player().money == 0


def test_3_ruling_no_card_is_turned_in_while_the_money_at_hand_is_4_or_more() -> None:
    table = buying_table({4: [25], 1: [26]})
    table.do("turn in 25")
    assert table.player().money == 4
    assert table.legal() == {"buy green", "buy yellow", "buy red", "done"}


def test_3_ruling_no_card_is_turned_in_after_the_fourth_purchase() -> None:
    table = buying_table({4: [25], 1: [26]})
    table.do("turn in 25")
    for card in (30, 31, 32, 40):
        table.do("buy green")
        table.card(card)
    assert table.view["phase"] == "building"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("green = { points = 1, cost = 1", "green = { points = 1, cost = 3"),  # dear cards
        ("solo = [1, 2, 3, 4, 6]", "solo = [0, 0, 3, 4, 6]"),  # a factor of 0
    ],
)
def test_3_ruling_who_cannot_pay_for_anything_with_all_their_green_cards_is_not_asked(
    tmp_path: Path, old: str, new: str
) -> None:
    dear = STANDARD.replace("yellow = { points = 2, cost = 2", "yellow = { points = 2, cost = 3")
    assert old in dear
    deck = tmp_path / "dear.toml"
    deck.write_text(dear.replace(old, new))
    assert buying_table({1: [25, 26]}, deck=str(deck)).view["phase"] == "rolling"
    table = buying_table({1: [25, 26], 3: [27]}, deck=str(deck))
    assert table.legal() == {"turn in 25", "turn in 26", "turn in 27", "done"}


def test_3_multiplied_cards_give_3_or_4_times_and_the_marker_returns() -> None:
    table = Table()
    table.to_round(2)
    table.lay(0, {}, {2: [25], 1: [26]})
    table.multiply(25, 4)
    table.multiply(26, 3)
    table.do("take 2 luck", "turn in 26")
    assert table.player().money == 3
    table.do("turn in 25")
    assert table.player().money == 3 + 8
    assert table.state.multipliers == 4
    assert not any(table.state.tripled + table.state.fourfold)


def test_3_the_variant_for_more_players_spends_cards_too() -> None:
    table = Table(players=2, solo_rules=True)
    table.to_round(2)
    table.lay(1, {}, {3: [25]})
    table.all_do("take 2 luck")
    assert table.acting() == {1}
    assert table.legal(1) == {"turn in 25", "done"}


def test_4_eight_points_for_each_set_of_one_scored_card_of_every_colour() -> None:
    table = Table()
    table.lay(0, {}, {1: [25, 26, 27, 61, 62], 2: [82, 83]})
    assert table.position.breakdown(0)["sets"] == 16


def test_4_multiplied_cards_count_3_or_4_times_in_sets() -> None:
    table = Table()
    table.lay(0, {}, {1: [25, 61], 2: [82, 83, 84]})
    table.multiply(25, 4)
    table.multiply(61, 3)
    assert table.position.breakdown(0)["sets"] == 24


def test_4_sets_count_only_under_the_solo_rules() -> None:
    table = Table(players=2)
    table.lay(0, {}, {1: [25, 61, 82]})
    assert "sets" not in table.position.breakdown(0)
    assert table.position.score(0) == 1 + 2 + 4 + 1


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (0, 0),
        (1, 1),
        (20, 1),
        (21, 2),
        (40, 2),
        (41, 3),
        (61, 4),
        (81, 5),
        (101, 6),
        (121, 7),
        (140, 7),
        (141, 8),
        (300, 8),
    ],
)
def test_ranks(points: int, expected: int) -> None:
    assert game("geht").rating(points).step == expected


def test_ranks_are_shown_for_one_player_only() -> None:
    assert Table(players=1).view["players"][0]["rank"] == 1  # type: ignore[index]
    assert Table(players=2, solo_rules=True).view["players"][0]["rank"] == 0  # type: ignore[index]
