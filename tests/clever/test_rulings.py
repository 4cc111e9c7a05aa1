"""Rulings of both Clever games, where the rulebooks are silent.

The table in docs/rules.md names the test of each.
"""

from __future__ import annotations

import pytest

import doppelt_sheet
from clever_table import CleverTable
from doppelt_sheet import ALL_SILVER, CIRCLES, doppelt
from ganz_sheet import (
    ALL_BLUE,
    ALL_GREEN,
    ALL_ORANGE,
    ALL_PURPLE,
    ALL_YELLOW,
    EVERYTHING,
    P6_ALONE,
    ganz,
)

TAKE_P6 = {"ganz": P6_ALONE, "doppelt": doppelt_sheet.P6_ALONE}
FULL = {"ganz": EVERYTHING, "doppelt": doppelt_sheet.EVERYTHING}
both = pytest.mark.parametrize("name", ["ganz", "doppelt"])


def after_p6(name: str, players: int = 2, **actions: int) -> CleverTable:
    """The first player took the 6 and all other dice lie on the platter.

    Everybody has the same actions.
    """
    table = CleverTable(name, players)
    for seat in range(1, players + 1):
        table.given(seat, **actions)
    return table.roll(TAKE_P6[name]).move("p>p6")


# --- order of play


@both
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seat_1_begins_every_round_and_the_seats_follow_in_order(name: str, players: int) -> None:
    table = CleverTable(name, players)
    actives = []
    while table.position.state.round <= 2:
        actives.append(table.position.state.active + 1)
        table.roll(TAKE_P6[name]).move("p>p6", seat=actives[-1]).finish()
    assert actives == list(range(1, players + 1)) * 2


@both
def test_extra_window_and_passive_turns_are_open_at_the_same_time_in_any_order(name: str) -> None:
    table = after_p6(name, 3, extra=2)
    assert table.to_act == {1, 2, 3}
    table.move("y>y1b", seat=3).move("w>g1", seat=1).move("g>g1", seat=3)
    assert table.to_act == {1, 2, 3}
    table.move("w>p1", "done", seat=2)
    assert table.to_act == {1, 3}
    assert table.move("done", seat=1).move("done", seat=3).to_act == {0}


@both
def test_next_roll_waits_until_all_players_have_closed_their_turns(name: str) -> None:
    table = after_p6(name, 2, extra=1).move("done", seat=1).move("y>y1b", seat=2)
    assert table.to_act == {2}
    assert table.move("done", seat=2).to_act == {0}


@both
def test_a_closed_turn_stays_closed(name: str) -> None:
    table = after_p6(name, 3, extra=2).move("done", seat=1)
    assert table.to_act == {2, 3}
    assert table.legal(1) == set()
    table.move("y>y1b", seat=2)
    assert table.to_act == {2, 3}


# --- usable dice


@pytest.mark.parametrize(
    ("filled", "roll", "useless"),
    [
        ("y2b y2c", "y2b6g6o6p6w6", "y"),
        ("b8", "y1b4g6o6p6w4", "b"),
        ("gx gx gx gx", "y1b4g4o6p6w6", "g"),
        (ALL_ORANGE, "y1b4g6o6p6w6", "o"),
        ("p3", "y1b4g6o6p3w6", "p"),
    ],
)
def test_only_a_usable_die_may_be_laid_out(filled: str, roll: str, useless: str) -> None:
    table = ganz().given(1, filled).roll(roll)
    assert table.uses() == set("ybgopw") - {useless}


def test_white_is_usable_while_any_area_takes_it() -> None:
    filled = " ".join([ALL_YELLOW, ALL_BLUE, ALL_GREEN, ALL_ORANGE, "p3"])
    assert ganz().given(1, filled).roll("y1b1g1o1p3w4").legal() == {"w>p4"}
    assert ganz().given(1, filled).roll("y1b1g1o1p3w3").legal() == {"pass"}


def test_only_a_usable_die_may_be_taken() -> None:
    table = ganz(2).given(1).given(2, "y1b y1c gx").roll(P6_ALONE).move("p>p6")
    assert table.uses(2) == set("bow")


def test_only_a_usable_die_may_be_an_extra_die() -> None:
    table = ganz(2).given(1, "y1b y1c gx", extra=1).given(2).roll(P6_ALONE).move("p>p6")
    assert table.uses() == set("bopw")
    almost_full = " ".join([ALL_YELLOW, ALL_BLUE, ALL_GREEN, ALL_ORANGE, "p6 " * 10])
    table = ganz(2).given(1, almost_full, extra=1).given(2).roll(P6_ALONE).move("p>p6")
    assert table.to_act == {2}, "a window without a usable die is closed at once"


# --- lost rolls


def test_lost_roll_keeps_dice_at_hand_and_counts() -> None:
    table = ganz(2).given(1, "p5").roll("y1b1g1o6p6w1").move("o>o6")
    assert table.hand == "p"
    table.roll("p4")
    assert table.legal() == {"pass"}
    table.move("pass")
    assert table.hand == "p", "nothing is laid out, nothing goes to the platter"
    assert table.platter == "ybgw"
    assert table.laid == ["o", "", ""]
    assert table.to_act == {0}
    table.roll("p6").move("p>p6")
    assert table.laid == ["o", "", "p"]
    assert table.to_act == {2}


