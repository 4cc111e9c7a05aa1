"""What the areas of Ganz schön clever take, their bonuses and their points.

By play, not by reading the data.
"""

from __future__ import annotations

import pytest

from clever_table import fill
from foxclover.games.clever.rules.state import EXTRA, REROLL
from ganz_sheet import ALL_BLUE, ALL_YELLOW, EVERYTHING, ganz
from printed_sheets import Ganz, numbers


@pytest.mark.parametrize(
    ("cells", "bonus"),
    [
        ("y3a y6a y5a", "blue X"),
        ("y2b y1b y5b", "orange 4"),
        ("y1c y2c y4c", "green X"),
        ("y3d y4d y6d", "fox"),
        ("y3a y1b y2c y6d", "+1"),
    ],
)
def test_a_full_yellow_row_or_the_diagonal_earns_its_bonus(cells: str, bonus: str) -> None:
    *before, last = cells.split()
    assert ganz().given(1, " ".join(before)).pick(last).won() == [bonus]


@pytest.mark.parametrize(
    ("column", "points"),
    [("y3a y2b y1c", 10), ("y6a y1b y3d", 14), ("y5a y2c y4d", 16), ("y5b y4c y6d", 20)],
)
def test_a_full_yellow_column_scores_and_a_part_of_it_nothing(column: str, points: int) -> None:
    cells = column.split()
    assert ganz().given(1, " ".join(cells[:2])).points("yellow") == 0
    assert ganz().given(1, column).points("yellow") == points


def test_yellow_columns_are_summed() -> None:
    assert ganz().given(1, ALL_YELLOW).points("yellow") == 10 + 14 + 16 + 20


def test_each_yellow_number_is_printed_twice_and_a_die_crosses_one_of_them() -> None:
    table = ganz().roll("322222")
    assert {text for text in table.legal() if text[0] == "y"} == {"y>y3a", "y>y3d"}
    table.move("y>y3d")
    assert table.crossed("yellow") == {"3d"}


@pytest.mark.parametrize(
    ("cells", "bonus"),
    [
        ("b2 b3 b4", "orange 5"),
        ("b5 b6 b7 b8", "yellow X"),
        ("b9 b10 b11 b12", "fox"),
        ("b5 b9", "RR"),
        ("b2 b6 b10", "green X"),
        ("b3 b7 b11", "purple 6"),
        ("b4 b8 b12", "+1"),
    ],
)
def test_a_full_blue_row_or_column_earns_its_bonus(cells: str, bonus: str) -> None:
    *before, last = cells.split()
    assert ganz().given(1, " ".join(before)).pick(last).won() == [bonus]


def test_a_line_with_a_field_missing_earns_nothing() -> None:
    assert ganz().given(1, "b3").pick("b4").won() == []
    assert ganz().given(1, "y6a").pick("y5a").won() == []


@pytest.mark.parametrize(
    ("crosses", "points"), list(enumerate([0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56]))
)
def test_blue_scores_by_the_number_of_crosses(crosses: int, points: int) -> None:
    assert ganz().given(1, " ".join(ALL_BLUE.split()[:crosses])).points("blue") == points


@pytest.mark.parametrize(("field", "bonus"), list(enumerate(Ganz.green_bonus)))
def test_a_green_field_earns_its_bonus(field: int, bonus: str) -> None:
    assert ganz().given(1, "gx " * field).pick("g6").won() == [bonus] * bool(bonus)


@pytest.mark.parametrize(("field", "minimum"), list(enumerate(numbers("1 2 3 4 5 1 2 3 4 5 6"))))
def test_green_needs_at_least_the_number_of_the_field(field: int, minimum: int) -> None:
    for face in range(1, 7):
        table = ganz().given(1, "gx " * field).roll(str(face) * 6)
        assert (
            (f"g>g{face}" in table.legal()) == (f"w>g{face}" in table.legal()) == (face >= minimum)
        )


@pytest.mark.parametrize(
    ("fields", "points"), list(enumerate(numbers("0 1 3 6 10 15 21 28 36 45 55 66")))
)
def test_green_scores_the_last_crossed_field(fields: int, points: int) -> None:
    assert ganz().given(1, "gx " * fields).points("green") == points


@pytest.mark.parametrize(("field", "factor"), list(enumerate(Ganz.orange_factor)))
def test_orange_multiplies_by_the_factor_of_the_field_and_sums_up(field: int, factor: int) -> None:
    table = ganz().given(1, "o1 " * field).pick("o5")
    assert table.written("orange")[field] == 5 * factor
    assert table.points("orange") == sum(Ganz.orange_factor[:field]) + 5 * factor


@pytest.mark.parametrize(("field", "bonus"), list(enumerate(Ganz.orange_bonus)))
def test_an_orange_field_earns_its_bonus(field: int, bonus: str) -> None:
    assert ganz().given(1, "o1 " * field).pick("o1").won() == [bonus] * bool(bonus)


@pytest.mark.parametrize(("field", "bonus"), list(enumerate(Ganz.purple_bonus)))
def test_a_purple_field_earns_its_bonus(field: int, bonus: str) -> None:
    assert ganz().given(1, "p6 " * field).pick("p6").won() == [bonus] * bool(bonus)


@pytest.mark.parametrize("last", range(1, 7))
def test_purple_numbers_rise_and_after_a_6_anything_goes(last: int) -> None:
    for face in range(1, 7):
        table = ganz().given(1, f"p{last}").roll(str(face) * 6)
        assert (f"p>p{face}" in table.legal()) == (face > last or last == 6)


def test_purple_starts_with_any_number_and_scores_the_sum() -> None:
    assert all(f"p>p{face}" in ganz().roll(str(face) * 6).legal() for face in range(1, 7))
    assert ganz().given(1, "p2 p4 p6 p1 p5").points("purple") == 18


def test_tracks_are_filled_from_the_left_without_gaps() -> None:
    table = ganz().given(1, "o2 o3")
    table.pick("o6")
    assert table.written("orange") == [2, 3, 6]


def test_all_action_fields_can_be_unlocked_but_no_more_and_their_ends_give_nothing() -> None:
    table = ganz()
    for number in (2, 3):
        table.begin_round(number)
    for entry in EVERYTHING.split():
        fill(table.position, 0, entry)
    mine = table.player(1)
    assert (mine.unlocked[REROLL], mine.unlocked[EXTRA], mine.foxes) == (7, 7, 5)
