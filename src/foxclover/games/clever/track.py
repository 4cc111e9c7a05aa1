"""The area kind ``track``: fields that are filled from the left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from foxclover.core.display import BOLD, FAINT, TextGrid, filled
from foxclover.games.clever.area_kind import (
    CROSSED,
    MOST_PRINTED,
    Area,
    AreaKind,
    AreaReader,
    AreaState,
    Cell,
    Group,
    Order,
    Scoring,
)
from foxclover.games.clever.rules.moves import next_field, open_numbers
from foxclover.games.clever.rules.state import (
    FALLING,
    FIELDS,
    FREE,
    RISING,
    TOP_FACE,
    TRACK,
    VALUES,
    Player,
    Sheet,
)
from foxclover.locale import Translator, lazy_message

if TYPE_CHECKING:
    from foxclover.games.clever.definitions import CleverDefinition
    from foxclover.games.clever.drawing import SheetDrawing

ORDERS: tuple[Order, ...] = ("any", "rising", "falling")
SCORINGS = ("sum", "pairs")
ALL_NUMBERS = (1 << VALUES) - 1
HIGHEST_ENTRY = 36  # 12 with the greatest factor
LABEL_WIDTH = 11  # in the terminal, for the name
CELL_WIDTH = 4
STEP_SIGNS = {"any": " ", "rising": "<", "falling": "≥"}


class Track(AreaKind):
    """A row of fields; a die writes its number in the next one, or crosses it."""

    name = "track"
    kernel_kind = TRACK
    page_kind = "track"
    entries = ("bonus", "minimum", "factor", "bonus_minimum", "order")
    side_by_side = False
    filled_message = "why.clever.field.filled"
    fields_message = "why.clever.fields.track"

    # -- sheet file and tables

    def read(self, reader: AreaReader, area: Area) -> None:
        """Read the fields, the order of their numbers and the points."""
        file, highest = reader.file, area.numbers[-1]
        length = file.length(
            reader.at("bonus"), 1, FIELDS, lazy_message("data.sheet.track", most=FIELDS)
        )
        area.columns = length
        bonuses = [file.string(reader.at("bonus", cell)) for cell in range(length)]
        for cell, bonus in enumerate(bonuses):
            reader.note_bonus(bonus, "bonus", cell)
        minimum = reader.by_field("minimum", length, 0, highest) or [0] * length
        bonus_minimum = reader.by_field("bonus_minimum", length, 0, highest) or [0] * length
        factor = reader.by_field("factor", length, 1, 9) or [1] * length
        area.cells = [
            Cell(0, column, 0, "", *values)
            for column, values in enumerate(
                zip(minimum, factor, bonuses, bonus_minimum, strict=True)
            )
        ]
        if reader.has("order"):
            area.order = cast(Order, file.choice(reader.at("order"), ORDERS))
        if area.order == "rising" and area.adds_joker:
            file.expected(reader.at("order"), lazy_message("data.sheet.not_rising"))
        if area.order == "falling" and any(minimum):
            file.expected(reader.at("order"), lazy_message("data.sheet.not_falling"))
        self._read_points(reader, area)

    def _read_points(self, reader: AreaReader, area: Area) -> None:
        path, length = reader.at("points"), len(area.cells)
        points = reader.file.entry(path)
        if isinstance(points, list):
            area.groups = [Group(tuple(range(length)), reader.points("points", length))]
        elif isinstance(points, str) and points in SCORINGS:
            area.scoring = cast(Scoring, points)
            if points == "pairs" and length % 2:
                reader.file.error(
                    path, lazy_message("data.sheet.odd", area=area.name, number=length)
                )
        else:
            reader.file.expected(
                path, lazy_message("data.sheet.points", number=length, most=MOST_PRINTED)
            )

    def gives(self, area: Area) -> list[str]:
        """Give a number; a plain cross only where numbers do not score."""
        cross = ["x"] if area.scoring == "groups" else []
        return [*cross, "?", *map(str, area.numbers)]

    def fill_tables(self, sheet: Sheet, area: Area, bonus: Callable[[str], int]) -> None:
        """Fill what each field takes and gives."""
        index = area.index
        for field, cell in enumerate(area.cells):
            sheet.takes[index][field] = ALL_NUMBERS & -1 << cell.minimum
            sheet.factor[index][field] = cell.factor
            sheet.bonus[index][field] = bonus(cell.bonus)
            sheet.bonus_minimum[index][field] = cell.bonus_minimum
        sheet.empty.open[index] = sheet.takes[index][0]

    # -- notation and text

    def slot_text(self, area: Area, slot: int) -> str:
        """Return the number entered, ``x`` for a plain cross."""
        return str(slot) if slot else "x"

    def field_text(self, area: Area, cell: int) -> str:
        """Return the number of the field, from 1."""
        return f"#{cell + 1}"

    def could_place(self, mine: Player, area: Area, slot: int, value: int) -> bool:
        """Compare the number, or whether the player may choose it now."""
        return value == slot or (value == FREE and bool(mine.open[area.index] >> slot & 1))

    def detail(self, sheet: Sheet, mine: Player, area: Area, slot: int) -> int:
        """Return the next field."""
        return next_field(sheet, mine, area.index)

    def entry_words(
        self,
        definition: CleverDefinition,
        area: Area,
        slot: int,
        detail: int,
        translate: Translator,
    ) -> str:
        """Describe the field that is crossed, or the number that is written."""
        name = definition.colour(area.name, translate)
        if not slot or area.cells[0].minimum:
            return translate("clever.entry.field", field=detail + 1, area=name)
        return translate(
            "clever.entry.write",
            number=slot * area.cells[detail].factor,
            field=detail + 1,
            area=name,
        )

    # -- views and drawing

    def state(self, area: Area, marks: tuple[int, ...], written: tuple[int, ...]) -> AreaState:
        """Return marks and numbers, and the bonuses of the fields that were earned."""
        won = tuple(
            mark > 0 and number >= cell.bonus_minimum * cell.factor
            for mark, number, cell in zip(marks, written, area.cells, strict=False)
        )
        return AreaState(marks, written[: len(marks)], won)

    def target(self, area: Area, slot: int, detail: int) -> tuple[int, int]:
        """Return the next field and the number."""
        return detail, slot

    def draw(self, drawing: SheetDrawing, area: Area) -> TextGrid:
        """Draw the fields in a row, with their bonuses below."""
        grid, sheet = TextGrid(), drawing.sheet
        title = drawing.words[area.name][: LABEL_WIDTH - 4]
        grid.put(0, 0, f" {title} ", filled(drawing.definition.colours[area.name]))
        grid.put(0, LABEL_WIDTH - 1, f"{sheet['points'][area.index]:d}", BOLD)
        for index, cell in enumerate(area.cells):
            column = LABEL_WIDTH + 3 + CELL_WIDTH * index
            crossed = sheet["marks"][area.index][index] == CROSSED
            entered = "✕" if cell.minimum else str(sheet["written"][area.index][index])
            text = entered if crossed else self._requirement(cell)
            drawing.draw_field(grid, (0, column), area, index, text)
            if index + 1 < len(area.cells):
                pair = area.scoring == "pairs" and index % 2 == 0
                grid.put(0, column + 3, "−" if pair else STEP_SIGNS[area.order], FAINT)
            sign, style = drawing.bonus_sign(cell.bonus)
            grid.put(1, column, f"{sign:>2}", FAINT if crossed else style)
        return grid

    def _requirement(self, cell: Cell) -> str:
        """Return the text of an open field: its minimum, its factor, or its bonus's minimum."""
        if cell.minimum:
            return f"≥{cell.minimum}"
        if cell.factor > 1:
            return f"×{cell.factor}"
        return f"{cell.bonus_minimum}+" if cell.bonus_minimum else "·"

    # -- reasons

    def fitting_numbers(self, mine: Player, area: Area, cell: int) -> int:
        """Return what the next field takes."""
        return mine.open[area.index]

    def taken(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        cell: int,
        translate: Translator,
    ) -> list[str]:
        """Explain also that fields are filled from the left."""
        following = next_field(definition.tables, mine, area.index)
        if cell <= following:
            return super().taken(definition, mine, area, cell, translate)
        name = definition.colour(area.name, translate)
        return [translate("why.clever.field.later", area=name, number=following + 1)]

    def refuse(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        number: int,
        translate: Translator,
    ) -> str:
        """Name the minimum of the next field, or the order that the number breaks."""
        sheet, index = definition.tables, area.index
        name, last = definition.colour(area.name, translate), mine.last[area.index]
        following = next_field(sheet, mine, index)
        if not sheet.takes[index][following] >> number & 1:
            return translate(
                "why.clever.area.minimum", area=name, number=area.cells[following].minimum
            )
        if sheet.order[index] == RISING and last != TOP_FACE:
            return translate("why.clever.area.higher", area=name, number=last)
        assert sheet.order[index] == FALLING, open_numbers(sheet, mine, index)
        return translate("why.clever.area.not_higher", area=name, number=last)

    # -- features

    def cell_feature(self, area: Area, cell: int) -> tuple[str, int]:
        """Name the number in a field."""
        return f"field {cell + 1}", HIGHEST_ENTRY

    def slots(self, area: Area, value: int) -> list[int]:
        """Return the number of the bonus, or all that dice can show."""
        return [value] if value != FREE else list(area.numbers)
