"""The rolling phase, rule by rule. A name with "ruling" is one where the rulebook is silent."""

from __future__ import annotations

import pytest

from climb_table import Table
from foxclover.core.errors import IllegalMove
from foxclover.games.climb.rules.tableau import take_luck

GREEN = 0
EASY = "B1122 R666"  # fulfils =BB, W1, W2, W6, =RR | =BB and more
ONES = {1: [1, 25, 9], 2: [33, 26], 3: [34, 32], 4: [40, 41], 5: [42]}  # all fulfilled by EASY


def rolling_table(active: dict[int, list[int]], players: int = 1) -> Table:
    """Round 1, before the first roll; seat 0 has these cards."""
    table = Table(players=players)
    table.lay(0, active)
    return table


def test_the_first_card_of_a_round_is_on_level_1() -> None:
    table = rolling_table(ONES)
    table.roll(EASY)
    assert table.legal() == {"fulfil 1", "fulfil 25", "fulfil 9", "pay", "fail"}


def test_only_fulfilled_conditions_count() -> None:
    table = rolling_table({1: [1, 25, 28]})
    table.roll("B1123 R444")
    assert table.legal() == {"fulfil 1", "fulfil 25", "fulfil 28", "pay", "fail"}
    table = rolling_table({1: [1, 25, 28]})
    table.roll("B1456 R222")
    assert table.legal() == {"fulfil 25", "pay", "fail"}


def test_a_later_card_is_on_the_same_or_the_next_level() -> None:
    table = rolling_table(ONES)
    table.roll(EASY)
    table.do("fulfil 1", "stay")
    table.roll(EASY)
    assert table.legal() == {"fulfil 25", "fulfil 9", "fulfil 33", "fulfil 26", "pay", "fail"}
    table.do("fulfil 33", "stay")
    table.roll(EASY)
    # no lower level again, each card once
    assert table.legal() == {"fulfil 26", "fulfil 34", "fulfil 32", "pay", "fail"}


def test_no_level_is_skipped() -> None:
    table = rolling_table({1: [1], 3: [33]})
    table.roll(EASY)
    table.do("fulfil 1", "stay")
    table.roll(EASY)
    assert table.legal() == {"pay", "fail"}


def test_exactly_one_card_a_roll() -> None:
    table = rolling_table(ONES)
    table.roll(EASY)
    table.do("fulfil 1")
    assert table.legal() == {"stay", "out"}


def test_black_markers_first_then_luck_from_the_clover() -> None:
    table = rolling_table(ONES)
    for card in (1, 25, 9, 33, 26):
        table.roll(EASY)
        table.do(f"fulfil {card}", "stay")
    assert table.player().luck == 1
    table.roll(EASY)
    table.do("fulfil 34")
    assert table.player().luck == 0
    assert table.view["players"][0]["black"] == 0  # type: ignore[index]
    markers = {
        active["card"]: active["marker"]
        for level in table.view["players"][0]["levels"]
        for active in level["active"]
    }  # type: ignore[index]
    assert markers["26"] == "black"
    assert markers["34"] == "luck"
    assert table.state.supply == 15  # the marker lies on the card


def test_without_a_marker_no_card_can_be_fulfilled() -> None:
    table = rolling_table(ONES)
    for card in (1, 25, 9, 33, 26, 34):
        table.roll(EASY)
        table.do(f"fulfil {card}", "stay")
    table.roll(EASY)
    assert table.legal() == {"fail"}


def test_luck_may_be_paid_whether_one_cannot_or_does_not_want_to_fulfil() -> None:
    table = rolling_table({1: [1, 25]})
    table.roll("B3456 R333")
    assert table.legal() == {"pay", "fail"}
    table = rolling_table({1: [1, 25]})
    table.roll(EASY)
    table.do("pay")
    assert table.player().luck == 0
    assert table.state.supply == 16
    assert table.marked() == set()
    assert table.legal() == {"stay", "out"}


