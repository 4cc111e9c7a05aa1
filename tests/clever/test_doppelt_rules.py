"""The course of Doppelt so clever, where it differs from Ganz schön clever, sentence by sentence.

Dice in the order s y b g p w.
"""

from __future__ import annotations

import pytest

from clever_table import CleverTable
from doppelt_sheet import (
    ALL_BLUE,
    ALL_GREEN,
    ALL_PINK,
    ALL_SILVER,
    ALL_YELLOW,
    CIRCLES,
    P6_ALONE,
    doppelt,
    silver,
)


def sent(table: CleverTable, *dice: str) -> set[str]:
    """The follow-up crosses offered, of certain dice or of all."""
    return {text for text in table.legal() if ">" in text and (not dice or text[0] in dice)}


# --- rounds


@pytest.mark.parametrize(
    ("number", "reward"), [(1, ["RR"]), (2, ["+1"]), (3, ["RET"]), (5, []), (6, [])]
)
def test_rewards_of_the_rounds(number: int, reward: list[str]) -> None:
    table = doppelt(2).given(1).given(2).begin_round(number)
    assert (table.won(1), table.won(2)) == (reward, reward)
    assert table.to_act == {0}


def test_round_4_black_bonus_is_a_free_entry_of_any_colour_with_room() -> None:
    table = doppelt().given(1, "b4 " + ALL_PINK).begin_round(4)
    yellow = {f"+{cell}" for cell in CIRCLES.split()}
    green = {f"+g{face}" for face in range(1, 7)}
    assert (
        table.legal()
        == {f"+{entry}" for entry in silver(*range(1, 7))} | yellow | {"+b2", "+b3", "+b4"} | green
    )


def test_round_4_black_bonus_of_all_players_with_chains_before_the_first_roll() -> None:
    table = doppelt(3).given(2, "y3a b9 b9").begin_round(4)
    assert table.to_act == {1, 2, 3}
    table.move("+p6", seat=3).move("+y6a", seat=2)
    assert table.legal(2) == {f"+b{number}" for number in range(2, 10)}
    table.move("+b9", seat=2)
    assert all(text.startswith("+y") for text in table.legal(2))
    table.move("+y1b", seat=2).move("+g6", seat=1)
    assert table.to_act == {0}


# --- dice


def test_white_counts_as_any_colour_and_silver_as_silver_only() -> None:
    table = doppelt().roll("222222")
    assert {text[2] for text in table.legal() if text.startswith("w>")} == set("sybgp")
    assert {text for text in table.legal() if text.startswith("s>")} == {
        f"s>{entry}" for entry in silver(2)
    }


@pytest.mark.parametrize("move", ["b>b7", "w>b7"])
def test_blue_and_white_are_entered_as_their_sum_by_the_active_player(move: str) -> None:
    assert doppelt().roll("s1y1b3g1p1w4").move(move).written("blue") == [7]


def test_blue_and_white_are_entered_as_their_sum_by_passive_players_and_extra_dice() -> None:
    table = doppelt(2).given(1, extra=1).given(2).roll("s1y1b2g1p6w1").move("p>p6")
    table.move("w>b3", seat=2).move("b>b3")
    assert (table.written("blue", 1), table.written("blue", 2)) == ([3], [3])


# --- passing


def test_any_roll_may_be_passed_although_a_die_is_usable() -> None:
    table = doppelt(2).given(1)
    for number in (1, 2, 3):
        table.roll("123456").move("pass")
        assert table.laid == ["", "", ""]
        assert table.position.state.roll == min(number + 1, 3)
        assert table.platter == ("" if number < 3 else "sybgpw")
    assert table.to_act == {2}


def test_passing_leaves_that_dice_field_empty_and_the_turn_goes_on() -> None:
    table = doppelt(2).given(1).roll("123456").move("pass")
    assert table.to_act == {0}
    assert table.hand == "sybgpw"
    table.roll("333333").move("p>p3").roll("44444").move("g>g4")
    assert table.laid == ["", "p", "g"]
    assert table.to_act == {2}