def test_dice_of_a_lost_third_roll_go_to_the_platter() -> None:
    table = (
        ganz(2)
        .given(1, "p5")
        .roll("y1b1g1o6p6w1")
        .move("o>o6")
        .roll("p4")
        .move("pass")
        .roll("p3")
        .move("pass")
    )
    assert table.laid == ["o", "", ""]
    assert table.platter == "ybgpw"
    assert table.to_act == {2}


def test_lost_first_roll_leaves_two_more() -> None:
    filled = " ".join([ALL_YELLOW, ALL_BLUE, ALL_GREEN, ALL_ORANGE, "p3"])
    table = ganz(2).given(1, filled).roll("y1b1g1o1p1w1").move("pass")
    assert table.hand == "ybgopw"
    table.roll("y1b1g1o1p1w5").move("w>p5")
    assert table.laid == ["", "w", ""]


# --- the heap of bonuses


def test_bonuses_won_together_are_placed_in_the_order_the_player_likes() -> None:
    table = ganz().given(1, "b3 b4 b6 b10").pick("b2")
    assert table.legal() == {"+o5", "+gx"}
    table.move("+gx")
    assert table.legal() == {"+o5"}


@pytest.mark.parametrize(
    ("first", "second", "numbers"), [("+o5", "+o4", [10, 4]), ("+o4", "+o5", [8, 5])]
)
def test_order_of_automatic_entries_matters(first: str, second: str, numbers: list[int]) -> None:
    """The orange 5 waits until a chain has won a 4 too.

    The player decides which of them is doubled.
    """
    table = ganz().given(1, "b3 b4 b5 b6 b7 b10 y2b y1b o1 o1 o1 " + "gx " * 5).pick("b2")
    table.move("+gx", "+b8", "+y5b")
    assert table.legal() == {"+o4", "+o5"}
    assert table.move(first, second).written("orange")[3:] == numbers


def test_new_bonuses_join_the_heap_and_any_of_it_may_be_placed_next() -> None:
    table = ganz().given(1, "b3 b4 b6 b10 gx gx gx gx gx").pick("b2").move("+gx")
    assert "+o5" in table.legal()
    assert {text for text in table.legal() if text.startswith("+b")} == {
        f"+b{n}" for n in (5, 7, 8, 9, 11, 12)
    }
    table.move("+b5").move("+o5")
    assert table.to_act == {0}


def test_nothing_else_happens_until_the_heap_is_empty() -> None:
    table = ganz(2).given(1, "p1 p2 p3").given(2).roll("y1b1g1o1p4w1").move("p>p4")
    assert table.to_act == {1}
    assert all(text.startswith("+b") for text in table.legal())
    assert table.move("+b12").to_act == {2}


def test_a_heap_holds_up_its_own_player_only() -> None:
    table = (
        ganz(3)
        .given(1)
        .given(2, "p1 p2 p3")
        .given(3)
        .roll("y1b1g1o6p4w1")
        .move("o>o6")
        .move("p>p4", seat=2)
    )
    assert table.to_act == {2, 3}
    table.move("p>p4", seat=3).move("+b5", seat=2)
    assert table.to_act == {0}


def test_actions_and_foxes_are_recorded_at_once_not_heaped() -> None:
    table = ganz().given(1, "b4 b8 b9 b10 b11").pick("b12")
    assert table.won() == ["+1", "fox"]
    assert table.to_act == {0}


@pytest.mark.parametrize(
    ("filled", "entry"),
    [
        (f"{ALL_BLUE} y3a y6a", "y5a"),
        (f"{ALL_ORANGE} y2b y1b", "y5b"),
        (f"{ALL_GREEN} y1c y2c", "y4c"),
        (f"{ALL_YELLOW} b5 b6 b7", "b8"),
        (f"{ALL_PURPLE} b3 b7", "b11"),
    ],
)
def test_a_bonus_without_room_is_lost(filled: str, entry: str) -> None:
    table = ganz().given(1, filled).pick(entry)
    assert table.won() == []
    assert table.to_act == {0}


@pytest.mark.parametrize(
    ("filled", "entry"),
    [
        (f"{doppelt_sheet.ALL_BLUE} y3a", "y6a"),
        (f"{ALL_SILVER} y2b", "y5d"),
        (f"{CIRCLES} {CIRCLES} b9 b9", "b9"),
    ],
)
def test_a_free_entry_without_room_is_lost(filled: str, entry: str) -> None:
    table = doppelt().given(1, filled).pick(entry)
    assert table.won() == []
    assert table.to_act == {0}


def test_a_bonus_with_room_must_be_placed() -> None:
    table = ganz().given(1, "y3a y6a").pick("y5a")
    assert "pass" not in table.legal()
    assert "done" not in table.legal()


