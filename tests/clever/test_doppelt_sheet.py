"""What the areas of Doppelt so clever take, their bonuses and their points.

By play, not by reading the data.
"""

from __future__ import annotations

import pytest

from clever_table import fill
from doppelt_sheet import ALL_BLUE, ALL_GREEN, ALL_SILVER, ALL_YELLOW, CIRCLES, EVERYTHING, doppelt
from foxclover.games.clever.rules.state import EXTRA, REROLL, RETURN
from printed_sheets import Doppelt, numbers

BONUS_OF_ROW = list(
    zip(
        ["y3a y6a", "y1b y2b", "y4c y3c", "y2d y5d", "y5e y4e"],
        Doppelt.yellow_row_bonus,
        strict=True,
    )
)
BONUS_OF_COLUMN = list(
    zip(
        ["y1b y2d", "y3a y4c y5e", "y2b y5d", "y6a y3c y4e"],
        Doppelt.yellow_column_bonus,
        strict=True,
    )
)


# --- silver


@pytest.mark.parametrize(("number", "bonus"), list(enumerate(Doppelt.silver_column_bonus, start=1)))
def test_a_full_silver_column_earns_its_bonus(number: int, bonus: str) -> None:
    table = doppelt().given(1, f"s{number}y s{number}b s{number}g").pick(f"s{number}p")
    assert table.won() == [bonus]


def test_a_full_silver_row_earns_nothing_but_points() -> None:
    table = doppelt().given(1, "s1y s2y s3y s4y s5y").pick("s6y")
    assert table.won() == []
    assert table.points("silver") == 22


@pytest.mark.parametrize(("crosses", "points"), list(enumerate([0, 2, 4, 7, 11, 16, 22])))
def test_a_silver_row_scores_by_its_crosses(crosses: int, points: int) -> None:
    for row in "ybgp":
        assert (
            doppelt()
            .given(1, " ".join(f"s{number}{row}" for number in range(1, crosses + 1)))
            .points("silver")
            == points
        )


def test_silver_rows_are_summed() -> None:
    assert doppelt().given(1, "s1y s2y s1b s4g s5g s6g").points("silver") == 4 + 2 + 7
    assert doppelt().given(1, ALL_SILVER).points("silver") == 88


# --- yellow


def test_a_yellow_number_is_circled_first_and_crossed_later() -> None:
    table = doppelt().pick("y6a")
    assert (table.circled("yellow"), table.crossed("yellow")) == ({"6a"}, set())
    table = doppelt().given(1, "y6a").pick("y6a")
    assert table.crossed("yellow") == {"6a"}


def test_a_number_not_circled_cannot_be_crossed_and_a_crossed_one_not_used_again() -> None:
    table = doppelt().given(1, "y6a y6a").roll("666666")
    assert not any(">y" in text for text in table.legal())


def test_a_yellow_die_circles_one_or_crosses_the_other_of_its_two_numbers() -> None:
    table = doppelt().given(1, "y3a").roll("333333")
    assert {text for text in table.legal() if text[0] == "y"} == {"y>y3a", "y>y3c"}
    assert table.move("y>y3c").circled("yellow") == {"3a", "3c"}


@pytest.mark.parametrize(("cells", "bonus"), BONUS_OF_ROW + BONUS_OF_COLUMN)
def test_a_yellow_line_counts_when_all_its_numbers_are_circled(cells: str, bonus: str) -> None:
    *before, last = cells.split()
    assert doppelt().given(1, " ".join(before)).pick(last).won() == [bonus]


@pytest.mark.parametrize(("cells", "bonus"), BONUS_OF_ROW + BONUS_OF_COLUMN)
def test_a_yellow_line_counts_circled_or_crossed(cells: str, bonus: str) -> None:
    *before, last = cells.split()
    assert doppelt().given(1, " ".join(before * 2)).pick(last).won() == [bonus]


@pytest.mark.parametrize(("cells", "bonus"), BONUS_OF_ROW + BONUS_OF_COLUMN)
def test_crossing_triggers_nothing_and_each_yellow_line_counts_once(cells: str, bonus: str) -> None:
    *others, last = cells.split()
    assert doppelt().given(1, " ".join([cells, *others])).pick(last).won() == []


def test_a_circle_may_complete_a_row_and_a_column_together() -> None:
    assert sorted(doppelt().given(1, "y2b y2d").pick("y1b").won()) == ["RET", "RR"]


@pytest.mark.parametrize(
    ("crosses", "points"), list(enumerate([0, 3, 10, 21, 36, 55, 75, 96, 118, 141, 165]))
)
def test_yellow_scores_by_its_crosses(crosses: int, points: int) -> None:
    table = doppelt().given(1, " ".join([CIRCLES, *CIRCLES.split()[:crosses]]))
    assert table.points("yellow") == points


# --- blue


@pytest.mark.parametrize("last", range(2, 13))
def test_blue_numbers_are_lower_than_or_equal_to_the_one_before(last: int) -> None:
    for total in range(2, 13):
        blue = max(1, total - 6)
        table = doppelt().given(1, f"b{last}").roll(f"s1y1b{blue}g1p1w{total - blue}")
        assert (
            (f"b>b{total}" in table.legal()) == (f"w>b{total}" in table.legal()) == (total <= last)
        )