def test_a_reroll_may_come_before_passing() -> None:
    table = doppelt().given(1, reroll=1).roll("111111").move("reroll").roll("222222").move("pass")
    assert table.position.state.roll == 2


# --- passive players


def test_passive_player_may_decline_the_platter_but_then_gets_none_of_the_active_players_dice() -> (
    None
):
    table = doppelt(2).given(1).given(2).roll(P6_ALONE).move("p>p6")
    assert "pass" in table.legal(2)
    assert table.uses(2) == set("sybgw")
    table.move("pass", seat=2)
    assert table.to_act == {0}


def test_only_who_can_use_no_platter_die_may_take_one_of_the_active_players_dice_or_nothing() -> (
    None
):
    blocked = f"{ALL_SILVER} {ALL_YELLOW} {ALL_BLUE}{ALL_GREEN}"
    table = doppelt(2).given(1).given(2, blocked).roll("s1y1b1g1p1w6").move("w>p6")
    assert table.legal(2) == {"p>p1", "pass"}, "pink lies on the platter"
    table = (
        doppelt(2)
        .given(1)
        .given(2, blocked)
        .roll("s1y1b1g1p6w6")
        .move("p>p6")
        .roll("w1")
        .move("w>p1")
    )
    assert table.platter == "sybg"
    assert table.legal(2) == {"p>p6", "w>p1", "pass"}


# --- silver


def test_silver_crosses_its_number_in_a_row_of_choice() -> None:
    table = doppelt().given(1, "s3y").roll("333333")
    assert {text for text in table.legal() if text[0] == "s"} == {"s>s3b", "s>s3g", "s>s3p"}
    assert table.move("s>s3g").crossed("silver") == {"3y", "3g"}


def test_silver_offers_each_die_it_sends_to_the_platter_in_its_own_row() -> None:
    table = doppelt().given(1).roll("s5y4b3g2p1w5").move("s>s5y")
    assert table.legal() == {"y>s4y", "b>s3b", "g>s2g", "p>s1p", "done"}
    assert table.platter == "ybgp"


def test_follow_up_of_blue_is_its_own_face_not_the_sum() -> None:
    table = doppelt().given(1).roll("s5y6b2g6p6w4").move("s>s5y")
    assert sent(table, "b") == {"b>s2b"}


def test_follow_up_of_white_goes_in_any_row() -> None:
    table = doppelt().given(1).roll("s5y6b6g6p6w2").move("s>s5y")
    assert sent(table) == {f"w>{entry}" for entry in silver(2)}


def test_follow_up_of_silver_goes_in_any_row_when_white_was_chosen_as_silver() -> None:
    table = doppelt().given(1).roll("s2y1b6g6p6w5").move("w>s5y")
    assert sent(table) == {f"s>{entry}" for entry in silver(2)} | {"y>s1y"}


def test_white_in_another_colour_has_no_follow_ups() -> None:
    table = doppelt(2).given(1).roll("s2y1b2g2p2w5").move("w>p5")
    assert table.platter == "sybgp"
    assert table.to_act == {2}


def test_follow_ups_come_one_at_a_time_in_any_order_and_a_player_may_stop_at_any_time() -> None:
    table = doppelt().given(1).roll("s5y4b3g2p1w6").move("s>s5y").move("g>s2g").move("y>s4y")
    assert table.legal() == {"b>s3b", "p>s1p", "done"}
    table.move("done")
    assert table.crossed("silver") == {"5y", "2g", "4y"}
    assert table.to_act == {0}


def test_each_follow_up_die_once() -> None:
    table = doppelt().given(1).roll("s5y6b6g6p6w2").move("s>s5y").move("w>s2g")
    assert table.crossed("silver") == {"5y", "2g"}
    assert table.to_act == {0}


def test_bonuses_of_the_silver_cross_are_resolved_before_the_follow_ups() -> None:
    table = doppelt().given(1, "s4y s4b s4g").roll("s4y1b6g6p6w6").move("s>s4p")
    assert table.legal() == {f"+b{number}" for number in range(2, 13)}
    table.move("+b12")
    assert table.legal() == {"y>s1y", "done"}


