"""Turn a sheet file into the integer tables of ``Sheet``, and into a book with the names for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from foxclover.clever.moves import ENTRIES
from foxclover.clever.sheet_file import (
    ACTION_NAMES,
    BLACK,
    FOX,
    KINDS,
    ORDERS,
    Area,
    SheetFile,
    read_sheet,
)
from foxclover.clever.state import (
    ANY_ORDER,
    AREAS,
    BY_GROUP,
    BY_PAIR,
    BY_SUM,
    CELLS,
    FALLING,
    FREE,
    GRID,
    NOTHING,
    PAIR,
    PLACED,
    RISING,
    TRACK,
    VALUES,
    Sheet,
)
from foxclover.contract import Head
from foxclover.data_file import DataFile
from foxclover.locale import FALLBACK, Say, texts

ALL_NUMBERS = (1 << VALUES) - 1
SCORINGS = {"": BY_GROUP, "sum": BY_SUM, "pairs": BY_PAIR}


@dataclass(eq=False)  # so that what is worked out once can be kept by book
class CleverBook:
    """One game: its tables for the rules and its names for people."""

    head: Head
    file: SheetFile
    tables: Sheet
    bonus_names: list[str]
    source: bytes

    @cached_property
    def dice(self) -> tuple[str, ...]:
        """The names of the dice."""
        return self.file.dice

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """What the notation calls them."""
        return self.file.letters

    @property
    def colours(self) -> dict[str, str]:
        """What the dice and their areas are painted with."""
        return self.file.colours

    @cached_property
    def areas(self) -> list[Area]:
        """The areas as printed."""
        return self.file.areas

    @property
    def foxes(self) -> int:
        """How many there are to win."""
        return self.file.bonuses.count(FOX)

    def bonus_name(self, bonus: int) -> str:
        """Name of a bonus, empty for none."""
        return self.bonus_names[bonus]


@lru_cache(1_024)  # every roll names its dice
def colour(book: CleverBook, name: str, say: Say) -> str:
    """A colour in words: those of the sheet, else of the catalogue."""
    brought = book.file.words
    own = brought.get(say.language, {}).get(name)
    return own or texts(say.language).get(f"common.colour.{name}") or brought[FALLBACK][name]


def check(source: bytes, read_head: Callable[[DataFile], Head], say: Say) -> tuple[DataFile, str]:
    """Look for all that is wrong with a sheet, its head too, and say what is in it."""
    sheet = read_sheet(source)
    head = read_head(sheet.file) if sheet.file.data else None
    if head is None or sheet.file.errors:
        return sheet.file, ""
    fields = sum(len(area.cells) for area in sheet.areas)
    letters = " ".join(
        f"{letter}={name}" for letter, name in zip(sheet.letters, sheet.dice, strict=True)
    )
    return sheet.file, say(
        "cli.sheet.fine",
        title=head.title,
        letters=letters,
        fields=fields,
        foxes=sheet.bonuses.count(FOX),
    )


def read(head: Head, source: bytes) -> CleverBook:
    """Read a sheet from the bytes of its file; raises ``DataError``."""
    file = read_sheet(source)
    file.file.refuse_errors(head.key)
    tables = _Tables(file)
    return CleverBook(head, file, tables.sheet, tables.bonus_names, source)


class _Tables:
    """Fills the tables from a file without errors, one method a topic."""

    def __init__(self, file: SheetFile) -> None:
        self.file = file
        self.sheet = Sheet()
        self.bonus_names = ["", FOX, *ACTION_NAMES]
        self.lines = 0
        self.groups = 0
        for index, area in enumerate(file.areas):
            self.area(index, area)
        self.play()
        self.uses()
        self.follow_ups()
        for name, action in file.actions.items():
            number = ACTION_NAMES.index(name)
            self.sheet.action_fields[number] = action.fields
            self.sheet.action_end[number] = self.bonus(action.end)
        self.sheet.bonuses = len(self.bonus_names)

    def play(self) -> None:
        sheet, file = self.sheet, self.file
        sheet.joker = file.dice.index(file.joker)
        sheet.optional = int(file.optional)
        sheet.rounds[1:] = file.rounds
        sheet.reward[1:] = [self.bonus(name) for name in file.rewards]
        sheet.follow_area = next(
            (index for index, area in enumerate(file.areas) if area.follow_ups), -1
        )
        followed = file.areas[sheet.follow_area].row_names if sheet.follow_area >= 0 else ()
        for die, name in enumerate(file.dice):
            sheet.home[die] = -1 if die == sheet.joker else file.area_index(name)
            sheet.die_row[die] = followed.index(name) if name in followed else -1
        sheet.paired = [int(area.adds_joker) for area in file.areas]
        sheet.partner = next(
            (file.dice.index(area.name) for area in file.areas if area.adds_joker), -1
        )

    def uses(self) -> None:
        """Which die may be entered where, and with which face, in the order of the moves."""
        sheet = self.sheet
        pairs = [
            (die, area)
            for die, home in enumerate(sheet.home)
            for area in range(AREAS)
            if home in (-1, area)
        ]
        for use, (die, area) in enumerate(pairs):
            sheet.use_die[use] = 1 << die
            sheet.use_area[use] = area
            sheet.use_face[use] = PAIR if sheet.paired[area] else die
            sheet.use_move[use] = die * ENTRIES + area * CELLS

    def follow_ups(self) -> None:
        """Own face, own row; the joker and its like in any row."""
        sheet = self.sheet
        if sheet.follow_area >= 0:
            for die, row in enumerate(sheet.die_row):
                for cell, printed in enumerate(self.file.areas[sheet.follow_area].cells):
                    if row in (-1, printed.row):
                        sheet.follow_cells[die][printed.number] |= 1 << cell

    def bonus(self, name: str) -> int:
        """Number of a bonus; one met for the first time gets its own."""
        if name == "":
            return NOTHING
        if name in self.bonus_names:
            return self.bonus_names.index(name)
        number = len(self.bonus_names)
        self.bonus_names.append(name)
        options = self.file.black if name == BLACK else [name]
        self.sheet.options[number] = len(options)
        for option, text in enumerate(options):
            area, _, what = text.partition(" ")
            self.sheet.option_area[number][option] = self.file.area_index(area)
            self.sheet.option_value[number][option] = (
                {"x": 0, "?": FREE}[what] if what in "x?" else int(what)
            )
        return number

    def area(self, index: int, area: Area) -> None:
        sheet = self.sheet
        sheet.kind[index] = KINDS.index(area.kind)
        sheet.circles[index] = int(area.circles)
        sheet.order[index] = ORDERS.index(area.order)
        sheet.scoring[index] = SCORINGS[area.scoring]
        sheet.cells[index] = len(area.cells)
        (self.grid if area.kind == "grid" else self.track)(index, area)
        for group in area.groups:
            for cell in group.cells:
                sheet.group[index][cell] = self.groups
            for count in range(len(group.cells)):
                sheet.gain[self.groups][count] = group.points[count + 1] - group.points[count]
            self.groups += 1
        for line in area.lines:
            self.lines += 1
            sheet.line_length[self.lines] = len(line.cells)
            sheet.line_bonus[self.lines] = self.bonus(line.bonus)
            for cell in line.cells:
                table = (
                    sheet.first_line if sheet.first_line[index][cell] == 0 else sheet.second_line
                )
                table[index][cell] = self.lines

    def grid(self, index: int, area: Area) -> None:
        sheet = self.sheet
        for value in range(VALUES):
            showing = [cell for cell, printed in enumerate(area.cells) if printed.number == value]
            sheet.showing[index * VALUES + value] = (showing + [-1] * 4)[:4]
        for cell, printed in enumerate(area.cells):
            sheet.shown[index * VALUES + printed.number] |= 1 << cell
            sheet.number[index][cell] = printed.number
            sheet.numbers[index] |= 1 << printed.number

    def track(self, index: int, area: Area) -> None:
        sheet = self.sheet
        for cell in range(len(area.cells)):
            sheet.minimum[index][cell] = area.minimum[cell]
            sheet.takes[index][cell] = ALL_NUMBERS & -1 << area.minimum[cell]
            sheet.factor[index][cell] = area.factor[cell]
            sheet.bonus[index][cell] = self.bonus(area.bonus[cell])
            sheet.bonus_minimum[index][cell] = area.bonus_minimum[cell]
        sheet.numbers[index] = sheet.takes[index][0]


assert (0, len(("", FOX, *ACTION_NAMES))) == (NOTHING, PLACED), "bonus_names begins with these"
assert (KINDS[GRID], KINDS[TRACK]) == ("grid", "track")
assert (ORDERS[ANY_ORDER], ORDERS[RISING], ORDERS[FALLING]) == ("any", "rising", "falling")
