"""The course of Ganz schön clever, sentence by sentence of the rules page.

Dice are rolled in the order y b g o p w.
"""

from __future__ import annotations

import pytest

from foxclover.core.game import game
from foxclover.games.clever.rules.state import DICE
from ganz_sheet import ALL_BLUE, ALL_GREEN, ALL_ORANGE, ALL_YELLOW, EVERYTHING, P6_ALONE, ganz

# --- rounds


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize(("number", "action"), [(1, "reroll"), (2, "extra"), (3, "reroll")])
def test_rounds_1_to_3_give_every_player_an_action_before_the_first_roll(
    players: int, number: int, action: str
) -> None:
    table = ganz(players)
    if number > 1:
        for seat in range(1, players + 1):
            table.given(seat)
        table.begin_round(number)
    assert table.to_act == {0}
    assert all(
        table.actions(seat) == {"reroll": 0, "ret": 0, "extra": 0} | {action: 1}
        for seat in range(1, players + 1)
    )


@pytest.mark.parametrize("number", [5, 6])
def test_rounds_5_and_6_give_nothing(number: int) -> None:
    table = ganz().given(1).begin_round(number)
    assert table.to_act == {0}
    assert not any(table.actions().values())


def test_round_4_black_bonus_is_a_cross_in_yellow_blue_or_green_or_a_6_in_orange_or_purple() -> (
    None
):
    table = ganz().given(1, "y3a b2 p6").begin_round(4)
    yellow = {f"+{cell}" for cell in ALL_YELLOW.split() if cell != "y3a"}
    blue = {f"+{cell}" for cell in ALL_BLUE.split() if cell != "b2"}
    assert table.legal() == yellow | blue | {"+gx", "+o6", "+p6"}


def test_round_4_black_bonus_is_placed_by_every_player_in_any_order_before_the_first_roll() -> None:
    table = ganz(4).begin_round(4)
    assert table.to_act == {1, 2, 3, 4}
    table.move("+o6", seat=3).move("+p6", seat=1)
    assert table.to_act == {2, 4}
    table.move("+gx", seat=4).move("+y1b", seat=2)
    assert table.to_act == {0}
    assert table.written("orange", seat=3) == [6]


def test_round_4_black_bonus_may_start_a_chain_which_ends_before_the_first_roll() -> None:
    table = ganz(2).given(1, "y3a y6a b3 b4").begin_round(4)
    table.move("+gx", seat=2).move("+y5a")
    assert table.to_act == {1}
    table.move("+b2")
    assert table.legal() == {"+o5"}
    table.move("+o5")
    assert table.to_act == {0}
    assert table.written("orange") == [5]


def test_black_bonus_goes_only_where_there_is_room() -> None:
    table = ganz().given(1, " ".join([ALL_YELLOW, ALL_BLUE, ALL_GREEN, ALL_ORANGE])).begin_round(4)
    assert table.legal() == {"+p6"}


# --- the active turn


def test_first_roll_is_with_all_six_dice_and_later_ones_with_those_at_hand() -> None:
    table = ganz()
    assert table.hand == "ybgopw"
    table.roll("123456").move("g>g3")
    assert table.hand == "opw"
    assert len(table.chance) == 6**3


def test_chosen_die_is_on_a_dice_field_and_lower_dice_go_to_the_platter() -> None:
    table = ganz().roll("y1b2g3o3p4w5").move("g>g3")
    assert table.laid == ["g", "", ""]
    assert table.platter == "yb"
    assert table.hand == "opw"


def test_dice_equal_to_the_chosen_one_stay_at_hand() -> None:
    table = ganz().roll("444444").move("w>o4")
    assert table.platter == ""
    assert table.hand == "ybgop"


def test_taking_the_lowest_die_sends_nothing_to_the_platter() -> None:
    assert ganz().roll("123456").move("y>y1b").platter == ""


@pytest.mark.parametrize("move", ["b>b8", "w>b8"])
def test_own_face_of_the_chosen_die_decides_what_goes_to_the_platter_not_the_sum(move: str) -> None:
    table = ganz(2).roll("y3b2g4o1p5w6").move(move)
    assert table.platter == ("o" if move[0] == "b" else "ybgop")


def test_a_player_must_roll_while_dice_are_at_hand_and_fewer_than_three_rolls_were_made() -> None:
    table = ganz(2)
    for faces, move in [("123456", "y>y1b"), ("23456", "b>b8"), ("3456", "g>g3")]:
        assert table.to_act == {0}
        table.roll(faces).move(move)
    assert table.position.state.roll == 3
    assert table.to_act == {2}