def test_bonuses_of_a_follow_up_are_resolved_before_the_next() -> None:
    table = (
        doppelt()
        .given(1, "s5b s5g s5p s2y s2b s2g")
        .roll("s6y5b6g6p2w6")
        .move("s>s6y")
        .move("y>s5y")
    )
    assert table.legal() == {f"+g{face}" for face in range(1, 7)}
    table.move("+g6")
    assert table.legal() == {"p>s2p", "done"}
    table.move("p>s2p")
    assert all(text.startswith("+y") for text in table.legal())


def test_a_follow_up_already_crossed_is_not_offered() -> None:
    table = doppelt().given(1, "s4y").roll("s5y4b3g6p6w6").move("s>s5y")
    assert table.legal() == {"b>s3b", "done"}
    table = doppelt().given(1, "s4y").roll("s5y4b6g6p6w6").move("s>s5y")
    assert table.to_act == {0}, "nothing to decide, so the turn goes on"


def test_a_silver_bonus_may_take_the_place_of_a_follow_up() -> None:
    table = (
        doppelt()
        .given(1, "s1y s1b s1g")
        .unlocked(1, extra=5)
        .roll("s6y4b6g6p1w6")
        .move("s>s6y")
        .move("p>s1p")
    )
    assert table.won()[-1] == "silver ?"
    table.move("+s4y")
    assert table.to_act == {0}, "the yellow 4 could no longer be crossed"


def test_no_follow_ups_for_dice_already_on_the_platter() -> None:
    table = doppelt().given(1).roll("s6y1b1g2p6w6").move("g>g2").roll("s6p1w6").move("s>s6y")
    assert table.platter == "ybp"
    assert table.legal() == {"p>s1p", "done"}


def test_no_follow_ups_for_dice_that_go_to_the_platter_only_because_the_rolls_are_over() -> None:
    table = (
        doppelt(2)
        .given(1)
        .given(2)
        .roll("111111")
        .move("p>p1")
        .roll("s1y1b1g1w1")
        .move("g>g1")
        .roll("s3y3b2w5")
        .move("s>s3y")
    )
    assert table.legal() == {"b>s2b", "done"}
    table.move("b>s2b")
    assert table.to_act == {2}
    assert table.platter == "ybw"


def test_equal_dice_stay_at_hand_and_are_no_follow_ups() -> None:
    table = doppelt().given(1).roll("s4y4b4g4p3w4").move("s>s4y")
    assert table.legal() == {"p>s3p", "done"}
    assert table.hand == "ybgw"


@pytest.mark.parametrize("move", ["s>s5y", "w>s5y"])
def test_passive_use_of_silver_is_one_cross_without_follow_ups(move: str) -> None:
    table = doppelt(2).given(1).given(2).roll("s5y1b1g1p6w5").move("p>p6")
    assert {text for text in table.legal(2) if text.startswith("s>")} == {
        f"s>{entry}" for entry in silver(5)
    }
    table.move(move, seat=2)
    assert table.crossed("silver", 2) == {"5y"}
    assert table.to_act == {0}


def test_extra_use_of_silver_is_one_cross_without_follow_ups() -> None:
    table = (
        doppelt(2)
        .given(1, extra=1)
        .given(2)
        .roll("s5y1b1g1p6w5")
        .move("p>p6")
        .move("s>s5b")
        .move("pass", seat=2)
    )
    assert table.crossed("silver") == {"5b"}
    assert table.to_act == {0}


def test_silver_bonus_is_one_cross_in_any_row_without_follow_ups() -> None:
    table = doppelt().given(1, "y2b").roll("s1y5b1g1p5w1").move("y>y5d")
    assert table.legal() == {f"+{entry}" for entry in silver(*range(1, 7))}
    table.move("+s3g")
    assert table.crossed("silver") == {"3g"}
    assert table.to_act == {0}


