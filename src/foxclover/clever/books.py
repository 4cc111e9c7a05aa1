"""Read a sheet from its data file: checked, and turned into the integer tables of ``Sheet`` plus the names for people."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import Any, Literal

from foxclover.clever.moves import ENTRIES
from foxclover.clever.state import (
    ACTION,
    ACTIONS,
    ANY_ORDER,
    AREAS,
    BY_GROUP,
    BY_PAIR,
    BY_SUM,
    CELLS,
    DICE,
    FALLING,
    FIELDS,
    FOX,
    FREE,
    GRID,
    GROUPS,
    LINES,
    NOTHING,
    PAIR,
    PLACED,
    RISING,
    SEATS,
    TRACK,
    VALUES,
    Sheet,
)
from foxclover.contract import Head

ALL_NUMBERS = (1 << VALUES) - 1
ACTION_NAMES = ("reroll", "return", "extra")
ORDERS = {"any": ANY_ORDER, "rising": RISING, "falling": FALLING}
BLACK = "black"


class SheetError(ValueError):
    """A sheet file that cannot be used, and why."""


@dataclass(frozen=True)
class Cell:
    """A printed field of a grid or track."""

    row: int
    column: int
    number: int = 0
    name: str = ""


@dataclass(frozen=True)
class Line:
    """Cells that pay a bonus together."""

    cells: tuple[int, ...]
    side: Literal["row", "column", "diagonal"]
    bonus: str


@dataclass
class Area:
    """An area as printed: what people see, beside the integer tables."""

    name: str
    kind: str
    letter: str
    rows: int
    columns: int
    row_names: tuple[str, ...]
    cells: list[Cell]
    lines: list[Line] = field(default_factory=list)
    groups: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    printed: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class CleverBook:
    """One game: its tables for the rules and its names for people."""

    head: Head
    tables: Sheet
    dice: tuple[str, ...]
    letters: tuple[str, ...]
    areas: list[Area]
    bonus_names: list[str]
    rating: tuple[int, ...]
    foxes: int
    source: bytes

    def bonus_name(self, bonus: int) -> str:
        """Name of a bonus, empty for none."""
        return self.bonus_names[bonus]


def read(head: Head, source: bytes) -> CleverBook:
    """Read a sheet from the text of its file."""
    key = head.key
    try:
        data = tomllib.loads(source.decode())
        return _Reader(key, data).book(head, source)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SheetError(f"{key}: not a TOML file: {error}") from None
    except KeyError as error:
        raise SheetError(f"{key}: the entry {error} is missing") from None


class _Reader:
    """Turns the entries of a sheet file into tables, one method a topic."""

    def __init__(self, key: str, data: dict[str, Any]) -> None:
        self.key = key
        self.data = data
        self.sheet = Sheet()
        self.area_names = [area["name"] for area in data["area"]]
        self.bonus_names = ["", "fox", *ACTION_NAMES]
        self.lines = 0
        self.groups = 0
        if len(self.area_names) != AREAS or len(data["dice"]) != DICE:
            raise SheetError(f"{key}: a sheet has {AREAS} areas and {DICE} dice")

    def book(self, head: Head, source: bytes) -> CleverBook:
        dice = tuple(self.data["dice"])
        letters = tuple(name[0] for name in dice)
        if len(set(letters)) != DICE:
            raise SheetError(f"{self.key}: two dice begin with the same letter")
        areas = [self.area(index, entry) for index, entry in enumerate(self.data["area"])]
        self.play(dice)
        self.uses()
        self.follow_ups(areas)
        self.actions()
        return CleverBook(
            head=head,
            tables=self.sheet,
            dice=dice,
            letters=letters,
            areas=areas,
            bonus_names=self.bonus_names,
            rating=tuple(self.data["rating"]),
            foxes=self.count("fox"),
            source=source,
        )

    def play(self, dice: tuple[str, ...]) -> None:
        sheet = self.sheet
        sheet.joker = dice.index(self.data["joker"])
        sheet.optional = int(self.data["dice_are_optional"])
        for players in range(1, SEATS + 1):
            sheet.rounds[players] = self.data["rounds"][str(players)]
        for number, name in enumerate(self.data["rewards"], start=1):
            sheet.reward[number] = self.bonus(name)
        sheet.follow_area = -1
        for index, entry in enumerate(self.data["area"]):
            if entry.get("follow_ups"):
                sheet.follow_area = index
        followed = self.data["area"][sheet.follow_area].get("row_names", []) if sheet.follow_area >= 0 else []
        for die, name in enumerate(dice):
            sheet.home[die] = -1 if die == sheet.joker else self.area_index(name)
            sheet.die_row[die] = followed.index(name) if name in followed else -1
        sheet.partner = -1
        for index, entry in enumerate(self.data["area"]):
            if entry.get("adds_joker"):
                sheet.paired[index] = 1
                sheet.partner = dice.index(entry["name"])
        if sum(sheet.paired) > 1:
            raise SheetError(f"{self.key}: the joker is added to more than one die")
        sheet.bonuses = len(self.bonus_names)

    def uses(self) -> None:
        """Which die may be entered where, and with which face, in the order of the moves."""
        sheet = self.sheet
        pairs = [(die, area) for die, home in enumerate(sheet.home) for area in range(AREAS) if home in (-1, area)]
        for use, (die, area) in enumerate(pairs):
            sheet.use_die[use] = 1 << die
            sheet.use_area[use] = area
            sheet.use_face[use] = PAIR if sheet.paired[area] else die
            sheet.use_move[use] = die * ENTRIES + area * CELLS

    def follow_ups(self, areas: list[Area]) -> None:
        """Own face, own row; the joker and its like in any row."""
        sheet = self.sheet
        if sheet.follow_area >= 0:
            for die, row in enumerate(sheet.die_row):
                for cell, printed in enumerate(areas[sheet.follow_area].cells):
                    if row in (-1, printed.row):
                        sheet.follow_cells[die][printed.number] |= 1 << cell

    def actions(self) -> None:
        for name, entry in self.data["actions"].items():
            action = ACTION_NAMES.index(name)
            self.sheet.action_fields[action] = entry["fields"]
            self.sheet.action_end[action] = self.bonus(entry.get("end", ""))
            if self.count(name) != entry["fields"]:
                raise SheetError(f"{self.key}: {self.count(name)} sources of {name} for {entry['fields']} fields")
        self.sheet.bonuses = len(self.bonus_names)

    def count(self, bonus: str) -> int:
        """How often the sheet shows a bonus, wherever it stands."""
        shown = list(self.data["rewards"]) + [entry.get("end", "") for entry in self.data["actions"].values()]
        for area in self.data["area"]:
            shown += [*area.get("row_bonus", []), *area.get("column_bonus", []), *area.get("bonus", []), area.get("diagonal_bonus", "")]
        return shown.count(bonus)

    def area_index(self, name: str) -> int:
        if name not in self.area_names:
            raise SheetError(f"{self.key}: there is no area {name!r}")
        return self.area_names.index(name)

    def bonus(self, name: str) -> int:
        """Number of a bonus; one met for the first time gets its own."""
        if name == "":
            return NOTHING
        if name in self.bonus_names:
            return self.bonus_names.index(name)
        number = len(self.bonus_names)
        self.bonus_names.append(name)
        options = self.data["black"] if name == BLACK else [name]
        self.sheet.options[number] = len(options)
        for option, text in enumerate(options):
            area, _, what = text.partition(" ")
            self.sheet.option_area[number][option] = self.area_index(area)
            self.sheet.option_value[number][option] = {"x": 0, "?": FREE}.get(what, int(what) if what.isdigit() else FREE)
        return number

    def area(self, index: int, entry: dict[str, Any]) -> Area:
        sheet = self.sheet
        sheet.circles[index] = int(entry.get("circles", False))
        sheet.order[index] = ORDERS[entry.get("order", "any")]
        points = entry.get("points")
        sheet.scoring[index] = {"sum": BY_SUM, "pairs": BY_PAIR}.get(points, BY_GROUP) if isinstance(points, str) else BY_GROUP
        area = self.grid(index, entry) if entry["kind"] == "grid" else self.track(index, entry)
        sheet.cells[index] = len(area.cells)
        self.score(index, entry, area)
        for line in area.lines:
            self.line(index, line)
        return area

    def grid(self, index: int, entry: dict[str, Any]) -> Area:
        self.sheet.kind[index] = GRID
        table = [row.split() for row in entry["rows"]]
        names = tuple(entry.get("row_names", ()))
        numbers = [text for row in table for text in row if text.isdigit()]
        unique = len(set(numbers)) == len(numbers)
        area = Area(entry["name"], "grid", entry["name"][0], len(table), len(table[0]), names, [])
        for row, texts in enumerate(table):
            label = "" if unique else names[row][0] if names else "abcdefgh"[row]
            for column, text in enumerate(texts):
                if text.isdigit():
                    area.cells.append(Cell(row, column, int(text), text + label))
                elif text == "x":
                    area.printed.append((row, column))
        if len(area.cells) > CELLS:
            raise SheetError(f"{self.key}: {area.name} has more than {CELLS} fields")
        for value in range(VALUES):
            spots = [cell for cell, printed in enumerate(area.cells) if printed.number == value]
            self.sheet.spots[index * VALUES + value] = (spots + [-1] * 4)[:4]
        for cell, printed in enumerate(area.cells):
            self.sheet.shown[index * VALUES + printed.number] |= 1 << cell
            self.sheet.number[index][cell] = printed.number
            self.sheet.numbers[index] |= 1 << printed.number
        for row, bonus in enumerate(entry.get("row_bonus", [])):
            area.lines.append(Line(_where(area, row=row), "row", bonus))
        for column, bonus in enumerate(entry.get("column_bonus", [])):
            area.lines.append(Line(_where(area, column=column), "column", bonus))
        if "diagonal_bonus" in entry:
            cells = tuple(i for i, cell in enumerate(area.cells) if cell.row == cell.column)
            area.lines.append(Line(cells, "diagonal", entry["diagonal_bonus"]))
        return area

    def track(self, index: int, entry: dict[str, Any]) -> Area:
        sheet = self.sheet
        sheet.kind[index] = TRACK
        length = len(entry["bonus"])
        if length > FIELDS:
            raise SheetError(f"{self.key}: {entry['name']} has more than {FIELDS} fields")
        for cell in range(length):
            sheet.minimum[index][cell] = entry.get("minimum", [0] * length)[cell]
            sheet.takes[index][cell] = ALL_NUMBERS & -1 << sheet.minimum[index][cell]
            sheet.factor[index][cell] = entry.get("factor", [1] * length)[cell]
            sheet.bonus[index][cell] = self.bonus(entry["bonus"][cell])
            sheet.bonus_minimum[index][cell] = entry.get("bonus_minimum", [0] * length)[cell]
        sheet.numbers[index] = sheet.takes[index][0]
        return Area(entry["name"], "track", entry["name"][0], 1, length, (), [Cell(0, column) for column in range(length)])

    def score(self, index: int, entry: dict[str, Any], area: Area) -> None:
        """Cells that score together: the whole area, its rows, or its columns when they are full."""
        whole = tuple(range(len(area.cells)))
        if "row_points" in entry:
            area.groups = [(_where(area, row=row), (0, *entry["row_points"])) for row in range(area.rows)]
        elif "column_points" in entry:
            columns = [_where(area, column=column) for column in range(area.columns)]
            area.groups = [(cells, (0,) * len(cells) + (full,)) for cells, full in zip(columns, entry["column_points"], strict=True)]
        elif isinstance(entry["points"], list):
            area.groups = [(whole, (0, *entry["points"]))]
        for cells, points in area.groups:
            if self.groups == GROUPS or len(points) != len(cells) + 1:
                raise SheetError(f"{self.key}: the points of {area.name} do not fit its fields")
            for cell in cells:
                self.sheet.group[index][cell] = self.groups
            for count in range(len(cells)):
                self.sheet.gain[self.groups][count] = points[count + 1] - points[count]
            self.groups += 1

    def line(self, index: int, line: Line) -> None:
        self.lines += 1
        if self.lines == LINES:
            raise SheetError(f"{self.key}: more than {LINES - 1} lines with a bonus")
        self.sheet.line_length[self.lines] = len(line.cells)
        self.sheet.line_bonus[self.lines] = self.bonus(line.bonus)
        for cell in line.cells:
            if self.sheet.first_line[index][cell] == 0:
                self.sheet.first_line[index][cell] = self.lines
            elif self.sheet.second_line[index][cell] == 0:
                self.sheet.second_line[index][cell] = self.lines
            else:
                raise SheetError(f"{self.key}: a field of {self.area_names[index]} is in more than two lines")


def _where(area: Area, row: int | None = None, column: int | None = None) -> tuple[int, ...]:
    """Cells of a row or column."""
    return tuple(i for i, cell in enumerate(area.cells) if cell.row == row or cell.column == column)


assert (NOTHING, FOX, ACTION, PLACED) == (0, 1, 2, 2 + ACTIONS), "bonus_names begins with these"