def test_ruling_luck_on_cards_does_not_count_towards_the_four_of_the_clover() -> None:
    table = rolling_table(ONES)
    for card in (1, 25, 9, 33, 26, 34):
        table.roll(EASY)
        table.do(f"fulfil {card}", "stay")
    mine = table.player()
    assert mine.lucky.bit_count() == 1
    take_luck(table.definition.tables, table.state, mine, 9)
    assert mine.luck == 4


def test_ruling_a_player_who_pays_but_could_fulfil_may_leave() -> None:
    table = rolling_table({1: [1, 25]})
    table.roll(EASY)
    assert "fulfil 1" in table.legal()
    table.do("pay")
    assert table.legal() == {"stay", "out"}
    table.do("out")
    assert table.view["round"] == 2


def test_paying_keeps_the_markers() -> None:
    table = rolling_table({1: [1, 25]})
    table.roll(EASY)
    table.do("fulfil 1", "stay")
    table.roll("B3456 R333")
    table.do("pay", "out")
    assert table.marked() == {1}


def test_after_paying_on_the_first_roll_the_next_card_is_still_on_level_1() -> None:
    table = rolling_table(ONES)
    table.roll(EASY)
    table.do("pay", "stay")
    table.roll(EASY)
    assert table.legal() == {"fulfil 1", "fulfil 25", "fulfil 9", "fail"}


def test_failing_is_allowed_even_if_a_card_could_be_fulfilled() -> None:
    table = rolling_table(ONES)
    table.roll(EASY)
    assert "fail" in table.legal()


def test_failing_takes_all_markers_off_and_brings_a_green_card_to_level_1() -> None:
    table = rolling_table({1: [1, 25], 2: [33]})
    table.roll(EASY)
    table.do("fulfil 1", "stay")
    table.roll(EASY)
    table.do("fulfil 33", "stay")
    table.roll("B3456 R333")
    table.do("fail")
    assert table.marked() == set()
    assert table.position.chance_due
    assert {move.text for move in table.position.legal_moves(-1)} == {
        f"card {number}" for number in table.shuffled(GREEN)
    }
    table.card(30)
    assert table.active() == {1: [1, 25, 30], 2: [33]}
    assert table.state.round == 2


def test_ruling_luck_markers_on_cards_go_to_the_supply_when_one_fails() -> None:
    table = rolling_table(ONES)
    for card in (1, 25, 9, 33, 26, 34):
        table.roll(EASY)
        table.do(f"fulfil {card}", "stay")
    table.roll()
    table.do("fail")
    assert table.state.supply == 16
    assert table.player().luck == 0


def test_ruling_a_consolation_card_without_room_goes_under_the_pile() -> None:
    table = rolling_table({1: [1, 2, 3, 4]})
    table.roll()
    table.do("fail")
    table.card(30)
    assert table.under() == [30]
    assert table.active() == {1: [1, 2, 3, 4]}


def test_a_consolation_card_is_never_exchanged() -> None:
    table = rolling_table({1: [1]})
    table.roll()
    table.do("fail")
    table.card(33)
    assert table.active() == {1: [1, 33]}


def test_without_a_green_card_to_be_had_failing_brings_none() -> None:
    table = rolling_table({1: [1]}, players=2)
    table.empty_pile(GREEN)
    table.roll()
    table.do("fail")
    assert table.acting() == {1}
    assert table.active() == {1: [1]}


def test_leaving_without_markers_earns_no_consolation_card() -> None:
    table = rolling_table({1: [1]})
    table.roll(EASY)
    table.do("pay", "out")
    assert table.active() == {1: [1]}
    assert table.state.round == 2


def test_nobody_may_leave_before_the_first_roll() -> None:
    table = rolling_table(ONES, players=2)
    assert table.acting() == set()
    with pytest.raises(IllegalMove):
        table.do("out")


