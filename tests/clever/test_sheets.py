"""The data files hold the numbers of the printed sheets, all of them."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from foxclover.core.data_file import DataError
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.ratings import rate
from foxclover.core.registry import game_entries
from foxclover.games.clever.area_kind import Area
from foxclover.games.clever.definitions import CleverDefinition, read
from foxclover.games.clever.rules.moves import enter
from foxclover.games.clever.rules.state import (
    ANY_ORDER,
    BY_PAIR,
    BY_SUM,
    CELLS,
    EXTRA,
    FALLING,
    REROLL,
    RETURN,
    RISING,
)
from foxclover.games.clever.scoring import ratings
from foxclover.games.clever.sheet_file import read_sheet
from printed_sheets import ROUNDS_BY_PLAYERS, Doppelt, Ganz, as_printed, numbers
from random_files import as_game

PRINTED: list[Any] = [Ganz, Doppelt]
ACTION_NUMBERS = {"RR": REROLL, "RET": RETURN, "+1": EXTRA}
both = pytest.mark.parametrize("printed", PRINTED)


def load(key: str) -> CleverDefinition:
    definition = game(key).definition
    assert isinstance(definition, CleverDefinition)
    return definition


def area_of(definition: CleverDefinition, name: str) -> int:
    return [area.name for area in definition.areas].index(name)


def drawn(area: Area, blank: str) -> tuple[str, ...]:
    """The rows of a grid as the rules page writes them."""
    numbers_at = {(cell.row, cell.column): str(cell.number) for cell in area.cells}
    return tuple(
        " ".join(numbers_at.get((row, column), blank) for column in range(area.columns))
        for row in range(area.rows)
    )


def lines(definition: CleverDefinition, area: str) -> list[tuple[list[int], str]]:
    """Every line of a grid that pays: its numbers and its bonus, in the order of the file."""
    shown = definition.areas[area_of(definition, area)]
    return [
        ([shown.cells[cell].number for cell in line.cells], as_printed(line.bonus))
        for line in shown.lines
    ]


def track_bonus(definition: CleverDefinition, area: str) -> list[str]:
    index = area_of(definition, area)
    return [
        as_printed(definition.bonus_names[bonus])
        for bonus in definition.tables.bonus[index][: definition.tables.cells[index]]
    ]


def points_by_count(definition: CleverDefinition, area: str, group: int = 0) -> list[int]:
    """Points for 1, 2, 3 ... crosses of a group that scores together."""
    return list(definition.areas[area_of(definition, area)].groups[group][1])[1:]


def on_track(definition: CleverDefinition, table: list[list[int]], area: str) -> list[int]:
    index = area_of(definition, area)
    return table[index][: definition.tables.cells[index]]


def lowest_taken(definition: CleverDefinition, name: str) -> list[int]:
    """The lowest number that each field of a track takes."""
    masks = on_track(definition, definition.tables.takes, name)
    return [(mask & -mask).bit_length() - 1 for mask in masks]


@both
def test_dice_areas_and_joker(printed: Any) -> None:
    definition = load(printed.key)
    assert definition.dice == printed.dice
    assert tuple(area.name for area in definition.areas) == printed.areas
    assert definition.dice[definition.tables.joker] == "white"


@both
def test_rounds_by_number_of_players(printed: Any) -> None:
    assert {
        players: load(printed.key).tables.rounds[players] for players in range(1, 5)
    } == ROUNDS_BY_PLAYERS


@both
def test_rewards_of_the_rounds(printed: Any) -> None:
    definition = load(printed.key)
    assert [
        as_printed(definition.bonus_names[definition.tables.reward[number]])
        for number in range(1, 7)
    ] == printed.rewards


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
    definition = load(printed.key)
    for name, number in ACTION_NUMBERS.items():
        assert definition.tables.action_fields[number] == printed.action_fields.get(name, 0)
        assert as_printed(
            definition.bonus_names[definition.tables.action_end[number]]
        ) == printed.action_ends.get(name, "")


def every_bonus(definition: CleverDefinition) -> list[str]:
    """Every bonus printed anywhere on a sheet."""
    ends = [
        as_printed(definition.bonus_names[definition.tables.action_end[number]])
        for number in range(3)
    ]
    rewards = [
        as_printed(definition.bonus_names[definition.tables.reward[number]])
        for number in range(1, 7)
    ]
    grids = [bonus for area in definition.areas for _, bonus in lines(definition, area.name)]
    tracks = [
        bonus
        for area in definition.areas
        if area.kind.name == "track"
        for bonus in track_bonus(definition, area.name)
    ]
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
    definition = load(printed.key)
    assert list(definition.file.rating) == printed.rating
    for band, lowest in enumerate(printed.rating):
        step, steps, _ = rate(ratings(definition), lowest)
        assert steps - step == band
        assert rate(ratings(definition), lowest - 1) == (step - 1, steps, 1)
    assert rate(ratings(definition), 0) == (1, len(printed.rating) + 1, printed.rating[-1])
    assert rate(ratings(definition), printed.rating[0]).missing == 0


def test_ganz_yellow() -> None:
    definition = load(Ganz.key)
    area = definition.areas[area_of(definition, "yellow")]
    assert drawn(area, "X") == Ganz.yellow_rows
    assert area.printed == [(0, 3), (1, 2), (2, 1), (3, 0)]
    rows = [numbers(row.replace("X", "")) for row in Ganz.yellow_rows]
    diagonal = (Ganz.yellow_diagonal, Ganz.yellow_diagonal_bonus)
    assert lines(definition, "yellow") == [*zip(rows, Ganz.yellow_row_bonus, strict=True), diagonal]
    assert [points[-1] for _, points in area.groups] == Ganz.yellow_column_points
    assert [[area.cells[cell].number for cell in cells] for cells, _ in area.groups] == [
        [3, 2, 1],
        [6, 1, 3],
        [5, 2, 4],
        [5, 4, 6],
    ]


def test_ganz_blue() -> None:
    definition = load(Ganz.key)
    rows = zip(map(numbers, Ganz.blue_rows), Ganz.blue_row_bonus, strict=True)
    columns = zip(map(numbers, Ganz.blue_columns), Ganz.blue_column_bonus, strict=True)
    assert lines(definition, "blue") == [*rows, *columns]
    assert points_by_count(definition, "blue") == Ganz.blue_points


def test_ganz_tracks() -> None:
    definition = load(Ganz.key)
    tables = definition.tables
    assert lowest_taken(definition, "green") == Ganz.green_minimum
    assert points_by_count(definition, "green") == Ganz.green_points
    assert on_track(definition, tables.factor, "orange") == Ganz.orange_factor
    assert [track_bonus(definition, name) for name in ("green", "orange", "purple")] == [
        Ganz.green_bonus,
        Ganz.orange_bonus,
        Ganz.purple_bonus,
    ]
    assert [tables.order[area_of(definition, name)] for name in ("green", "orange", "purple")] == [
        ANY_ORDER,
        ANY_ORDER,
        RISING,
    ]
    assert [tables.scoring[area_of(definition, name)] for name in ("orange", "purple")] == [
        BY_SUM,
        BY_SUM,
    ]
    assert on_track(definition, tables.factor, "purple") == [1] * 11


def test_doppelt_silver() -> None:
    definition = load(Doppelt.key)
    area = definition.areas[area_of(definition, "silver")]
    assert area.row_names == Doppelt.silver_rows
    assert lines(definition, "silver") == [
        ([number] * 4, bonus)
        for number, bonus in zip(Doppelt.silver_columns, Doppelt.silver_column_bonus, strict=True)
    ]
    assert [list(points)[1:] for _, points in area.groups] == [Doppelt.silver_row_points] * 4


def test_doppelt_yellow() -> None:
    definition = load(Doppelt.key)
    assert drawn(definition.areas[area_of(definition, "yellow")], "-") == Doppelt.yellow_lattice
    rows = ["3 6", "1 2", "4 3", "2 5", "5 4"]
    columns = ["1 2", "3 4 5", "2 5", "6 3 4"]
    expected = [
        *zip(rows, Doppelt.yellow_row_bonus, strict=True),
        *zip(columns, Doppelt.yellow_column_bonus, strict=True),
    ]
    assert lines(definition, "yellow") == [(numbers(line), bonus) for line, bonus in expected]
    assert points_by_count(definition, "yellow") == Doppelt.yellow_points
    assert definition.tables.circles[area_of(definition, "yellow")] == 1


def test_doppelt_tracks() -> None:
    definition = load(Doppelt.key)
    tables = definition.tables
    assert points_by_count(definition, "blue") == Doppelt.blue_points
    assert on_track(definition, tables.factor, "green") == Doppelt.green_factor
    assert on_track(definition, tables.bonus_minimum, "pink") == Doppelt.pink_minimum
    assert [track_bonus(definition, name) for name in ("blue", "green", "pink")] == [
        Doppelt.blue_bonus,
        Doppelt.green_bonus,
        Doppelt.pink_bonus,
    ]
    assert [tables.order[area_of(definition, name)] for name in ("blue", "green", "pink")] == [
        FALLING,
        ANY_ORDER,
        ANY_ORDER,
    ]
    assert [tables.scoring[area_of(definition, name)] for name in ("green", "pink")] == [
        BY_PAIR,
        BY_SUM,
    ]
    assert lowest_taken(definition, "pink") == [0] * 12


GANZ = load(Ganz.key).source.decode()


def findings(old: str, new: str) -> list[str]:
    """What the checker says about the sheet of Ganz schön clever with one text replaced."""
    assert old in GANZ, old
    return [str(finding) for finding in read_sheet(GANZ.replace(old, new, 1).encode()).file.errors]


def line_of(text: str) -> int:
    """The first line of that sheet with a text."""
    return next(number for number, line in enumerate(GANZ.splitlines(), start=1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "reroll = { fields = 7 }",
            "reroll = { fields = 6 }",
            "column 21: actions.reroll: 7 sources of reroll for 6 fields",
        ),
        (
            '["blue x", "orange 4"',
            '["blue z", "orange 4"',
            "column 14: area 1.row_bonus 1: expected blue with one of x, ?, not 'blue z'",
        ),
        (
            '"orange 4"',
            '"orange 99"',
            (
                "column 24: area 1.row_bonus 2: expected orange with one of ?, 1, 2, 3, 4, 5, 6, "
                "not 'orange 99'"
            ),
        ),
        (
            '"orange 4"',
            '"orange x"',
            (
                "column 24: area 1.row_bonus 2: expected orange with one of ?, 1, 2, 3, 4, 5, 6, "
                "not 'orange x'"
            ),
        ),
        (
            'kind = "grid"',
            'kind = "trak"',
            "column 8: area 1.kind: expected one of grid, track, not 'trak'",
        ),
        (
            'points = "sum"',
            'points = "summ"',
            'column 10: area 4.points: expected 11 whole numbers from 0 to 1000, "sum" or "pairs"',
        ),
        (
            'points = "sum"',
            'points = "pairs"',
            "column 10: orange has 11 fields, which cannot form pairs",
        ),
        (
            "adds_joker = true",
            "adds_jocker = true",
            "column 15: area 2.adds_jocker: unknown entry, expected one of name, kind, adds_joker,",
        ),
        (
            "minimum = [1, 2,",
            "minimum = [1,",
            "column 11: area 3.minimum: expected 11 whole numbers from 0 to 6, found 10",
        ),
        (
            "minimum = [1, 2,",
            "minimum = [1, 7,",
            "column 15: area 3.minimum 2: expected a whole number from 0 to 6",
        ),
        (
            "factor = [1,",
            "factor = [0,",
            "column 11: area 4.factor 1: expected a whole number from 1 to 9",
        ),
        (
            'bonus = ["", "", "reroll", ""',
            'bonus = ["", "reroll", ""',
            "column 10: area 4.factor: expected 10 whole numbers from 1 to 9, found 11",
        ),
        (
            "points = [1, 2, 4,",
            "points = [1, 2,",
            "column 10: area 2.points: expected 11 whole numbers from 0 to 1000, found 10",
        ),
        (
            'rewards = ["reroll", ',
            "rewards = [",
            'column 11: rewards: expected 6 rewards, one for each round ("" for none), found 5',
        ),
        ("4 = 4 }", "4 = 5 }", "column 37: rounds.4: expected a whole number from 1 to 4"),
        (
            "rating = [281, 260",
            "rating = [281, 281",
            "column 16: rating 2: expected a score below 281",
        ),
        (
            'joker = "white"',
            'joker = "lilac"',
            (
                "column 9: joker: expected one of yellow, blue, green, orange, purple, white, "
                "not 'lilac'"
            ),
        ),
        (
            '"blue x", "green x", "orange 6"',
            '"blue x", "blue x", "orange 6"',
            "column 32: black 3: expected areas in the order of the sheet, each once",
        ),
        (
            'rows = ["3 6 5 x"',
            'rows = ["3 6 7 x"',
            "column 9: area 1.rows 1: expected numbers from 1 to 6, - or x, not '7'",
        ),
        (
            'rows = ["3 6 5 x"',
            'rows = ["3 6 6 x"',
            "column 9: area 1.rows 1: expected the number 6 only once in a row",
        ),
        (
            'order = "rising"',
            'order = "up"',
            "column 9: area 5.order: expected one of any, rising, falling, not 'up'",
        ),
        (
            'white = "#fdf8ec"',
            'white = "ivory"',
            'column 9: colours.white: expected a colour like "#e8b400"',
        ),
        (
            '"green", "orange"',
            '"green", "ocean"',
            "column 8: area 4.name: expected one of yellow, blue, green, ocean,",
        ),
        (
            '"orange", "purple"',
            '"orange", "gold"',
            "column 46: two dice have the letter g; give each its own",
        ),
        (
            "players = [1, 4]",
            "players = [1, 5]",
            "column 15: players 2: expected a whole number from 1 to 4",
        ),
    ],
)
def test_errors_name_line_entry_and_what_was_expected(old: str, new: str, expected: str) -> None:
    found = findings(old, new)
    assert any(expected in text for text in found), found
    assert all(text.startswith("line ") for text in found)


def test_all_errors_are_listed_at_once_and_in_order() -> None:
    source = (
        GANZ.replace('"orange 4"', '"orange 99"')
        .replace("rating = [281,", "rating = [-1,")
        .replace('kind = "track"', 'kind = "trak"', 1)
    )
    with pytest.raises(DataError) as caught:
        read(game(Ganz.key).head._replace(key="mine"), source.encode())
    lines = str(caught.value).splitlines()
    assert [line.split(",")[0] for line in lines[:2]] == [
        f"mine: line {line_of('rating')}",
        f"mine: line {line_of('rating')}",
    ]
    assert lines[2].startswith(
        f"mine: line {line_of('orange 4')}, column 24: area 1.row_bonus 2: expected orange"
    )
    assert any("kind" in line for line in lines[3:])


def test_what_is_not_toml_names_its_line() -> None:
    assert findings('joker = "white"', "joker = white")[0].startswith(
        f"line {line_of('joker')}: not TOML: "
    )


PURPLE = 4


def ordered_track(bonus: str) -> Position:
    """A game that begins with a bonus on a rising purple track whose first field wants a 6."""
    data = tomllib.loads(game_entries()["ganz-schoen-clever"].file.read_text(encoding="utf-8"))
    purple = data["area"][PURPLE]
    purple |= {"minimum": [6] + [1] * 10, "points": list(range(1, 12))}
    data |= {"rewards": [bonus, *data["rewards"][1:]], "black": ["yellow x"]}
    data["actions"]["reroll"]["fields"] -= 1
    found = as_game(data, "ordered")
    assert found is not None
    return found.start()


def numbers_next(position: Position) -> set[int]:
    """What may be written next on the purple track."""
    return {number for number in range(1, 7) if position.state.seats[0].open[PURPLE] >> number & 1}


def test_a_won_number_is_written_whatever_order_and_minimum_say() -> None:
    position = ordered_track("purple 3")
    assert numbers_next(position) == {6}
    assert [move.text for move in position.legal_moves(0)] == ["+p3"]
    position.push_text("+p3", 0)
    assert numbers_next(position) == {4, 5, 6}


def test_a_number_of_the_players_choice_obeys_order_and_minimum() -> None:
    assert [move.text for move in ordered_track("purple ?").legal_moves(0)] == ["+p6"]


def test_after_a_won_cross_the_order_starts_again() -> None:
    position = ordered_track("purple x")
    tables, mine = position.game.definition.tables, position.state.seats[0]
    enter(tables, mine, PURPLE * CELLS + 6)
    enter(tables, mine, PURPLE * CELLS + 5)
    assert numbers_next(position) == {6}
    position.push_text("+px", 0)
    assert numbers_next(position) == {1, 2, 3, 4, 5, 6}
