"""Sheet files: read and checked, with the line of everything that is wrong.

A sheet is a TOML file: the table rules, the colours and words of its dice, and its five areas. CONTRIBUTING.md explains the entries, the
files in ``sheets/`` are the examples to copy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from foxclover.clever.rules import MOVES
from foxclover.clever.state import (
    AREAS,
    BONUSES,
    CELLS,
    DICE,
    FIELDS,
    GROUPS,
    LINES,
    OPTIONS,
    PLACED,
    SEATS,
    TOP_FACE,
    VALUES,
)
from foxclover.data_file import HEAD_ENTRIES, DataFile, Path
from foxclover.errors import quote
from foxclover.locale import FALLBACK, LANGUAGES, phrase, texts

ACTION_NAMES = ("reroll", "return", "extra")
FOX, BLACK = "fox", "black"
ORDERS = ("any", "rising", "falling")
KINDS = ("grid", "track")
SCORINGS = ("sum", "pairs")
ROUNDS = 6
PASSIVE_TURNS = 12  # of a player in a game, at most
FOXES = 6  # at most
ALIKE = 4  # fields of a grid with the same number, at most
ROW_LETTERS = "abcdefgh"
COLUMNS = 12
MOST_PRINTED = 1000

_RESERVED = {FOX, "foxes", BLACK, *ACTION_NAMES}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
_SHEET_ENTRIES = (
    *HEAD_ENTRIES,
    "dice",
    "letters",
    "joker",
    "dice_are_optional",
    "rounds",
    "rewards",
    "rating",
    "black",
)
_SHEET_TABLES = ("colours", "words", "actions", "area")
_AREA_ENTRIES = ("name", "kind", "adds_joker", "points")
_GRID_ENTRIES = (
    "rows",
    "row_names",
    "circles",
    "follow_ups",
    "row_bonus",
    "column_bonus",
    "diagonal_bonus",
    "row_points",
    "column_points",
)
_TRACK_ENTRIES = ("bonus", "minimum", "factor", "bonus_minimum", "order")


class Cell(NamedTuple):
    """A printed field of a grid or track."""

    row: int
    column: int
    number: int = 0
    name: str = ""


class Line(NamedTuple):
    """Cells that pay a bonus together."""

    cells: tuple[int, ...]
    side: Literal["row", "column", "diagonal"]
    bonus: str


class Group(NamedTuple):
    """Cells that score together: ``points[n]`` for n crosses or entries."""

    cells: tuple[int, ...]
    points: tuple[int, ...]


class Action(NamedTuple):
    """An action track."""

    fields: int
    end: str


@dataclass
class Area:
    """An area as printed."""

    name: str
    kind: str
    letter: str = ""
    adds_joker: bool = False
    scoring: str = ""  # one of SCORINGS; else by groups
    rows: int = 1
    columns: int = 0
    cells: list[Cell] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    # grids
    row_names: tuple[str, ...] = ()
    circles: bool = False
    follow_ups: bool = False
    lines: list[Line] = field(default_factory=list)
    printed: list[tuple[int, int]] = field(
        default_factory=list
    )  # row and column of boxes printed as crossed
    # tracks
    order: str = ORDERS[0]
    minimum: list[int] = field(default_factory=list)
    factor: list[int] = field(default_factory=list)
    bonus: list[str] = field(default_factory=list)
    bonus_minimum: list[int] = field(default_factory=list)

    @property
    def numbers(self) -> range:
        """What dice can show here."""
        return range(2, VALUES) if self.adds_joker else range(1, TOP_FACE + 1)

    def where(self, row: int | None = None, column: int | None = None) -> tuple[int, ...]:
        """Cells of a row or column."""
        return tuple(
            index
            for index, cell in enumerate(self.cells)
            if cell.row == row or cell.column == column
        )


@dataclass
class SheetFile:
    """What a sheet file says, as far as it could be read."""

    file: DataFile
    dice: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    joker: str = ""
    optional: bool = False
    rounds: list[int] = field(default_factory=list)  # by number of players, from 1
    rewards: list[str] = field(default_factory=list)  # by round, from 1
    rating: tuple[int, ...] = ()
    black: list[str] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)
    areas: list[Area] = field(default_factory=list)
    colours: dict[str, str] = field(default_factory=dict)
    words: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # by language and colour: what the sheet brings
    bonuses: list[str] = field(default_factory=list)  # all that are printed, wherever they stand

    def area_index(self, name: str) -> int:
        """Which area has that name."""
        return [area.name for area in self.areas].index(name)


def read_sheet(source: bytes) -> SheetFile:
    """Read a sheet file and check it; nothing is raised, everything wrong is among the findings."""
    sheet = SheetFile(DataFile(source))
    if not sheet.file.errors:
        _Check(sheet).run()
    return sheet


class _Check:
    """Goes through the entries of a sheet file, one method a topic."""

    def __init__(self, sheet: SheetFile) -> None:
        self.sheet = sheet
        self.file = sheet.file
        self.seen: list[tuple[Path, str]] = []  # bonuses, and where they stand

    def run(self) -> None:
        self.file.table((), _SHEET_ENTRIES + _SHEET_TABLES)
        if self.file.has(("players",)):
            self.file.wholes(("players",), 2, 1, SEATS)
        self.dice()
        self.colours_and_words()
        self.table_rules()
        self.actions()
        if self.file.length(("area",), AREAS, AREAS, phrase("data.sheet.areas", number=AREAS)):
            for index in range(AREAS):
                self.area(("area", index))
        if len(self.sheet.areas) == AREAS:
            self.areas_together()
        if {area.name for area in self.sheet.areas} == set(self.sheet.dice) - {self.sheet.joker}:
            self.bonuses()
        if not self.file.errors:
            self.sizes()

    # -- the table --------------------------------------------------------------------------------------------------------

    def dice(self) -> None:
        dice = self.file.strings(("dice",), DICE, phrase("data.sheet.dice", number=DICE))
        for index, name in enumerate(dice):
            if name in _RESERVED or not _NAME.fullmatch(name) or name in dice[:index]:
                self.file.expected(("dice", index), phrase("data.sheet.die"))
        self.sheet.dice = tuple(dice)
        self.sheet.joker = self.file.choice(("joker",), dice)
        letters = [name[:1] for name in dice]
        path: Path = ("dice",)
        if self.file.has(("letters",)):
            path = ("letters",)
            letters = self.file.strings(path, DICE, phrase("data.sheet.letters", number=DICE))
        for index, letter in enumerate(letters):
            if not re.fullmatch("[a-z]", letter):
                self.file.expected((*path, index), phrase("data.sheet.letter"))
            elif letter in letters[:index]:
                self.file.error((*path, index), phrase("data.sheet.same_letter", letter=letter))
        self.sheet.letters = tuple(letters)

    def colours_and_words(self) -> None:
        self.file.table(("colours",), self.sheet.dice, phrase("data.sheet.colours"))
        self.sheet.colours = {name: self.file.colour(("colours", name)) for name in self.sheet.dice}
        if self.file.has(("words",)):
            for language in self.file.table(("words",), LANGUAGES):
                words = self.file.table(
                    ("words", language), self.sheet.dice, phrase("data.sheet.words")
                )
                self.sheet.words[language] = {
                    name: self.file.label(("words", language, name), 30) for name in words
                }
        for name in self.sheet.dice:
            known = f"common.colour.{name}" in texts(FALLBACK) or name in self.sheet.words.get(
                FALLBACK, {}
            )
            if not known and _NAME.fullmatch(name):
                self.file.expected(("words", FALLBACK, name), phrase("data.sheet.word", name=name))

    def table_rules(self) -> None:
        file, sheet = self.file, self.sheet
        sheet.optional = file.flag(("dice_are_optional",))
        file.table(
            ("rounds",),
            [str(players) for players in range(1, SEATS + 1)],
            phrase("data.sheet.rounds"),
        )
        for players in range(1, SEATS + 1):
            sheet.rounds.append(
                file.whole(
                    ("rounds", str(players)), 1, min(ROUNDS, PASSIVE_TURNS // max(players - 1, 1))
                )
            )
        sheet.rewards = file.strings(
            ("rewards",), ROUNDS, phrase("data.sheet.rewards", number=ROUNDS)
        )
        self.note_bonuses(("rewards",), sheet.rewards)
        length = file.length(("rating",), 1, 20, phrase("data.sheet.rating", most=20))
        sheet.rating = tuple(file.whole(("rating", index), 0, 10_000) for index in range(length))
        for index in range(1, length):
            if sheet.rating[index] >= sheet.rating[index - 1]:
                file.expected(
                    ("rating", index), phrase("data.sheet.lower", score=sheet.rating[index - 1])
                )

    def actions(self) -> None:
        for name in self.file.table(("actions",), ACTION_NAMES):
            path = ("actions", name)
            entries = self.file.table(path, ("fields", "end"), phrase("data.sheet.action"))
            fields = self.file.whole((*path, "fields"), 1, 99)
            end = self.file.string((*path, "end")) if "end" in entries else ""
            self.note_bonuses((*path, "end"), [end], alone=True)
            self.sheet.actions[name] = Action(fields, end)

    def note_bonuses(self, path: Path, names: list[str], alone: bool = False) -> None:
        self.seen += [
            (path if alone else (*path, index), name) for index, name in enumerate(names) if name
        ]

    # -- areas ------------------------------------------------------------------------------------------------------------

    def area(self, path: Path) -> None:
        file, sheet = self.file, self.sheet
        if not isinstance(file.entry(path), dict):
            file.expected(path, phrase("data.sheet.area"))
            return
        kind = file.choice((*path, "kind"), KINDS)
        file.table(path, _AREA_ENTRIES + (_GRID_ENTRIES if kind == "grid" else _TRACK_ENTRIES))
        name = file.choice((*path, "name"), [name for name in sheet.dice if name != sheet.joker])
        if name in [area.name for area in sheet.areas]:
            file.error((*path, "name"), phrase("data.sheet.same_area", name=name))
        letter = sheet.letters[sheet.dice.index(name)] if name in sheet.dice else ""
        area = Area(name, kind, letter, self.optional_flag((*path, "adds_joker")))
        (self.grid if kind == "grid" else self.track)(path, area)
        sheet.areas.append(area)

    def optional_flag(self, path: Path) -> bool:
        return self.file.has(path) and self.file.flag(path)

    def grid(self, path: Path, area: Area) -> None:
        file = self.file
        area.circles = self.optional_flag((*path, "circles"))
        area.follow_ups = self.optional_flag((*path, "follow_ups"))
        area.rows = file.length(
            (*path, "rows"), 1, len(ROW_LETTERS), phrase("data.sheet.rows", most=len(ROW_LETTERS))
        )
        rows = [file.string((*path, "rows", row)).split() for row in range(area.rows)]
        area.columns = len(rows[0]) if rows else 0
        if file.has((*path, "row_names")):
            area.row_names = tuple(
                file.strings(
                    (*path, "row_names"),
                    area.rows,
                    phrase("data.sheet.row_names", number=area.rows),
                )
            )
            for row, name in enumerate(area.row_names):
                if name not in self.sheet.dice or name in area.row_names[:row]:
                    file.expected((*path, "row_names", row), phrase("data.sheet.row_name"))
        for row, signs in enumerate(rows):
            if len(signs) != area.columns or not 1 <= len(signs) <= COLUMNS:
                file.expected((*path, "rows", row), phrase("data.sheet.columns", most=COLUMNS))
            for column, sign in enumerate(signs):
                self.sign((*path, "rows", row), area, row, column, sign)
        self.name_cells(area)
        alike = Counter(cell.number for cell in area.cells)
        if max(alike.values(), default=0) > ALIKE or not 1 <= len(area.cells) <= CELLS:
            file.expected((*path, "rows"), phrase("data.sheet.cells", most=CELLS, alike=ALIKE))
        self.lines(path, area)
        self.grid_points(path, area)

    def sign(self, path: Path, area: Area, row: int, column: int, sign: str) -> None:
        if sign == "x":
            area.printed.append((row, column))
        elif sign.isdecimal() and len(sign) <= 2 and int(sign) in area.numbers:
            if any(cell.row == row and cell.number == int(sign) for cell in area.cells):
                self.file.expected(path, phrase("data.sheet.once", number=sign))
            area.cells.append(Cell(row, column, int(sign)))
        elif sign != "-":
            self.file.expected(
                path,
                phrase(
                    "data.sheet.sign", low=area.numbers[0], high=area.numbers[-1], text=quote(sign)
                ),
            )

    def name_cells(self, area: Area) -> None:
        """A number that stands once is its own name; else the row tells it apart."""
        letters = dict(zip(self.sheet.dice, self.sheet.letters, strict=False))
        unique = len({cell.number for cell in area.cells}) == len(area.cells)
        for index, cell in enumerate(area.cells):
            label = (
                letters.get(area.row_names[cell.row], "")
                if area.row_names
                else ROW_LETTERS[cell.row]
            )
            area.cells[index] = cell._replace(name=f"{cell.number}{'' if unique else label}")

    def lines(self, path: Path, area: Area) -> None:
        if self.file.has((*path, "row_bonus")):
            rows = self.file.strings(
                (*path, "row_bonus"), area.rows, phrase("data.sheet.row_bonus", number=area.rows)
            )
            for row, bonus in enumerate(rows):
                self.line((*path, "row_bonus", row), area, Line(area.where(row=row), "row", bonus))
        if self.file.has((*path, "column_bonus")):
            columns = self.file.strings(
                (*path, "column_bonus"),
                area.columns,
                phrase("data.sheet.column_bonus", number=area.columns),
            )
            for column, bonus in enumerate(columns):
                self.line(
                    (*path, "column_bonus", column),
                    area,
                    Line(area.where(column=column), "column", bonus),
                )
        if self.file.has((*path, "diagonal_bonus")):
            cells = tuple(index for index, cell in enumerate(area.cells) if cell.row == cell.column)
            self.line(
                (*path, "diagonal_bonus"),
                area,
                Line(cells, "diagonal", self.file.string((*path, "diagonal_bonus"))),
            )

    def line(self, path: Path, area: Area, line: Line) -> None:
        if not line.bonus:
            return
        if not line.cells:
            self.file.error(path, phrase("data.sheet.empty_line", area=area.name))
        if any(sum(cell in other.cells for other in area.lines) > 1 for cell in line.cells):
            self.file.error(path, phrase("data.sheet.three_lines", area=area.name))
        area.lines.append(line)
        self.note_bonuses(path, [line.bonus], alone=True)

    def grid_points(self, path: Path, area: Area) -> None:
        given = [
            entry
            for entry in ("points", "row_points", "column_points")
            if self.file.has((*path, entry))
        ]
        if len(given) != 1:
            self.file.expected(path, phrase("data.sheet.scoring"))
            return
        path = (*path, given[0])
        if given == ["points"]:
            cells = tuple(range(len(area.cells)))
            area.groups = [Group(cells, self.points(path, len(cells)))]
        elif given == ["row_points"]:
            groups = [area.where(row=row) for row in range(area.rows)]
            points = self.points(path, area.columns)
            area.groups = [Group(cells, points) for cells in groups]
            if any(len(cells) != area.columns for cells in groups):
                self.file.error(path, phrase("data.sheet.gaps", area=area.name))
        else:
            full = self.file.wholes(path, area.columns, 0, MOST_PRINTED)
            columns = [area.where(column=column) for column in range(area.columns)]
            area.groups = [
                Group(cells, (0,) * len(cells) + (points,))
                for cells, points in zip(columns, full, strict=True)
            ]
            if not all(columns):
                self.file.error(path, phrase("data.sheet.empty_column", area=area.name))

    def points(self, path: Path, count: int) -> tuple[int, ...]:
        """What 0, 1, 2 ... crosses or entries are worth."""
        return (0, *self.file.wholes(path, count, 0, MOST_PRINTED))

    def track(self, path: Path, area: Area) -> None:
        file = self.file
        length = file.length((*path, "bonus"), 1, FIELDS, phrase("data.sheet.track", most=FIELDS))
        area.columns = length
        area.cells = [Cell(0, column) for column in range(length)]
        area.bonus = [file.string((*path, "bonus", cell)) for cell in range(length)]
        self.note_bonuses((*path, "bonus"), area.bonus)
        highest = area.numbers[-1]
        area.minimum = self.by_field((*path, "minimum"), length, 0, highest)
        area.bonus_minimum = self.by_field((*path, "bonus_minimum"), length, 0, highest)
        area.factor = self.by_field((*path, "factor"), length, 1, 9)
        area.order = (
            file.choice((*path, "order"), ORDERS) if file.has((*path, "order")) else ORDERS[0]
        )
        if area.order == "rising" and area.adds_joker:
            file.expected((*path, "order"), phrase("data.sheet.not_rising"))
        if area.order == "falling" and any(area.minimum):
            file.expected((*path, "order"), phrase("data.sheet.not_falling"))
        points = file.entry((*path, "points"))
        if isinstance(points, list):
            area.groups = [Group(tuple(range(length)), self.points((*path, "points"), length))]
        elif isinstance(points, str) and points in SCORINGS:
            area.scoring = points
            if points == "pairs" and length % 2:
                file.error(
                    (*path, "points"), phrase("data.sheet.odd", area=area.name, number=length)
                )
        else:
            file.expected(
                (*path, "points"), phrase("data.sheet.points", number=length, most=MOST_PRINTED)
            )

    def by_field(self, path: Path, length: int, low: int, high: int) -> list[int]:
        return self.file.wholes(path, length, low, high) if self.file.has(path) else [low] * length

    def areas_together(self) -> None:
        for entry in ("adds_joker", "follow_ups"):
            having = [index for index, area in enumerate(self.sheet.areas) if getattr(area, entry)]
            for index in having[1:]:
                self.file.error(("area", index, entry), phrase("data.sheet.only_one", entry=entry))
        for index, area in enumerate(self.sheet.areas):
            if area.follow_ups and area.adds_joker:
                self.file.error(
                    ("area", index, "follow_ups"), phrase("data.sheet.not_both", area=area.name)
                )

    # -- bonuses ----------------------------------------------------------------------------------------------------------

    def bonuses(self) -> None:
        file, sheet = self.file, self.sheet
        sheet.bonuses = [name for _, name in self.seen]
        for path, name in self.seen:
            if name not in (FOX, BLACK, *ACTION_NAMES):
                self.placed(path, name)
        if BLACK in sheet.bonuses or file.has(("black",)):
            length = file.length(("black",), 1, OPTIONS, phrase("data.sheet.black", most=OPTIONS))
            sheet.black = [file.string(("black", index)) for index in range(length)]
            order = [self.placed(("black", index), name) for index, name in enumerate(sheet.black)]
            for index in range(1, length):
                if order[index] <= order[index - 1] and -1 not in order:
                    file.expected(("black", index), phrase("data.sheet.order"))
        for name in ACTION_NAMES:
            sources = sheet.bonuses.count(name)
            fields = sheet.actions[name].fields if name in sheet.actions else 0
            if sources != fields and not file.errors:
                file.error(
                    ("actions", name, "fields"),
                    phrase("data.sheet.sources", name=name, sources=sources, fields=fields),
                )

    def placed(self, path: Path, name: str) -> int:
        """Check a bonus that is placed in an area; return which area it is, -1 for none."""
        names = [area.name for area in self.sheet.areas]
        first, _, what = name.partition(" ")
        if first not in names:
            others = ", ".join((FOX, BLACK, *ACTION_NAMES))
            self.file.expected(
                path,
                phrase("data.sheet.bonus", others=others, areas=", ".join(names), text=quote(name)),
            )
            return -1
        area = self.sheet.areas[names.index(first)]
        if what not in list(_given(area)):
            self.file.expected(
                path,
                phrase(
                    "data.sheet.gives", area=first, names=", ".join(_given(area)), text=quote(name)
                ),
            )
        return names.index(first)

    def sizes(self) -> None:
        """What the tables hold."""
        sheet = self.sheet
        kinds = {name for name in sheet.bonuses if name not in (FOX, *ACTION_NAMES)}
        if len(kinds) > BONUSES - PLACED:
            self.file.error(
                (), phrase("data.sheet.kinds", number=len(kinds), most=BONUSES - PLACED)
            )
        if (
            sum(
                len(self.ways(option))
                for name in kinds
                for option in (sheet.black if name == BLACK else [name])
            )
            >= MOVES
        ):
            self.file.error((), phrase("data.sheet.ways", most=MOVES))
        if sheet.bonuses.count(FOX) > FOXES:
            self.file.error(
                (), phrase("data.sheet.foxes", number=sheet.bonuses.count(FOX), most=FOXES)
            )
        if sum(len(area.lines) for area in sheet.areas) >= LINES:
            self.file.error(("area", 0), phrase("data.sheet.lines", most=LINES - 1))
        if sum(len(area.groups) for area in sheet.areas) > GROUPS:
            self.file.error(("area", 0), phrase("data.sheet.groups", most=GROUPS))
        for index, area in enumerate(sheet.areas):
            if any(len(group.cells) > FIELDS for group in area.groups):
                self.file.error(
                    ("area", index), phrase("data.sheet.fields", most=FIELDS, area=area.name)
                )

    def ways(self, bonus: str) -> range:
        """In how many ways a bonus can be placed, at most."""
        name, _, what = bonus.partition(" ")
        area = self.sheet.areas[self.sheet.area_index(name)]
        return (
            range(len(area.cells))
            if area.kind == "grid"
            else area.numbers
            if what == "?"
            else range(1)
        )


def _given(area: Area) -> Iterator[str]:
    """What a bonus can give in an area: a cross, a number of the player's choice, or a certain one."""
    if area.kind == "grid" or not area.scoring:
        yield "x"
    yield "?"
    if area.kind == "track":
        yield from map(str, area.numbers)