def test_blue_starts_with_any_number() -> None:
    assert all(doppelt().pick(f"b{total}").written("blue") == [total] for total in range(2, 13))


@pytest.mark.parametrize(("field", "bonus"), list(enumerate(Doppelt.blue_bonus)))
def test_a_blue_field_earns_its_bonus(field: int, bonus: str) -> None:
    assert doppelt().given(1, "b9 " * field).pick("b9").won() == [bonus] * bool(bonus)


@pytest.mark.parametrize(
    ("fields", "points"), list(enumerate(numbers("0 1 3 6 10 15 21 28 36 45 55 66 78")))
)
def test_blue_scores_the_last_field(fields: int, points: int) -> None:
    assert doppelt().given(1, "b7 " * fields).points("blue") == points


# --- green


@pytest.mark.parametrize(("field", "factor"), list(enumerate(Doppelt.green_factor)))
def test_green_multiplies_by_the_factor_of_the_field(field: int, factor: int) -> None:
    assert doppelt().given(1, "g1 " * field).pick("g5").written("green")[field] == 5 * factor


@pytest.mark.parametrize(("field", "bonus"), list(enumerate(Doppelt.green_bonus)))
def test_a_green_field_earns_its_bonus_with_any_number_even_in_a_half_pair(
    field: int, bonus: str
) -> None:
    assert doppelt().given(1, "g1 " * field).pick("g1").won() == [bonus] * bool(bonus)


def test_each_full_green_pair_scores_first_minus_second_and_a_half_pair_nothing() -> None:
    assert doppelt().given(1, "g6").points("green") == 0
    assert doppelt().given(1, "g6 g1").points("green") == 12 - 2
    assert doppelt().given(1, "g6 g1 g6").points("green") == 10
    assert doppelt().given(1, "g6 g1 g6 g2").points("green") == 10 + 12 - 2
    assert doppelt().given(1, "g6 g1 " * 6).points("green") == 10 + 11 + 15 + 16 + 17 + 23


def test_a_green_pair_may_be_negative() -> None:
    assert doppelt().given(1, "g1 g6").points("green") == -10


# --- pink


def test_pink_takes_any_number_and_scores_the_sum() -> None:
    assert all(
        f"p>p{face}" in doppelt().given(1, "p6").roll(str(face) * 6).legal() for face in range(1, 7)
    )
    assert doppelt().given(1, "p6 p1 p3 p6").points("pink") == 16


@pytest.mark.parametrize(
    ("field", "minimum", "bonus"),
    list(zip(range(12), Doppelt.pink_minimum, Doppelt.pink_bonus, strict=True)),
)
def test_a_pink_field_earns_its_bonus_only_with_its_number_or_more(
    field: int, minimum: int, bonus: str
) -> None:
    for face in range(1, 7):
        expected = [bonus] if bonus and face >= minimum else []
        assert doppelt().given(1, "p1 " * field).pick(f"p{face}").won() == expected


# --- action tracks


def test_all_action_fields_can_be_unlocked_but_no_more_and_all_six_foxes_won() -> None:
    table = doppelt()
    for number in (2, 3):
        table.begin_round(number)
    for entry in EVERYTHING.replace("p1", "p6").split():
        fill(table.position, 0, entry)
    mine = table.player(1)
    assert [mine.unlocked[action] for action in (REROLL, RETURN, EXTRA)] == [6, 6, 6]
    assert mine.foxes == 6


@pytest.mark.parametrize(
    ("track", "before", "entry", "end"),
    [
        ("reroll", "g1", "g1", "fox"),
        ("ret", "b9", "b9", "pink ?"),
        ("extra", "b9 b9 b9 b9", "b9", "silver ?"),
    ],
)
def test_unlocking_the_last_field_of_an_action_track_gives_its_bonus_at_once(
    track: str, before: str, entry: str, end: str
) -> None:
    action = {"reroll": "RR", "ret": "RET", "extra": "+1"}[track]
    assert doppelt().given(1, before).unlocked(1, **{track: 5}).pick(entry).won() == [action, end]
    assert doppelt().given(1, before).unlocked(1, **{track: 4}).pick(entry).won() == [action]


@pytest.mark.parametrize(
    ("number", "track", "placements"), [(1, "reroll", 0), (2, "extra", 24), (3, "ret", 6)]
)
def test_end_of_a_track_unlocked_by_the_reward_of_a_round_is_placed_before_the_first_roll(
    number: int, track: str, placements: int
) -> None:
    table = doppelt(2).given(1).given(2).unlocked(1, **{track: 5}).begin_round(number)
    assert len(table.legal()) == placements
    if placements:
        assert table.to_act == {1}
        table.move(sorted(table.legal())[0])
    else:
        assert table.player(1).foxes == 1
    assert table.to_act == {0}


def test_unlocked_counts_used_actions_too() -> None:
    table = doppelt().given(1, "g1").unlocked(1, reroll=5)
    assert table.actions()["reroll"] == 0
    assert table.pick("g1").player(1).foxes == 1


def test_full_tracks_and_grids_take_nothing_more() -> None:
    table = doppelt().given(1, f"{ALL_SILVER} {ALL_YELLOW} {ALL_BLUE}{ALL_GREEN}").roll("111111")
    assert table.legal() == {"p>p1", "w>p1", "pass"}
