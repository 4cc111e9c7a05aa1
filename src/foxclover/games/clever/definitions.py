"""Turn a sheet file into the kernel's tables and a definition with names for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from foxclover.core.contract import Bounds, Head
from foxclover.core.data_file import DataFile
from foxclover.core.rules import START_PLAYER_DUE
from foxclover.games.clever.area_kind import MOST_PRINTED, Area
from foxclover.games.clever.colours import ColourForm, colour_words
from foxclover.games.clever.rules.moves import ENTRIES
from foxclover.games.clever.rules.state import (
    ADDING,
    ALL_DICE,
    ANY_ORDER,
    AREAS,
    BY_GROUP,
    BY_PAIR,
    BY_SUM,
    CELLS,
    DICE,
    FALLING,
    FIELDS,
    FREE,
    NOTHING,
    OVER,
    PAIR,
    PLACED,
    RISING,
    ROLLS,
    SEATS,
    VALUES,
    Player,
    Sheet,
    State,
)
from foxclover.games.clever.sheet_file import (
    ACTION_NAMES,
    FOX,
    FOXES,
    ROUNDS,
    SheetFile,
    read_sheet,
)
from foxclover.locale import Translator

ORDER_NUMBERS = {"any": ANY_ORDER, "rising": RISING, "falling": FALLING}
SCORING_NUMBERS = {"groups": BY_GROUP, "sum": BY_SUM, "pairs": BY_PAIR}


@dataclass(eq=False)  # caches use definitions as keys
class CleverDefinition:
    """A game: its tables for the rules and its names for people."""

    head: Head
    source: bytes
    file: SheetFile
    tables: Sheet
    dice: tuple[str, ...]
    letters: tuple[str, ...]  # of the dice in the notation
    colours: dict[str, str]  # of the dice and their areas
    areas: list[Area]
    foxes: int
    bonus_names: list[str]  # by number, empty for none

    def colour(self, name: str, translate: Translator, form: ColourForm = "noun") -> str:
        """Return a colour in the words of the sheet, else of the catalogue."""
        return _colour(self, name, translate, form)


@lru_cache(1_024)  # every roll names its dice
def _colour(
    definition: CleverDefinition, name: str, translate: Translator, form: ColourForm
) -> str:
    return colour_words(definition.file.words, name, translate, form)


def check(
    source: bytes, read_head: Callable[[DataFile], Head], translate: Translator
) -> tuple[DataFile, str]:
    """Check a sheet and its head; return the file and a summary, empty on errors."""
    sheet = read_sheet(source)
    head = read_head(sheet.file) if sheet.file.data else None
    if head is None or sheet.file.errors:
        return sheet.file, ""
    letters = zip(sheet.letters, sheet.dice, strict=True)
    return sheet.file, translate(
        "cli.sheet.fine",
        title=head.title,
        letters=" ".join(f"{letter}={name}" for letter, name in letters),
        fields=sum(len(area.cells) for area in sheet.areas),
        foxes=sheet.bonuses.count(FOX),
    )


def read(head: Head, source: bytes) -> CleverDefinition:
    """Read a sheet from the bytes of its file; raises ``DataError``."""
    file = read_sheet(source)
    file.file.refuse_errors(head.key)
    tables = _Tables(file)
    return CleverDefinition(
        head,
        source,
        file,
        tables.sheet,
        file.dice,
        file.letters,
        file.colours,
        file.areas,
        file.bonuses.count(FOX),
        tables.bonus_names,
    )


class _Tables:
    """The tables of a file without errors, one method per topic."""

    def __init__(self, file: SheetFile) -> None:
        self.file = file
        self.sheet = Sheet()
        self.bonus_names = ["", FOX, *ACTION_NAMES]
        self.lines = 0
        self.groups = 0
        for area in file.areas:
            self.area(area)
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
        """Fill which die may be entered where, and with which face, in the order of moves."""
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
        """Fill the follow-ups: a die in its own row, the joker and its like in any row."""
        sheet = self.sheet
        if sheet.follow_area >= 0:
            for die, row in enumerate(sheet.die_row):
                for cell, printed in enumerate(self.file.areas[sheet.follow_area].cells):
                    if row in (-1, printed.row):
                        sheet.follow_cells[die][printed.number] |= 1 << cell

    def bonus(self, name: str) -> int:
        """Return the number of a bonus; a new one gets the next number."""
        if name == "":
            return NOTHING
        if name in self.bonus_names:
            return self.bonus_names.index(name)
        number = len(self.bonus_names)
        self.bonus_names.append(name)
        options = self.file.options(name)
        self.sheet.options[number] = len(options)
        for option, text in enumerate(options):
            area, _, gives = text.partition(" ")
            self.sheet.option_area[number][option] = self.file.area_index(area)
            self.sheet.option_value[number][option] = (
                {"x": 0, "?": FREE}[gives] if gives in "x?" else int(gives)
            )
        return number

    def area(self, area: Area) -> None:
        sheet, index = self.sheet, area.index
        sheet.kind[index] = area.kind.kernel_kind
        sheet.circles[index] = int(area.circles)
        sheet.order[index] = ORDER_NUMBERS[area.order]
        sheet.scoring[index] = SCORING_NUMBERS[area.scoring]
        sheet.cells[index] = len(area.cells)
        sheet.empty.room[index] = len(area.cells) * (1 + sheet.circles[index])
        area.kind.fill_tables(sheet, area, self.bonus)
        for group in area.groups:
            for cell in group.cells:
                sheet.group[index][cell] = self.groups
            for count in range(len(group.cells)):
                sheet.gain[self.groups][count] = group.points[count + 1] - group.points[count]
            self.groups += 1
        for line in area.lines:
            self.lines += 1
            sheet.empty.line_left[self.lines] = len(line.cells)
            sheet.line_bonus[self.lines] = self.bonus(line.bonus)
            for cell in line.cells:
                table = (
                    sheet.first_line if sheet.first_line[index][cell] == 0 else sheet.second_line
                )
                table[index][cell] = self.lines


assert (0, len(("", FOX, *ACTION_NAMES))) == (NOTHING, PLACED), "bonus_names begins with these"


ALL_NUMBERS = (1 << VALUES) - 1
ALL_CELLS = (1 << CELLS) - 1
MOST_ENTRIES = 2 * CELLS * AREAS  # of a whole sheet, at most: a grid may be circled and crossed
MOST_POINTS = MOST_PRINTED * MOST_ENTRIES

BOUNDS: Bounds = {
    State: {
        "players": (0, 99),  # how many may play is asked of the game
        "round": (0, ROUNDS + 1),
        "phase": (0, OVER),
        "first": (0, SEATS - 1),
        "active": (0, SEATS - 1),
        "chance": (0, START_PLAYER_DUE),
        "roll": (0, ROLLS),
        "hand": (0, ALL_DICE),
        "platter": (0, ALL_DICE),
        "laid": (0, ALL_DICE),
        "follow": (0, ALL_DICE),
        "face": (0, VALUES - 1),
        "field": (0, DICE),
    },
    Player: {
        "stage": (0, ADDING),
        "used": (0, ALL_DICE),
        "foxes": (0, FOXES),
        "heaped": (0, MOST_ENTRIES),
        "heap": (0, MOST_ENTRIES),
        "actions": (0, MOST_ENTRIES),
        "unlocked": (0, MOST_ENTRIES),
        "room": (0, 2 * CELLS),
        "open": (0, ALL_NUMBERS),
        "last": (0, VALUES - 1),
        "points": (-MOST_POINTS, MOST_POINTS),
        "circled": (0, ALL_CELLS),
        "crossed": (0, ALL_CELLS),
        "line_left": (0, CELLS),
        "grouped": (0, FIELDS),
        "written": (0, 9 * VALUES),
    },
}