def test_staying_is_always_allowed_even_if_the_next_roll_can_only_fail() -> None:
    table = rolling_table({1: [1]})
    table.roll(EASY)
    table.do("fulfil 1")
    assert "stay" in table.legal()


def test_out_is_final() -> None:
    table = rolling_table(ONES, players=2)
    table.lay(1, {1: [19, 20]})
    table.roll(EASY)
    table.do("fulfil 1", "out")
    table.do("fulfil 19", "stay", seat=1)
    table.roll(EASY)
    assert table.acting() == {1}
    assert table.legal() == set()


def test_who_is_out_gets_luck_at_every_further_roll_before_any_decision() -> None:
    table = rolling_table(ONES, players=2)
    table.lay(1, {1: [19, 20]})
    table.roll(EASY)
    table.do("fulfil 1", "out")
    assert table.player().luck == 1
    table.do("fulfil 19", "stay", seat=1)
    table.roll(EASY)
    assert table.player().luck == 2


def test_luck_of_those_who_are_out_ends_with_a_full_clover() -> None:
    table = rolling_table(ONES, players=2)
    table.lay(1, {1: [19, 20]})
    table.player(0).luck, table.state.supply = 4, 11
    table.roll(EASY)
    table.do("fulfil 1", "out")
    table.do("fulfil 19", "stay", seat=1)
    table.roll(EASY)
    assert table.player().luck == 4
    assert table.state.supply == 11


def test_ruling_scarce_luck_is_taken_clockwise_from_the_fairy() -> None:
    table = Table(players=4)
    table.to_round(3)  # the fairy sits on seat 2
    table.all_do("take 2 luck")
    for seat in range(4):
        table.player(seat).luck = 1
    table.roll()
    for seat in (0, 1, 3):
        table.do("pay", "out", seat=seat)
    table.do("pay", "stay", seat=2)
    table.state.supply = 2
    table.roll()
    assert [table.player(seat).luck for seat in range(4)] == [1, 0, 0, 1]


def test_all_players_decide_at_the_same_time_and_in_any_order() -> None:
    table = Table(players=3)
    table.roll()
    assert table.acting() == {0, 1, 2}
    table.do("pay", seat=2)
    table.do("pay", seat=0)
    table.do("out", seat=2)
    assert table.acting() == {0, 1}
    table.do("stay", seat=0)
    table.do("pay", "out", seat=1)
    assert table.view["chance"] == "roll"


def test_the_fairy_rolls_for_all_also_after_dropping_out() -> None:
    table = Table(players=2)
    assert table.position.rollers == (0,)
    table.roll()
    assert table.position.rollers == ()
    table.do("pay", "out", seat=0)
    table.do("pay", "stay", seat=1)
    assert table.view["chance"] == "roll"
    assert table.position.rollers == (0,), "out, and still the fairy of the round"
    table.roll()
    assert table.acting() == {1}


def test_the_fairy_of_the_next_round_rolls_next() -> None:
    table = Table(players=3)
    table.to_round(2)
    table.all_do("take 2 luck")
    assert table.position.rollers == (1,)


def test_a_round_has_at_most_10_rolls() -> None:
    table = Table()
    table.lay(0, {1: [1, 25, 9, 33], 2: [34, 26, 27, 32], 3: [40, 41, 42, 21]})
    table.player().luck, table.state.supply = 4, 12
    rolls = 0
    while table.state.round == 1 and table.view["phase"] == "rolling":
        table.roll(EASY)
        rolls += 1
        first = table.position.legal_moves(0)[
            0
        ].text  # the lowest card that can be fulfilled, if any
        table.do(*([first, "stay"] if first.startswith("fulfil") else ["fail"]))
        if table.view["chance"] == "draw":
            table.card(30)
    assert rolls == 10


def test_solo_gives_no_luck_for_leaving() -> None:
    table = Table()
    table.roll()
    table.do("pay", "out")
    assert table.player().luck == 0
    assert table.view["phase"] == "bonus"
