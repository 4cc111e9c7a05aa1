"""The interface of an area kind, and an area as printed.

An ``AreaKind`` answers every question whose answer depends on the kind of an area: reading, tables,
notation, views, text, drawing, reasons and features. Only the kernel branches on the kind itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from foxclover.core.data_file import DataFile, Path
from foxclover.games.clever.rules.state import TOP_FACE, VALUES, Player, Sheet
from foxclover.locale import Translator

if TYPE_CHECKING:
    from foxclover.core.contract import Spelling
    from foxclover.core.display import TextGrid
    from foxclover.games.clever.definitions import CleverDefinition
    from foxclover.games.clever.drawing import SheetDrawing

Order = Literal["any", "rising", "falling"]
Scoring = Literal["groups", "sum", "pairs"]
Side = Literal["row", "column", "diagonal"]

MOST_PRINTED = 1000  # points
EMPTY, CIRCLED, CROSSED = range(3)  # marks of a field


class Cell(NamedTuple):
    """A printed field; ``row`` and ``column`` place it in its area."""

    row: int
    column: int
    number: int = 0  # printed number; 0: none
    name: str = ""  # in the notation, e.g. "3a"; "" on tracks
    minimum: int = 0  # lowest number that a die may enter; 0: any
    factor: int = 1  # of an entry
    bonus: str = ""  # of the field itself; "" for none
    bonus_minimum: int = 0  # lowest entry that earns the bonus


class Line(NamedTuple):
    """Cells that pay a bonus together."""

    cells: tuple[int, ...]
    side: Side
    bonus: str


class Group(NamedTuple):
    """Cells that score together: ``points[n]`` for n crosses or entries."""

    cells: tuple[int, ...]
    points: tuple[int, ...]


@dataclass
class Area:
    """An area as printed."""

    index: int
    name: str
    kind: AreaKind
    letter: str = ""
    adds_joker: bool = False
    scoring: Scoring = "groups"
    order: Order = "any"
    rows: int = 1
    columns: int = 0
    cells: list[Cell] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    row_names: tuple[str, ...] = ()
    circles: bool = False
    follow_ups: bool = False
    printed: list[tuple[int, int]] = field(default_factory=list)  # boxes printed as crossed

    @property
    def numbers(self) -> range:
        """The numbers that dice can enter here."""
        return range(2, VALUES) if self.adds_joker else range(1, TOP_FACE + 1)

    @property
    def point_bounds(self) -> tuple[int, int]:
        """The fewest and the most points that the entries of an area can give."""
        if self.scoring == "groups":
            points = [group.points for group in self.groups]
            return sum(map(min, points)), sum(map(max, points))
        low, high = self.numbers[0], self.numbers[-1]
        factors = [cell.factor for cell in self.cells]
        if self.scoring == "sum":
            return 0, high * sum(factors)
        pairs = list(zip(factors[::2], factors[1::2], strict=True))
        return (
            sum(min(0, low * first - high * second) for first, second in pairs),
            sum(max(0, high * first - low * second) for first, second in pairs),
        )

    def where(self, row: int | None = None, column: int | None = None) -> tuple[int, ...]:
        """Return the cells of a row or column."""
        return tuple(
            index
            for index, cell in enumerate(self.cells)
            if cell.row == row or cell.column == column
        )


class AreaReader:
    """The entries of an area in a sheet file."""

    def __init__(
        self,
        file: DataFile,
        path: Path,
        letters: Mapping[str, str],
        bonuses: list[tuple[Path, str]],
    ) -> None:
        self.file = file
        self.path = path
        self.letters = letters  # of the dice, by name
        self._bonuses = bonuses

    def at(self, *entry: str | int) -> Path:
        """Return the path of an entry of the area."""
        return (*self.path, *entry)

    def has(self, entry: str) -> bool:
        """Return whether the area has an entry."""
        return self.file.has(self.at(entry))

    def flag(self, entry: str) -> bool:
        """Read an optional flag."""
        return self.has(entry) and self.file.flag(self.at(entry))

    def by_field(self, entry: str, count: int, low: int, high: int) -> list[int]:
        """Read an optional list of one number per field."""
        return self.file.wholes(self.at(entry), count, low, high) if self.has(entry) else []

    def points(self, entry: str, count: int) -> tuple[int, ...]:
        """Read the points for 1, 2, ... crosses or entries; return those for 0, 1, 2, ..."""
        return (0, *self.file.wholes(self.at(entry), count, 0, MOST_PRINTED))

    def note_bonus(self, bonus: str, *entry: str | int) -> None:
        """Record a printed bonus, to be checked when all areas are known."""
        if bonus:
            self._bonuses.append((self.at(*entry), bonus))


class AreaState(NamedTuple):
    """The content of an area on a player's sheet."""

    marks: tuple[int, ...]  # by field: 0 empty, 1 circled, 2 crossed or written
    written: tuple[int, ...]  # by field: the number written (multiplied), 0 for none
    won: tuple[bool, ...]  # bonuses of the lines, or of the fields