def test_a_bonus_on_the_heap_is_lost_when_another_takes_the_last_room() -> None:
    table = ganz().given(1, "b5 b7 b8 b2 b10 y1c y2c " + "gx " * 10).pick("b6").move("+y4c")
    assert table.won() == ["green X", "green X"]
    table.move("+gx")
    assert table.to_act == {0}


@both
def test_black_bonus_is_lost_on_a_full_sheet(name: str) -> None:
    table = CleverTable(name, 2).given(2, FULL[name]).begin_round(4)
    assert table.to_act == {1}


# --- what bonuses enter


@pytest.mark.parametrize(
    ("number", "filled", "pick"),
    [(4, "y2b y1b", "y5b"), (5, "b2 b3", "b4"), (6, "p6 p6 p6 p6 p6 p6 p6 p6 p6", "p6")],
)
@pytest.mark.parametrize(("field", "factor"), [(3, 2), (6, 2), (8, 2), (10, 3), (0, 1)])
def test_number_bonus_on_a_multiplying_orange_field_is_multiplied(
    number: int, filled: str, pick: str, field: int, factor: int
) -> None:
    table = ganz().given(1, f"{filled} {'o1 ' * field}").pick(pick).move(f"+o{number}")
    assert table.written("orange")[field] == number * factor


@pytest.mark.parametrize("fields", range(11))
def test_green_cross_ignores_the_minimum(fields: int) -> None:
    table = ganz().given(1, "y1c y2c " + "gx " * fields).pick("y4c").move("+gx")
    assert table.points("green") == [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66][fields]


@pytest.mark.parametrize("before", ["", "p1", "p5", "p6", "p6 p6"])
def test_purple_6_bonus_is_always_legal_while_a_field_is_free(before: str) -> None:
    table = ganz().given(1, f"b3 b7 {before}").pick("b11")
    assert table.legal() == {"+p6"}


# --- the end of the game


@both
def test_last_extra_window_is_the_last_turns_and_each_die_still_once(name: str) -> None:
    table = CleverTable(name, 2).given(1).given(2).begin_round(6)
    table.roll(TAKE_P6[name]).move("p>p6").finish()
    table.given(1, extra=7).given(2, extra=7).roll(TAKE_P6[name]).move("p>p6", seat=2).move(
        "w>p1" if name == "doppelt" else "w>o1", seat=1
    )
    used = []
    while table.legal(1):
        move = sorted(table.legal(1) - {"done"})[0]
        used.append(move[0])
        table.move(move, seat=1)
    assert len(used) == len(set(used)) <= 6
    assert table.to_act == {2}
    table.move("done", seat=2)
    assert table.position.over
    assert table.actions(2)["extra"] == 7


@both
def test_solo_dice_not_served_count_as_the_active_players(name: str) -> None:
    filled, roll, served, fallback = {
        "ganz": ("y1b y1c b7 gx", "y1b1g1o4p5w6", "ybg", "opw"),
        "doppelt": ("s1y s1b s1g s1p y1b y1b b2", "s1y1b1g5p4w6", "syb", "gpw"),
    }[name]
    table = CleverTable(name).given(1).roll(TAKE_P6[name]).move("p>p6").given(1, filled).roll(roll)
    assert table.platter == served
    assert table.uses() == set(fallback)
    assert "pass" in table.legal()


# --- Doppelt so clever


def test_return_with_an_empty_hand_rolls_the_returned_dice_alone() -> None:
    table = doppelt(2).given(1, ret=2).given(2).roll(doppelt_sheet.P6_ALONE).move("p>p6")
    assert table.hand == ""
    assert table.to_act == {1}
    table.move("<y", "<g")
    assert table.hand == "yg"
    table.roll("y3g4").move("g>g4")
    assert table.laid == ["p", "g", ""]


def test_return_with_an_empty_hand_declined_ends_the_rolls() -> None:
    table = (
        doppelt(2).given(1, ret=2).given(2).roll(doppelt_sheet.P6_ALONE).move("p>p6").move("done")
    )
    assert table.to_act == {2}
    assert table.actions()["ret"] == 2


def test_return_with_an_empty_hand_after_the_second_pick_too() -> None:
    table = (
        doppelt(2)
        .given(1, ret=1)
        .given(2)
        .roll("s1y1b1g1p5w5")
        .move("p>p5")
        .move("done")
        .roll("w4")
        .move("w>p4")
    )
    assert table.hand == ""
    assert table.move("<s").roll("s3").move("s>s3y").laid == ["p", "w", "s"]


def test_foxes_cost_points_while_green_is_negative() -> None:
    table = doppelt().given(1, "g1 g6 p6")
    table.player(1).foxes = 3
    assert table.position.breakdown(0) == {
        "silver": 0,
        "yellow": 0,
        "blue": 0,
        "green": -10,
        "pink": 6,
        "foxes": -30,
    }
    assert table.position.score(0) == -34


def test_solo_score_of_exactly_320_is_in_the_best_band() -> None:
    rating = doppelt().position.game.rating
    steps = rating(0).steps
    assert [rating(points).step for points in (321, 320, 319)] == [steps, steps, steps - 1]
