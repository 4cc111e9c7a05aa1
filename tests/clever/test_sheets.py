"""The data files hold the numbers of the printed sheets, all of them."""

from __future__ import annotations

from typing import Any

import pytest

from foxclover.clever.books import Area, CleverBook, SheetError, read
from foxclover.clever.scoring import rating
from foxclover.clever.state import (
    ANY_ORDER,
    BY_PAIR,
    BY_SUM,
    EXTRA,
    FALLING,
    REROLL,
    RETURN,
    RISING,
)
from foxclover.game import game
from printed_sheets import ROUNDS_BY_PLAYERS, Doppelt, Ganz, as_printed, numbers

PRINTED: list[Any] = [Ganz, Doppelt]
ACTION_NUMBERS = {"RR": REROLL, "RET": RETURN, "+1": EXTRA}
both = pytest.mark.parametrize("printed", PRINTED)


def load(key: str) -> CleverBook:
    book = game(key).book
    assert isinstance(book, CleverBook)
    return book


def area_of(book: CleverBook, name: str) -> int:
    return [area.name for area in book.areas].index(name)


def drawn(area: Area, blank: str) -> tuple[str, ...]:
    """The rows of a grid as the rules page writes them."""
    numbers_at = {(cell.row, cell.column): str(cell.number) for cell in area.cells}
    return tuple(" ".join(numbers_at.get((row, column), blank) for column in range(area.columns)) for row in range(area.rows))


def lines(book: CleverBook, area: str) -> list[tuple[list[int], str]]:
    """Every line of a grid that pays: its numbers and its bonus, in the order of the file."""
    shown = book.areas[area_of(book, area)]
    return [([shown.cells[cell].number for cell in line.cells], as_printed(line.bonus)) for line in shown.lines]


def track_bonus(book: CleverBook, area: str) -> list[str]:
    index = area_of(book, area)
    return [as_printed(book.bonus_name(bonus)) for bonus in book.tables.bonus[index][: book.tables.cells[index]]]


def points_by_count(book: CleverBook, area: str, group: int = 0) -> list[int]:
    """Points for 1, 2, 3 ... crosses of a group that scores together."""
    return list(book.areas[area_of(book, area)].groups[group][1])[1:]


def on_track(book: CleverBook, table: list[list[int]], area: str) -> list[int]:
    index = area_of(book, area)
    return table[index][: book.tables.cells[index]]


@both
def test_dice_areas_and_joker(printed: Any) -> None:
    book = load(printed.key)
    assert book.dice == printed.dice
    assert tuple(area.name for area in book.areas) == printed.areas
    assert book.dice[book.tables.joker] == "white"


@both
def test_rounds_by_number_of_players(printed: Any) -> None:
    assert {players: load(printed.key).tables.rounds[players] for players in range(1, 5)} == ROUNDS_BY_PLAYERS


@both
def test_rewards_of_the_rounds(printed: Any) -> None:
    book = load(printed.key)
    assert [as_printed(book.bonus_name(book.tables.reward[number])) for number in range(1, 7)] == printed.rewards


@both
def test_black_bonus_of_round_4_can_go_to_any_area(printed: Any) -> None:
    tables = load(printed.key).tables
    black = tables.reward[4]
    areas = [tables.option_area[black][option] for option in range(tables.options[black])]
    assert areas == list(range(5))
    values = {"ganz-schoen-clever": [0, 0, 0, 6, 6], "doppelt-so-clever": [-1] * 5}[printed.key]
    assert tables.option_value[black][:5] == values


@both
def test_action_tracks_and_their_ends(printed: Any) -> None:
    book = load(printed.key)
    for name, number in ACTION_NUMBERS.items():
        assert book.tables.action_fields[number] == printed.action_fields.get(name, 0)
        assert as_printed(book.bonus_name(book.tables.action_end[number])) == printed.action_ends.get(name, "")


def every_bonus(book: CleverBook) -> list[str]:
    """Every bonus printed anywhere on a sheet."""
    ends = [as_printed(book.bonus_name(book.tables.action_end[number])) for number in range(3)]
    rewards = [as_printed(book.bonus_name(book.tables.reward[number])) for number in range(1, 7)]
    grids = [bonus for area in book.areas for _, bonus in lines(book, area.name)]
    tracks = [bonus for area in book.areas if area.kind == "track" for bonus in track_bonus(book, area.name)]
    return ends + rewards + grids + tracks


@both
def test_each_action_track_has_as_many_fields_as_the_sheet_has_sources(printed: Any) -> None:
    found = every_bonus(load(printed.key))
    assert {name: found.count(name) for name in printed.action_fields} == printed.action_fields


@both
def test_number_of_foxes(printed: Any) -> None:
    assert every_bonus(load(printed.key)).count("fox") == printed.foxes == load(printed.key).foxes


@both
def test_rating_of_solo_scores_names_the_lowest_score_of_each_band(printed: Any) -> None:
    book = load(printed.key)
    assert list(book.rating) == printed.rating
    for band, lowest in enumerate(printed.rating):
        step, steps = rating(book, lowest)
        assert steps - step == band
        assert rating(book, lowest - 1).step == step - 1
    assert rating(book, 0).step == 1