def test_silver_is_not_choosable_when_its_number_is_crossed_in_all_rows() -> None:
    table = doppelt().given(1, "s5y s5b s5g s5p").roll("s5y1b2g3p4w5")
    assert "s" not in table.uses()
    assert not any(text.startswith("w>s") for text in table.legal())


# --- return


def test_return_takes_any_die_back_from_the_platter_to_be_rolled_along() -> None:
    table = doppelt().given(1, ret=1).roll("s1y2b3g4p5w6").move("g>g4")
    assert table.legal() == {"<s", "<y", "<b", "done"}
    table.move("<y")
    assert table.hand == "ypw"
    assert table.platter == "sb"
    assert table.actions()["ret"] == 0
    assert table.to_act == {0}


def test_return_before_the_third_roll_too_and_several_before_one_roll() -> None:
    table = (
        doppelt()
        .given(1, ret=5)
        .roll("s1y2b3g4p5w6")
        .move("b>b9")
        .move(
            "<s",
            "<y",
        )
        .roll("s1y1g2p2w2")
        .move("g>g2")
    )
    assert table.platter == "sy"
    table.move("<y", "<s")
    assert table.hand == "sypw"
    assert table.to_act == {0}, "the platter is empty: nothing more to return"
    assert table.actions()["ret"] == 1


def test_return_may_be_declined() -> None:
    table = doppelt().given(1, ret=1).roll("s1y2b3g4p5w6").move("g>g4").move("done")
    assert table.hand == "pw"
    assert table.to_act == {0}


def test_no_return_before_the_first_roll_or_with_an_empty_platter() -> None:
    table = doppelt().given(1, ret=3)
    assert table.to_act == {0}
    table.roll("111111").move("p>p1")
    assert table.platter == ""
    assert table.to_act == {0}


def test_no_return_after_the_third_roll() -> None:
    table = (
        doppelt(2)
        .given(1, ret=3)
        .given(2)
        .roll("222221")
        .move("p>p2")
        .move("done")
        .roll("s2y2b2g2")
        .move("g>g2")
    )
    table.move("done").roll("s2y2b2").move("y>y2b")
    assert table.to_act == {2}


def test_no_return_between_a_roll_and_its_reroll() -> None:
    table = (
        doppelt()
        .given(1, ret=1, reroll=1)
        .roll("s1y2b3g4p5w6")
        .move("g>g4")
        .move("done")
        .roll("p1w1")
    )
    assert not any(text.startswith("<") for text in table.legal())
    table.move("reroll")
    assert table.to_act == {0}


def test_a_returned_die_is_rolled_again_with_a_reroll() -> None:
    table = (
        doppelt()
        .given(1, ret=1, reroll=1)
        .roll("s1y2b3g4p5w6")
        .move("g>g4")
        .move("<s")
        .roll("s1p1w1")
        .move("reroll")
    )
    assert table.hand == "spw"


def test_return_after_a_passed_and_after_a_lost_roll() -> None:
    passed = (
        doppelt()
        .given(1, ret=1)
        .roll("s1y2b3g4p5w6")
        .move("g>g4")
        .move("done")
        .roll("p1w1")
        .move("pass")
    )
    assert passed.legal() == {"<s", "<y", "<b", "done"}
    lost = (
        doppelt()
        .given(1, ALL_PINK, ret=1)
        .roll("s1y2b3g4p6w1")
        .move("g>g4")
        .move("done")
        .roll("p1")
    )
    assert lost.legal() == {"pass"}
    assert lost.move("pass").legal() == {"<s", "<y", "<b", "<w", "done"}


def test_return_just_won_serves_at_once() -> None:
    table = doppelt().given(1, "b9").roll("s1y1b4g6p6w5").move("b>b9")
    assert table.legal() == {"<s", "<y", "done"}


def test_return_won_by_a_follow_up_bonus_serves_at_once() -> None:
    table = (
        doppelt()
        .given(1, "s2y s2b s2g y2b")
        .roll("s3y6b6g6p2w6")
        .move("s>s3y", "p>s2p")
        .move("+y1b")
    )
    assert "<p" in table.legal()