def test_after_three_rolls_all_dice_not_laid_out_go_to_the_platter() -> None:
    table = (
        ganz(2)
        .given(1)
        .roll("111111")
        .move("y>y1b")
        .roll("22222")
        .move("b>b4")
        .roll("3333")
        .move("g>g3")
    )
    assert table.laid == ["y", "b", "g"]
    assert table.platter == "opw"
    assert table.to_act == {2}


def test_no_dice_left_at_hand_ends_the_rolls_early() -> None:
    table = ganz(2).given(1).roll(P6_ALONE).move("p>p6")
    assert table.platter == "ybgow"
    assert table.laid == ["p", "", ""]
    assert table.to_act == {2}


@pytest.mark.parametrize("move", ["w>y2b", "w>b4", "w>g2", "w>o2", "w>p2"])
def test_white_counts_as_any_colour(move: str) -> None:
    assert move in ganz().roll("222222").legal()


def test_a_coloured_die_serves_its_own_colour_only() -> None:
    table = ganz().roll("222222")
    assert {text for text in table.legal() if text[0] in "ybgop"} == {
        "y>y2b",
        "y>y2c",
        "b>b4",
        "g>g2",
        "o>o2",
        "p>p2",
    }


def test_with_a_usable_die_there_is_no_passing() -> None:
    assert "pass" not in ganz().roll("123456").legal()


# --- re-rolls


def test_reroll_throws_all_dice_just_rolled_and_no_others_again() -> None:
    table = (
        ganz().given(1, reroll=1).roll("y1b2g3o3p4w5").move("g>g3").roll("o1p1w1").move("reroll")
    )
    assert table.hand == "opw"
    table.roll("o6p5w4")
    assert table.platter == "yb"
    assert table.position.state.face[:DICE] == [1, 2, 3, 6, 5, 4]


def test_any_number_of_rerolls_none_of_which_counts_as_a_roll() -> None:
    table = ganz(2).given(1, reroll=3)
    table.roll("111111").move("reroll").roll("222222").move("reroll").roll("333333").move(
        "reroll"
    ).roll("444444")
    assert "reroll" not in table.legal()
    assert table.position.state.roll == 1
    table.move("o>o4").roll("55555").move("p>p5").roll("6666").move("y>y6a")
    assert table.position.state.roll == 3


def test_reroll_may_be_declined_and_serves_only_between_a_roll_and_its_choice() -> None:
    table = ganz(2).given(1, reroll=2)
    assert table.to_act == {0}, "not before the first roll"
    table.roll("111111").move("y>y1b")
    assert table.to_act == {0}, "not between a choice and the next roll"
    table.roll("22222").move("b>b4").roll("3333").move("g>g3")
    assert table.to_act == {2}, "not after the third choice"
    assert table.actions()["reroll"] == 2


def test_reroll_is_for_the_active_player_only() -> None:
    table = ganz(2).given(1, reroll=1).given(2, reroll=1).roll(P6_ALONE).move("p>p6")
    assert "reroll" not in table.legal(2)


def test_reroll_won_by_a_pick_serves_the_next_roll_at_the_earliest() -> None:
    table = ganz().given(1, "p1 p2").roll("333333")
    assert "reroll" not in table.legal()
    table.move("p>p3")
    assert table.to_act == {0}
    assert "reroll" in table.roll("44444").legal()


def test_reroll_of_a_useless_roll_is_possible() -> None:
    table = ganz().given(1, "p5", reroll=1).roll("y1b1g1o6p6w1").move("o>o6").roll("p4")
    assert table.legal() == {"pass", "reroll"}
    assert table.move("reroll").roll("p6").legal() == {"p>p6"}


# --- blue and white


def test_blue_counts_with_white_while_both_are_at_hand() -> None:
    legal = ganz().roll("y1b3g1o1p1w4").legal()
    assert {text for text in legal if ">b" in text} == {"b>b7", "w>b7"}


def test_blue_counts_with_white_on_the_platter() -> None:
    table = ganz().roll("y2b5g5o5p5w1").move("y>y2b").roll("b3g1o1p1")
    assert table.platter == "w"
    assert {text for text in table.legal() if ">b" in text} == {"b>b4"}


def test_blue_counts_with_white_on_a_dice_field_and_both_can_be_entered_in_one_turn() -> None:
    table = ganz().roll("y5b5g5o5p5w4").move("w>b9").roll("y5b6g5o5p5").move("b>b10")
    assert table.crossed("blue") == {"9", "10"}


def test_white_as_blue_counts_with_blue_on_the_platter() -> None:
    table = ganz().roll("y2b1g5o5p5w5").move("y>y2b").roll("g1o1p1w6")
    assert "w>b7" in table.legal()
    assert not any(">b6" in text for text in table.legal())


