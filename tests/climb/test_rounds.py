"""Setup, bonus, buying and building, rule by rule.

A name with "ruling" is one where the rulebook is silent.
"""

from __future__ import annotations

import pytest

from climb_table import Table

GREEN, YELLOW, RED = range(3)


# -- setup


def test_players_get_start_sets_a_to_d_laid_out_as_the_deck_says() -> None:
    table = Table(players=4)
    assert [table.active(seat) for seat in range(4)] == [
        {1: [1, 2], 2: [3, 4], 3: [5, 6]},
        {1: [7, 8], 2: [9, 10], 3: [11, 12]},
        {1: [13, 14], 2: [15, 16], 3: [17, 18]},
        {1: [19, 20], 2: [21, 22], 3: [23, 24]},
    ]


def test_unused_start_cards_are_shuffled_into_their_piles() -> None:
    table = Table(players=2)
    assert table.shuffled(GREEN) >= {13, 14, 15, 16, 19, 20, 21, 22}
    assert table.shuffled(YELLOW) >= {17, 18, 23, 24}
    assert len(table.shuffled(GREEN)) == 36 + 8
    assert len(table.shuffled(YELLOW)) == 21 + 4
    assert len(table.shuffled(RED)) == 15


def test_ruling_player_1_is_the_first_fairy_and_the_fairy_passes_clockwise() -> None:
    table = Table(players=3)
    fairies = []
    for number in range(1, 6):
        table.to_round(number)
        fairies.append(table.state.fairy)
    assert fairies == [0, 1, 2, 0, 1]


def test_start_cards_may_be_placed_freely_all_six_on_levels_1_to_3_at_most_4_a_level() -> None:
    table = Table(players=2, free_placement=True)
    assert table.state.round == 0
    assert table.waiting() == [1, 2, 3, 4, 5, 6]
    assert table.legal() == {
        f"build {card} on {level}" for card in range(1, 7) for level in (1, 2, 3)
    }
    table.do("build 1 on 1", "build 2 on 1", "build 5 on 1", "build 6 on 1")
    assert table.legal() == {f"build {card} on {level}" for card in (3, 4) for level in (2, 3)}
    table.do("build 3 on 3", "build 4 on 3")
    assert table.acting() == {1}
    table.do(
        *(f"build {card} on 2" for card in (7, 8, 9, 10)), "build 11 on 1", "build 12 on 3", seat=1
    )
    assert table.active() == {1: [1, 2, 5, 6], 3: [3, 4]}
    assert table.position.chance_due
    assert table.state.round == 1


# -- 1. bonus


def test_round_1_gives_each_player_one_luck() -> None:
    table = Table(players=4)
    assert [table.player(seat).luck for seat in range(4)] == [1, 1, 1, 1]
    assert table.state.supply == 12
    assert table.view["phase"] == "rolling"


def test_round_1_has_no_buying_and_building() -> None:
    assert Table(players=2).position.chance_due


@pytest.mark.parametrize(
    ("number", "colour"), [(2, "green"), (3, "yellow"), (4, "yellow"), (5, "red")]
)
def test_later_rounds_offer_two_luck_or_one_luck_and_a_card(number: int, colour: str) -> None:
    table = Table(players=2)
    table.to_round(number)
    assert table.legal(0) == table.legal(1) == {"take 2 luck", f"take 1 luck + {colour}"}


def test_luck_is_limited_by_the_clover() -> None:
    table = Table()
    table.to_round(2)
    table.player().luck, table.state.supply = 3, 13
    table.do("take 2 luck")
    assert table.player().luck == 4
    assert table.state.supply == 12


def test_luck_is_limited_by_the_supply() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.state.supply = 1
    table.do("take 2 luck", seat=1)
    table.do("take 2 luck", seat=0)
    assert [table.player(seat).luck for seat in (0, 1)] == [1, 2]
    assert table.state.supply == 0


def test_a_bonus_card_waits_beside_the_clover_until_building() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.do("take 1 luck + green")
    assert table.position.chance_due
    assert table.acting() == set()
    table.card(25)
    assert table.waiting() == [25]
    assert table.acting() == {1}


def test_either_bonus_may_be_chosen_with_a_full_clover_and_an_empty_pile() -> None:
    table = Table()
    table.to_round(2)
    table.player().luck = 4
    table.empty_pile(GREEN)
    assert table.legal() == {"take 2 luck", "take 1 luck + green"}
    table.do("take 1 luck + green")
    assert table.waiting() == []
    assert table.player().luck == 4
    assert table.view["phase"] == "rolling"