class AreaKind(ABC):
    """A kind of area: one class per kind, one instance registered in ``sheet_file.AREA_KINDS``."""

    name: ClassVar[str]  # in sheet files
    kernel_kind: ClassVar[int]  # the kernel's rules for it
    page_kind: ClassVar[Literal["grid", "track"]]  # the page's component for it
    entries: ClassVar[tuple[str, ...]]  # in a sheet file, besides those of every area
    side_by_side: ClassVar[bool]  # the terminal draws such areas beside each other
    filled_message: ClassVar[str]  # reason: a field has its cross or entry
    fields_message: ClassVar[str]  # reason: which fields of such areas take a die at all

    # -- sheet file and tables

    @abstractmethod
    def read(self, reader: AreaReader, area: Area) -> None:
        """Read and check the entries of an area; add findings to the file."""

    @abstractmethod
    def gives(self, area: Area) -> list[str]:
        """List what a bonus can give: ``x`` a cross, ``?`` a free number, or a number."""

    @abstractmethod
    def fill_tables(self, sheet: Sheet, area: Area, bonus: Callable[[str], int]) -> None:
        """Fill the kernel's tables of the cells; ``bonus`` returns the number of a bonus."""

    # -- notation and text

    @abstractmethod
    def slot_text(self, area: Area, slot: int) -> str:
        """Return the notation of an entry, behind the letter of its area."""

    def field_text(self, area: Area, cell: int) -> str:
        """Return the notation of a field, behind the letter of its area."""
        return self.slot_text(area, cell)

    def could_place(self, mine: Player, area: Area, slot: int, value: int) -> bool:
        """Return whether a bonus of this value could be placed as this entry."""
        return True

    @abstractmethod
    def detail(self, sheet: Sheet, mine: Player, area: Area, slot: int) -> int:
        """Return the number that the sentence of an entry depends on (``Occasion.detail``)."""

    @abstractmethod
    def entry_words(
        self,
        definition: CleverDefinition,
        area: Area,
        slot: int,
        detail: int,
        translate: Translator,
    ) -> str:
        """Describe an entry."""

    def spell_slot(
        self, area: Area, slot: int, spell_die: Callable[[str], tuple[str, ...]]
    ) -> Spelling:
        """Return the ways to type an entry, behind its area; ``spell_die`` spells a colour."""
        return ((self.slot_text(area, slot),),)

    # -- views and drawing

    @abstractmethod
    def state(self, area: Area, marks: tuple[int, ...], written: tuple[int, ...]) -> AreaState:
        """Return the content of an area from its marks and the kernel's numbers."""

    @abstractmethod
    def target(self, area: Area, slot: int, detail: int) -> tuple[int, int]:
        """Return the cell that an entry fills, and the number it enters (0 for a cross)."""

    @abstractmethod
    def draw(self, drawing: SheetDrawing, area: Area) -> TextGrid:
        """Draw an area for the terminal."""

    # -- reasons

    @abstractmethod
    def fitting_numbers(self, mine: Player, area: Area, cell: int) -> int:
        """Return the mask of the numbers that a free field takes now."""

    def taken(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        cell: int,
        translate: Translator,
    ) -> list[str]:
        """Explain why a field takes no number at all; empty if it may take one."""
        if mine.crossed[area.index] >> cell & 1:
            return [translate(self.filled_message, area=definition.colour(area.name, translate))]
        return []

    def refuse_dice(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        cell: int,
        shown: Mapping[str, int],
        translate: Translator,
    ) -> Iterator[str]:
        """Explain why none of the dice fits a field; ``shown`` maps dice to their numbers."""
        for die, number in shown.items():
            why = self.refuse(definition, mine, area, number, translate)
            yield translate("why.clever.die", die=die, why=why)

    @abstractmethod
    def refuse(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        number: int,
        translate: Translator,
    ) -> str:
        """Explain why an area with room does not take a number."""

    # -- features

    @abstractmethod
    def cell_feature(self, area: Area, cell: int) -> tuple[str, int]:
        """Return the name of a cell's feature behind that of its area, and its highest value."""

    @abstractmethod
    def slots(self, area: Area, value: int) -> Sequence[int]:
        """List the slots that an entry of a die or bonus of this value may have."""