def test_a_returned_die_may_go_to_the_platter_and_be_a_follow_up_again() -> None:
    table = (
        doppelt()
        .given(1, ret=1)
        .roll("s4y1b6g6p6w6")
        .move("s>s4y")
        .move("y>s1y")
        .move("<y")
        .roll("y2b6g6p6w3")
        .move("w>s3b")
    )
    assert table.platter == "y"
    assert table.legal() == {"y>s2y", "done"}


def test_return_is_for_the_active_player_only() -> None:
    table = doppelt(2).given(1).given(2, ret=3).roll(P6_ALONE).move("p>p6")
    assert not any(text.startswith("<") for text in table.legal(2))


# --- free entries


def bonus_moves(entries: str, pick: str) -> set[str]:
    return doppelt().given(1, entries).pick(pick).legal()


def test_silver_bonus_is_any_open_cross() -> None:
    taken = {"s1y", "s6p"}
    assert bonus_moves("y2b s1y s6p", "y5d") == {
        f"+{entry}" for entry in silver(*range(1, 7)) - taken
    }


def test_yellow_bonus_circles_any_number_or_crosses_any_circled_one() -> None:
    table = doppelt().given(1, "b9 b9 y3a y6a y6a").pick("b9")
    assert table.legal() == {f"+{cell}" for cell in CIRCLES.split() if cell != "y6a"}
    table.move("+y3a")
    assert table.crossed("yellow") == {"6a", "3a"}
    table = doppelt().given(1, "b9 b9 y3a").pick("b9").move("+y1b")
    assert (table.circled("yellow"), table.crossed("yellow")) == ({"3a", "1b"}, set())


@pytest.mark.parametrize("last", [2, 7, 12])
def test_blue_bonus_is_2_to_12_but_not_above_the_one_before(last: int) -> None:
    assert bonus_moves(f"b{last} y3a", "y6a") == {f"+b{number}" for number in range(2, last + 1)}


def test_blue_bonus_on_an_empty_track_is_any_number() -> None:
    assert bonus_moves("y3a", "y6a") == {f"+b{number}" for number in range(2, 13)}


def test_green_bonus_is_1_to_6_and_multiplied() -> None:
    table = doppelt().given(1, "y2d").pick("y5d")
    assert table.legal() == {f"+g{face}" for face in range(1, 7)}
    assert table.move("+g6").written("green") == [12]


def test_pink_bonus_is_1_to_6_and_counts_for_the_minimum() -> None:
    high = doppelt().given(1, "y5e p1 p1").pick("y4e")
    assert high.legal() == {f"+p{face}" for face in range(1, 7)}
    assert high.move("+p2").won() == ["RR"]
    assert doppelt().given(1, "y5e p1 p1").pick("y4e").move("+p1").won() == []


def test_a_free_entry_must_be_placed_even_if_it_hurts() -> None:
    table = doppelt().given(1, "y2d g1").pick("y5d")
    assert table.legal() == {f"+g{face}" for face in range(1, 7)}
    assert table.move("+g1").points("green") == 0


# --- end


def test_no_reroll_and_no_return_in_the_solo_passive_turn_but_extra_dice_and_declining() -> None:
    table = (
        doppelt()
        .given(1, reroll=1, ret=1, extra=1)
        .roll("111111")
        .move("pass")
        .roll("111111")
        .move("pass")
        .roll("111111")
    )
    table.move("pass").move("done").roll("s1y2b3g4p5w6")
    assert table.uses() == set("syb")
    assert {text for text in table.legal() if ">" not in text} == {"pass"}
    table.move("pass")
    assert "done" in table.legal()


@pytest.mark.parametrize(
    ("points", "band"),
    [(400, 0), (319, 1), (300, 1), (299, 2), (280, 2), (140, 9), (139, 10), (-5, 10)],
)
def test_solo_rating(points: int, band: int) -> None:
    step, steps, _ = doppelt().position.game.rating(points)
    assert steps - step == band