def test_ruling_bonus_cards_are_never_exchanged_and_are_no_purchases() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {1: [1]}, {1: [25, 26, 27, 28]})
    table.do("take 1 luck + green")
    table.card(33)  # identical to the active card 1
    assert table.acting() == {1}
    table.do("take 2 luck", seat=1)
    assert table.view["players"][0]["purchases"] == 4  # type: ignore[index]
    for card in (30, 31, 32, 40):
        table.do("buy green")
        table.card(card)
    assert table.waiting() == [33, 30, 31, 32, 40]


# -- 2. buying


def buying_table(
    active: dict[int, list[int]], scored: dict[int, list[int]], players: int = 2
) -> Table:
    """Round 2, all players have taken their bonus; seat 0 has these cards."""
    table = Table(players=players)
    table.to_round(2)
    table.lay(0, active, scored)
    table.all_do("take 2 luck")
    return table


def test_the_income_of_the_rulebook_example_is_5() -> None:
    table = buying_table({}, {1: [25, 26], 2: [27], 3: [28, 61]})
    assert table.player().money == 5
    assert table.legal() == {"buy green", "buy yellow", "buy red", "done"}


def test_with_5_a_player_buys_a_red_and_a_green_card() -> None:
    table = buying_table({}, {1: [25, 26], 2: [27], 3: [28, 61]})
    table.do("buy red")
    table.card(82)
    assert table.legal() == {"buy green", "done"}
    table.do("buy green")
    table.card(30)
    assert table.waiting() == [82, 30]
    assert table.view["phase"] == "building"


def test_with_5_a_player_buys_a_yellow_and_three_green_cards() -> None:
    table = buying_table({}, {1: [25, 26], 2: [27], 3: [28, 61]})
    table.do("buy yellow")
    table.card(62)
    for card in (30, 31, 32):
        table.do("buy green")
        table.card(card)
    assert table.view["phase"] == "building"


def test_at_most_4_purchases_and_what_is_left_is_lost() -> None:
    table = buying_table({}, {1: [25, 26], 2: [27], 3: [28, 61]})
    for card in (30, 31, 32, 40):
        table.do("buy green")
        table.card(card)
    assert table.view["phase"] == "building"
    assert table.player().money == 0


def test_multiplied_cards_earn_3_or_4_times() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {}, {3: [25], 1: [26]})
    table.multiply(25, 3)
    table.multiply(26, 4)
    table.all_do("take 2 luck")
    assert table.player().money == 3 * 2 + 4 * 1


def test_income_needs_scored_green_cards() -> None:
    table = buying_table({1: [25]}, {5: [61, 82]})
    assert table.player().money == 0
    assert table.view["phase"] == "rolling"  # nobody can buy, nobody has cards to build in


def test_a_player_may_stop_buying() -> None:
    table = buying_table({}, {1: [25]})
    table.do("done")
    assert table.position.chance_due
    assert table.view["chance"] == "roll"


def test_room_is_not_required_to_buy() -> None:
    full = {1: [1, 2, 3, 4], 2: [25, 26, 27, 28], 3: [5, 6, 61, 62]}
    table = buying_table(full, {1: [29]})
    assert "buy green" in table.legal()


def test_players_buy_at_the_same_time_in_any_order() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {}, {1: [25, 26]})
    table.lay(1, {}, {1: [27, 28]})
    table.all_do("take 2 luck")
    assert table.acting() == {0, 1}
    table.do("buy green", seat=1)
    table.card(30)
    table.do("buy green", seat=0)
    table.card(31)
    assert table.acting() == {0, 1}


def test_an_identical_card_may_be_exchanged_again_and_again() -> None:
    table = buying_table({1: [1]}, {1: [25, 26]})
    table.do("buy green")
    table.card(33)
    assert table.legal() == {"keep", "exchange"}
    table.do("exchange")
    assert table.under() == [33]
    table.card(34)
    table.do("exchange")
    table.card(30)
    assert table.waiting() == [30]
    assert table.under() == [33, 34]
    assert table.player().money == 1


def test_an_identical_card_may_be_kept() -> None:
    table = buying_table({1: [1]}, {1: [25]})
    table.do("buy green")
    table.card(33)
    table.do("keep")
    assert table.waiting() == [33]
    assert table.under() == []