def test_passive_player_also_enters_the_sum_wherever_the_other_die_is() -> None:
    table = ganz(2).given(1).roll("y1b1g1o1p1w6").move("w>p6")
    assert table.platter == "ybgop"
    assert {text for text in table.legal(2) if ">b" in text} == {"b>b7"}


def test_extra_die_also_enters_the_sum_and_uses_up_only_the_die_chosen() -> None:
    table = ganz(2).given(1, extra=2).roll("y1b1g1o1p6w1").move("p>p6").move("b>b2")
    assert "w" in table.uses()
    assert "b" not in table.uses()


# --- passive turns


def test_all_passive_players_take_from_the_platter_in_any_order_even_the_same_die() -> None:
    table = ganz(4).given(1).roll(P6_ALONE).move("p>p6")
    assert table.to_act == {2, 3, 4}
    table.move("o>o1", seat=4)
    assert table.to_act == {2, 3}
    table.move("o>o1", seat=2)
    assert table.platter == "ybgow"
    table.move("o>o1", seat=3)
    assert table.to_act == {0}
    assert [table.written("orange", seat) for seat in (2, 3, 4)] == [[1], [1], [1]]


def test_a_usable_platter_die_must_be_taken() -> None:
    table = ganz(2).given(1).given(2, "y1b y1c b2 p1 gx gx").roll(P6_ALONE).move("p>p6")
    assert table.legal(2) == {"o>o1", "w>o1"}


def test_a_usable_platter_die_bars_the_dice_of_the_active_player() -> None:
    table = ganz(2).given(1).roll(P6_ALONE).move("p>p6")
    assert "p" not in table.uses(2)


def test_without_a_usable_platter_die_a_player_may_take_one_from_the_dice_fields_or_nothing() -> (
    None
):
    blocked = "y1b y1c b2 p1 gx gx " + ALL_ORANGE
    table = ganz(2).given(1).given(2, blocked).roll(P6_ALONE).move("p>p6")
    assert table.legal(2) == {"p>p6", "pass"}
    assert table.move("p>p6", seat=2).written("purple", seat=2) == [1, 6]


def test_the_dice_fields_may_hold_three_dice_to_choose_from() -> None:
    table = ganz(2).given(1)
    table.given(2, "b5 gx gx gx p4 " + ALL_YELLOW)
    table.roll("222222").move("o>o2").roll("y2b2g2p4w3").move("w>p3").roll("p4").move("p>p4")
    assert table.platter == "ybg"
    assert table.laid == ["o", "w", "p"]
    assert table.legal(2) == {"o>o2", "w>o3", "pass"}


def test_with_no_usable_die_at_all_a_player_can_only_take_nothing() -> None:
    table = ganz(2).given(1).given(2, EVERYTHING).roll(P6_ALONE).move("p>p6")
    assert table.legal(2) == {"pass"}


def test_active_player_cannot_be_served() -> None:
    table = ganz(2).given(1).roll(P6_ALONE).move("p>p6")
    assert table.legal(1) == set()


# --- extra dice


def test_extra_die_is_any_of_the_six_wherever_it_is_used_or_not() -> None:
    table = ganz(2).given(1, extra=1).roll("y1b1g1o2p1w3").move("o>o2").roll("w5").move("w>o5")
    assert table.uses() == set("ybgopw")


def test_extra_die_comes_only_after_the_picks() -> None:
    table = ganz(2).given(1, extra=1).given(2, extra=1).roll("123456")
    assert "done" not in table.legal()
    table.move("w>p6")
    assert "done" in table.legal()
    assert "done" not in table.legal(2)
    table.move("y>y1b", seat=2)
    assert "done" in table.legal(2)
    assert table.uses(2) == set("ybgopw")


def test_extra_die_after_nothing_was_taken() -> None:
    blocked = "y1b y1c b2 p1 gx gx " + ALL_ORANGE
    table = (
        ganz(2).given(1).given(2, blocked, extra=1).roll(P6_ALONE).move("p>p6").move("pass", seat=2)
    )
    assert table.legal(2) == {"p>p6", "done"}


def test_several_extra_dice_as_long_as_actions_last() -> None:
    table = ganz(2).given(1, extra=2).given(2).roll(P6_ALONE).move("p>p6").move("y>y1b", seat=2)
    table.move("o>o1")
    assert table.to_act == {1}
    table.move("g>g1")
    assert table.to_act == {0}
    assert table.actions()["extra"] == 0