def test_ganz_yellow() -> None:
    book = load(Ganz.key)
    area = book.areas[area_of(book, "yellow")]
    assert drawn(area, "X") == Ganz.yellow_rows
    assert area.printed == [(0, 3), (1, 2), (2, 1), (3, 0)]
    rows = [numbers(row.replace("X", "")) for row in Ganz.yellow_rows]
    diagonal = (Ganz.yellow_diagonal, Ganz.yellow_diagonal_bonus)
    assert lines(book, "yellow") == [*zip(rows, Ganz.yellow_row_bonus, strict=True), diagonal]
    assert [points[-1] for _, points in area.groups] == Ganz.yellow_column_points
    assert [[area.cells[cell].number for cell in cells] for cells, _ in area.groups] == [[3, 2, 1], [6, 1, 3], [5, 2, 4], [5, 4, 6]]


def test_ganz_blue() -> None:
    book = load(Ganz.key)
    rows = zip(map(numbers, Ganz.blue_rows), Ganz.blue_row_bonus, strict=True)
    columns = zip(map(numbers, Ganz.blue_columns), Ganz.blue_column_bonus, strict=True)
    assert lines(book, "blue") == [*rows, *columns]
    assert points_by_count(book, "blue") == Ganz.blue_points


def test_ganz_tracks() -> None:
    book = load(Ganz.key)
    tables = book.tables
    assert on_track(book, tables.minimum, "green") == Ganz.green_minimum
    assert points_by_count(book, "green") == Ganz.green_points
    assert on_track(book, tables.factor, "orange") == Ganz.orange_factor
    assert [track_bonus(book, name) for name in ("green", "orange", "purple")] == [Ganz.green_bonus, Ganz.orange_bonus, Ganz.purple_bonus]
    assert [tables.order[area_of(book, name)] for name in ("green", "orange", "purple")] == [ANY_ORDER, ANY_ORDER, RISING]
    assert [tables.scoring[area_of(book, name)] for name in ("orange", "purple")] == [BY_SUM, BY_SUM]
    assert on_track(book, tables.factor, "purple") == [1] * 11


def test_doppelt_silver() -> None:
    book = load(Doppelt.key)
    area = book.areas[area_of(book, "silver")]
    assert area.row_names == Doppelt.silver_rows
    assert lines(book, "silver") == [
        ([number] * 4, bonus) for number, bonus in zip(Doppelt.silver_columns, Doppelt.silver_column_bonus, strict=True)
    ]
    assert [list(points)[1:] for _, points in area.groups] == [Doppelt.silver_row_points] * 4


def test_doppelt_yellow() -> None:
    book = load(Doppelt.key)
    assert drawn(book.areas[area_of(book, "yellow")], "-") == Doppelt.yellow_lattice
    rows = ["3 6", "1 2", "4 3", "2 5", "5 4"]
    columns = ["1 2", "3 4 5", "2 5", "6 3 4"]
    expected = [*zip(rows, Doppelt.yellow_row_bonus, strict=True), *zip(columns, Doppelt.yellow_column_bonus, strict=True)]
    assert lines(book, "yellow") == [(numbers(line), bonus) for line, bonus in expected]
    assert points_by_count(book, "yellow") == Doppelt.yellow_points
    assert book.tables.circles[area_of(book, "yellow")] == 1


def test_doppelt_tracks() -> None:
    book = load(Doppelt.key)
    tables = book.tables
    assert points_by_count(book, "blue") == Doppelt.blue_points
    assert on_track(book, tables.factor, "green") == Doppelt.green_factor
    assert on_track(book, tables.bonus_minimum, "pink") == Doppelt.pink_minimum
    assert [track_bonus(book, name) for name in ("blue", "green", "pink")] == [Doppelt.blue_bonus, Doppelt.green_bonus, Doppelt.pink_bonus]
    assert [tables.order[area_of(book, name)] for name in ("blue", "green", "pink")] == [FALLING, ANY_ORDER, ANY_ORDER]
    assert [tables.scoring[area_of(book, name)] for name in ("green", "pink")] == [BY_PAIR, BY_SUM]
    assert on_track(book, tables.minimum, "pink") == [0] * 12


@pytest.mark.parametrize(
    ("wrong", "right", "complaint"),
    [
        ("reroll = { fields = 7 }", "reroll = { fields = 6 }", "7 sources of reroll for 6 fields"),
        ('"purple 6"', '"lilac 6"', "no area 'lilac'"),
        ("points = [1, 2, 4,", "points = [1, 2,", "points of blue do not fit"),
        ("rewards = [", "reward = [", "'rewards' is missing"),
        ('joker = "white"', "joker = white", "not a TOML file"),
    ],
)
def test_a_broken_sheet_file_is_refused_with_its_reason(wrong: str, right: str, complaint: str) -> None:
    source = load(Ganz.key).source.decode()
    assert wrong in source
    with pytest.raises(SheetError, match=complaint):
        read(game(Ganz.key).head._replace(key="mine"), source.replace(wrong, right, 1).encode())