def test_only_active_cards_count_for_the_exchange() -> None:
    table = buying_table({1: [2]}, {1: [1, 25, 26, 27]})
    table.do("buy green")
    table.card(33)  # identical to the scored card 1
    table.do("buy green")
    table.card(34)  # identical to 33, which waits beside the clover
    assert table.waiting() == [33, 34]
    assert "buy green" in table.legal()


def test_a_card_that_is_not_identical_is_not_exchanged() -> None:
    table = buying_table({1: [1]}, {1: [25]})
    table.do("buy green")
    table.card(35)
    assert table.waiting() == [35]
    assert table.view["phase"] == "building"


def test_ruling_an_exchange_needs_a_card_not_already_given_back_in_this_purchase() -> None:
    table = buying_table({1: [1]}, {1: [25]})
    table.empty_pile(GREEN, keep=(33, 34))
    table.do("buy green")
    table.card(33)
    table.do("exchange")
    table.card(34)  # only 33 is left in the pile, and it was just given back
    assert table.waiting() == [34]
    assert table.view["phase"] == "building"


def test_ruling_an_exchange_does_not_rebuild_an_empty_pile() -> None:
    table = buying_table({1: [1]}, {1: [25, 26, 27]})
    table.empty_pile(GREEN, keep=(33,))
    table.do("buy green")
    table.card(33)
    assert table.waiting() == [33]
    assert table.legal() == {"buy green", "buy yellow", "done"}


def test_a_draw_is_finished_before_another_player_acts() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {1: [1]}, {1: [25, 26]})
    table.lay(1, {}, {1: [27]})
    table.all_do("take 2 luck")
    table.do("buy green")
    assert table.acting() == set()
    assert table.legal(1) == set()
    table.card(33)
    assert table.acting() == {0}
    assert table.legal(1) == set()
    table.do("keep")
    assert table.acting() == {0, 1}


# -- 3. building


def building_table(active: dict[int, list[int]], bought: list[int]) -> Table:
    """Round 2, seat 0 has bought these green cards."""
    table = buying_table(active, {1: [56], 2: [57], 3: [58]})
    for card in bought:
        table.do("buy green")
        table.card(card)
    if len(bought) < 4:
        table.do("done")
    return table


def test_new_cards_go_on_levels_1_to_3_in_any_order() -> None:
    table = building_table({}, [25, 26])
    assert table.legal() == {f"build {card} on {level}" for card in (25, 26) for level in (1, 2, 3)}
    table.do("build 26 on 3", "build 25 on 1")
    assert table.active() == {1: [25], 3: [26]}
    assert table.view["phase"] == "rolling"


def test_a_level_holds_at_most_4_active_cards() -> None:
    table = building_table({1: [1, 2, 3, 4], 2: [7]}, [25])
    assert table.legal() == {"build 25 on 2", "build 25 on 3"}


def test_scored_cards_take_no_room() -> None:
    table = building_table({1: [1, 2, 3]}, [25])
    assert "build 25 on 1" in table.legal()


def test_no_card_may_be_held_back_while_there_is_room() -> None:
    table = building_table({}, [25])
    assert all(text.startswith("build") for text in table.legal())


def test_ruling_cards_without_room_go_under_their_pile_in_the_order_drawn() -> None:
    table = building_table({1: [1, 2, 3, 4], 2: [7, 10, 13, 14], 3: [15, 16, 19]}, [25, 26, 28])
    assert table.legal() == {"build 25 on 3", "build 26 on 3", "build 28 on 3"}
    table.do("build 26 on 3")
    assert table.under() == [25, 28]
    assert table.waiting() == []
    assert table.view["phase"] == "rolling"


def test_cards_go_under_their_pile_at_once_when_there_is_no_room_at_all() -> None:
    table = building_table({1: [1, 2, 3, 4], 2: [7, 10, 13, 14], 3: [15, 16, 19, 20]}, [25])
    assert table.under() == [25]
    assert table.view["phase"] == "rolling"


def test_ruling_cards_without_room_go_under_their_pile_clockwise_from_the_fairy() -> None:
    table = Table(players=2)
    table.to_round(2)  # the fairy sits on seat 1
    table.lay(0, {1: [1, 2, 3, 4], 2: [7, 10, 13, 14], 3: [15, 16, 19, 20]}, {1: [56]})
    table.lay(1, {1: [33, 46, 30, 59], 2: [55, 37, 43, 53], 3: [31, 60, 35, 52]}, {1: [57]})
    table.all_do("take 2 luck")
    table.do("buy green", seat=0)
    table.card(25)
    table.do("buy green", seat=1)
    table.card(26)
    assert table.under() == [26, 25]