def test_extra_die_just_won_may_be_used_at_once() -> None:
    table = ganz(2).given(1, "p1 p2 p3 p4").given(2).roll("y1b1g1o1p5w1").move("p>p5")
    assert "done" in table.legal()
    table = (
        ganz(2).given(1).given(2, "gx gx gx").roll("y1b1g4o1p5w1").move("p>p5").move("g>g4", seat=2)
    )
    assert "done" in table.legal(2)


def test_extra_die_used_as_extra_may_win_the_next_one() -> None:
    table = (
        ganz(2)
        .given(1, "gx gx gx", extra=1)
        .given(2)
        .roll("y1b1g4o1p6w1")
        .move("p>p6")
        .move("g>g4")
    )
    assert table.to_act == {1, 2}
    assert "done" in table.legal()


def test_each_die_at_most_once_a_turn_as_an_extra_die() -> None:
    table = (
        ganz(2).given(1, extra=6).given(2, extra=6).roll("y1b1g1o1p6w1").move("p>p6").move("w>o1")
    )
    assert table.uses() == set("ybgop")
    table.move("o>o1", "g>g1", "y>y1b", "b>b2", "p>p6")
    assert table.to_act == {2}
    assert table.move("o>o1", "o>o1", seat=2).uses(2) == set("ybgpw"), (
        "the die taken from the platter is free as an extra die, once"
    )


def test_a_new_turn_frees_all_dice_again() -> None:
    table = (
        ganz(2)
        .given(1, extra=3)
        .given(2)
        .roll(P6_ALONE)
        .move("p>p6")
        .move("o>o1", "done")
        .move("o>o1", seat=2)
    )
    table.roll(P6_ALONE).move("p>p6", seat=2).move("o>o1")
    assert "o" in table.uses()


def test_extra_die_is_optional() -> None:
    table = (
        ganz(2)
        .given(1, extra=1)
        .given(2)
        .roll(P6_ALONE)
        .move("p>p6")
        .move("y>y1b", seat=2)
        .move("done")
    )
    assert table.to_act == {0}
    assert table.actions()["extra"] == 1


# --- bonuses, end and score


@pytest.mark.parametrize("way", ["die", "extra", "bonus", "passive"])
def test_bonuses_come_however_the_entry_came_about(way: str) -> None:
    if way == "die":
        table = ganz(2).given(1, "p1 p2 p3").pick("p4")
    elif way == "extra":
        table = ganz(2).given(1, "p1 p2 p3", extra=1).roll("y1b1g1o6p4w1").move("o>o6").move("p>p4")
    elif way == "bonus":
        table = ganz(2).given(1, "p1 p2 p3 b3 b7").pick("b11").move("+p6")
    else:
        table = (
            ganz(2)
            .given(1)
            .given(2, "p1 p2 p3")
            .roll("y1b1g1o6p4w1")
            .move("o>o6")
            .move("p>p4", seat=2)
        )
    seat = 2 if way == "passive" else 1
    assert all(text.startswith("+b") for text in table.legal(seat))
    assert table.legal(seat)


def test_chains_may_be_long() -> None:
    table = ganz().given(1, "y3a y6a b3 b4 o1 o1 o1 o1 y2b y1b").pick("y5a")
    table.move("+b2").move("+o5").move("+y5b")
    assert table.legal() == {"+o4"}
    table.move("+o4")
    assert table.written("orange") == [1, 1, 1, 2, 5, 4]
    assert table.actions()["extra"] == 1


def test_game_ends_after_the_last_turn_of_the_last_round() -> None:
    for players, last in ((2, 6), (3, 5), (4, 4)):
        table = ganz(players)
        for seat in range(1, players + 1):
            table.given(seat, "b2 b3 p6")
        table.begin_round(last).finish()
        for seat in range(1, players + 1):
            assert table.position.state.active == seat - 1
            assert table.to_act == {0}
            table.given(seat)
            table.roll(P6_ALONE).move("p>p6", seat=seat).finish()
        assert table.position.over


def test_solo_game_ends_after_the_passive_turn_of_round_6() -> None:
    table = ganz().given(1).begin_round(6).roll(P6_ALONE).move("p>p6")
    assert not table.position.over
    table.roll("111222").move("y>y1b")
    assert table.position.over


def test_score_is_the_areas_plus_foxes_times_the_lowest_area() -> None:
    table = ganz().given(1, "y3a y2b y1c b2 b5 b7 gx gx gx gx gx o5 o6 p2 p6")
    table.player(1).foxes = 2
    assert table.position.breakdown(0) == {
        "yellow": 10,
        "blue": 4,
        "green": 15,
        "orange": 11,
        "purple": 8,
        "foxes": 8,
    }
    assert table.position.score(0) == 56


def test_left_over_actions_score_nothing() -> None:
    assert ganz().given(1, "o5", reroll=5, extra=5).position.score(0) == 5


def test_a_fox_scores_nothing_with_an_empty_area() -> None:
    table = ganz().given(1, "o5 p6 gx b2")
    table.player(1).foxes = 5
    assert table.position.breakdown(0)["foxes"] == 0


def test_most_points_win() -> None:
    table = ganz(3).given(1, "o5").given(2, "o6").given(3, "o4")
    assert table.position.places() == [2, 1, 3]


def test_a_tie_goes_to_the_highest_single_area() -> None:
    table = ganz(3).given(1, "o5 p3").given(2, "o6 p2").given(3, "o1")
    assert [table.position.score(seat) for seat in range(3)] == [8, 8, 1]
    assert table.position.places() == [2, 1, 3]


def test_a_tie_that_stays_is_shared() -> None:
    table = ganz(3).given(1, "o5 p3").given(2, "o3 p5").given(3, "o1")
    assert table.position.places() == [1, 1, 3]


# --- solo


def test_solo_round_is_an_active_and_then_a_passive_turn() -> None:
    table = ganz().given(1).roll(P6_ALONE).move("p>p6")
    assert table.hand == "ybgopw"
    assert len(table.chance) == 6**6
    table.roll("123456").move("y>y1b")
    assert table.position.state.round == 2


def test_solo_extra_window_closes_before_the_passive_roll() -> None:
    table = ganz().given(1, extra=2).roll(P6_ALONE).move("p>p6")
    assert table.to_act == {1}
    table.move("o>o1", "done")
    assert table.to_act == {0}
    table.roll("y4b3g2o1p5w6").move("g>g2")
    assert "o" in table.uses(), "the passive turn is a new one: the orange die is free again"


def test_solo_passive_turn_serves_the_three_lowest_dice() -> None:
    table = ganz().given(1).roll(P6_ALONE).move("p>p6").roll("y6b1g5o3p2w4")
    assert table.platter == "bop"
    assert table.uses() == set("bop")


def test_solo_passive_turn_knows_no_reroll_but_the_extra_die() -> None:
    table = (
        ganz()
        .given(1, reroll=3, extra=1)
        .roll("y1b1g1o1p6w1")
        .move("p>p6")
        .move("done")
        .roll("y6b1g5o3p2w4")
    )
    assert "reroll" not in table.legal()
    table.move("o>o3")
    assert "done" in table.legal()


@pytest.mark.parametrize(
    ("roll", "served"),
    [
        ("y1b1g2o2p3w3", {"=ybg", "=ybo"}),
        ("y1b2g2o2p3w3", {"=ybg", "=ybo", "=ygo"}),
        ("y2b2g2o2p3w1", {"=ybw", "=ygw", "=yow", "=bgw", "=bow", "=gow"}),
        ("y1b1g1o1p3w6", {"=ybg", "=ybo", "=ygo", "=bgo"}),
    ],
)
def test_solo_ties_for_the_last_places_are_broken_by_chance_every_subset_alike(
    roll: str, served: set[str]
) -> None:
    table = ganz().given(1).roll(P6_ALONE).move("p>p6").roll(roll)
    assert table.to_act == {0}
    assert table.chance == dict.fromkeys(served, 1)


def test_solo_tie_of_all_six_dice_has_twenty_outcomes() -> None:
    table = ganz().given(1).roll(P6_ALONE).move("p>p6").roll("555555")
    assert len(table.chance) == 20
    assert set(table.chance.values()) == {1}


@pytest.mark.parametrize("roll", ["y1b1g1o2p3w4", "y1b2g2o3p3w3", "y1b1g2o6p6w6"])
def test_solo_ties_that_fit_need_no_chance(roll: str) -> None:
    table = ganz().given(1).roll(P6_ALONE).move("p>p6").roll(roll)
    assert table.to_act == {1}
    assert table.platter == "ybg"


def test_solo_dice_that_broke_the_tie_lie_on_the_platter() -> None:
    table = ganz().given(1).roll(P6_ALONE).move("p>p6").roll("y1b2g2o2p3w3").roll("=yo b")
    assert table.platter == "ybo"
    assert table.uses() == set("ybo")


@pytest.mark.parametrize(
    ("points", "band"),
    [(400, 0), (281, 0), (280, 1), (260, 1), (259, 2), (140, 7), (139, 8), (0, 8)],
)
def test_solo_rating(points: int, band: int) -> None:
    step, steps, _ = game("ganz").rating(points)
    assert steps - step == band
