"""The area kind ``grid``: printed numbers that are crossed in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from foxclover.core.contract import Spelling
from foxclover.core.data_file import Path
from foxclover.core.display import BOLD, FAINT, TextGrid, filled, struck
from foxclover.core.errors import quote
from foxclover.games.clever.area_kind import (
    CROSSED,
    MOST_PRINTED,
    Area,
    AreaKind,
    AreaReader,
    AreaState,
    Cell,
    Group,
    Line,
    Side,
)
from foxclover.games.clever.rules.state import CELLS, GRID, VALUES, Player, Sheet
from foxclover.locale import Translator, lazy_message

if TYPE_CHECKING:
    from foxclover.games.clever.definitions import CleverDefinition
    from foxclover.games.clever.drawing import SheetDrawing

ALIKE = 4  # fields with the same number, at most
ROW_LETTERS = "abcdefgh"
COLUMNS = 12
CELL_WIDTH = 4  # in the terminal, with the gap behind it


class Grid(AreaKind):
    """Rows of printed numbers; a die crosses a field with its number."""

    name = "grid"
    kernel_kind = GRID
    page_kind = "grid"
    entries = (
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
    side_by_side = True
    filled_message = "why.clever.field.crossed"
    fields_message = "why.clever.fields.grid"

    # -- sheet file and tables

    def read(self, reader: AreaReader, area: Area) -> None:
        """Read the rows, their names, the lines and the points."""
        file = reader.file
        area.circles = reader.flag("circles")
        area.follow_ups = reader.flag("follow_ups")
        area.rows = file.length(
            reader.at("rows"),
            1,
            len(ROW_LETTERS),
            lazy_message("data.sheet.rows", most=len(ROW_LETTERS)),
        )
        rows = [file.string(reader.at("rows", row)).split() for row in range(area.rows)]
        area.columns = len(rows[0]) if rows else 0
        if reader.has("row_names"):
            names = file.strings(
                reader.at("row_names"),
                area.rows,
                lazy_message("data.sheet.row_names", number=area.rows),
            )
            area.row_names = tuple(names)
            for row, name in enumerate(names):
                if name not in reader.letters or name in names[:row]:
                    file.expected(reader.at("row_names", row), lazy_message("data.sheet.row_name"))
        for row, signs in enumerate(rows):
            if len(signs) != area.columns or not 1 <= len(signs) <= COLUMNS:
                file.expected(
                    reader.at("rows", row), lazy_message("data.sheet.columns", most=COLUMNS)
                )
            for column, sign in enumerate(signs):
                self._read_sign(reader, area, row, column, sign)
        self._name_cells(reader, area)
        alike = Counter(cell.number for cell in area.cells)
        if max(alike.values(), default=0) > ALIKE or not 1 <= len(area.cells) <= CELLS:
            file.expected(
                reader.at("rows"), lazy_message("data.sheet.cells", most=CELLS, alike=ALIKE)
            )
        self._read_lines(reader, area)
        self._read_points(reader, area)

    def _read_sign(self, reader: AreaReader, area: Area, row: int, column: int, sign: str) -> None:
        path = reader.at("rows", row)
        if sign == "x":
            area.printed.append((row, column))
        elif sign.isdecimal() and len(sign) <= 2 and int(sign) in area.numbers:
            if any(cell.row == row and cell.number == int(sign) for cell in area.cells):
                reader.file.expected(path, lazy_message("data.sheet.once", number=sign))
            area.cells.append(Cell(row, column, int(sign)))
        elif sign != "-":
            low, high = area.numbers[0], area.numbers[-1]
            reader.file.expected(
                path, lazy_message("data.sheet.sign", low=low, high=high, text=quote(sign))
            )

    def _name_cells(self, reader: AreaReader, area: Area) -> None:
        """Name the cells by their numbers, with the row where numbers repeat."""
        unique = len({cell.number for cell in area.cells}) == len(area.cells)
        labels = [reader.letters.get(name, "") for name in area.row_names] or ROW_LETTERS
        area.cells = [
            cell._replace(name=f"{cell.number}{'' if unique else labels[cell.row]}")
            for cell in area.cells
        ]

    def _read_lines(self, reader: AreaReader, area: Area) -> None:
        sides: tuple[tuple[Side, int], ...] = (("row", area.rows), ("column", area.columns))
        for side, count in sides:
            if reader.has(f"{side}_bonus"):
                message = lazy_message(f"data.sheet.{side}_bonus", number=count)
                bonuses = reader.file.strings(reader.at(f"{side}_bonus"), count, message)
                for n, bonus in enumerate(bonuses):
                    self._add_line(reader, area, area.where(**{side: n}), side, bonus, n)
        if reader.has("diagonal_bonus"):
            cells = tuple(index for index, cell in enumerate(area.cells) if cell.row == cell.column)
            bonus = reader.file.string(reader.at("diagonal_bonus"))
            self._add_line(reader, area, cells, "diagonal", bonus)

    def _add_line(
        self,
        reader: AreaReader,
        area: Area,
        cells: tuple[int, ...],
        side: Side,
        bonus: str,
        *place: int,
    ) -> None:
        if not bonus:
            return
        entry: Path = (f"{side}_bonus", *place)
        if not cells:
            reader.file.error(
                reader.at(*entry), lazy_message("data.sheet.empty_line", area=area.name)
            )
        if any(sum(cell in other.cells for other in area.lines) > 1 for cell in cells):
            reader.file.error(
                reader.at(*entry), lazy_message("data.sheet.three_lines", area=area.name)
            )
        area.lines.append(Line(cells, side, bonus))
        reader.note_bonus(bonus, *entry)

    def _read_points(self, reader: AreaReader, area: Area) -> None:
        given = [entry for entry in ("points", "row_points", "column_points") if reader.has(entry)]
        if len(given) != 1:
            reader.file.expected(reader.path, lazy_message("data.sheet.scoring"))
            return
        path = reader.at(given[0])
        if given == ["points"]:
            cells = tuple(range(len(area.cells)))
            area.groups = [Group(cells, reader.points("points", len(cells)))]
        elif given == ["row_points"]:
            rows = [area.where(row=row) for row in range(area.rows)]
            points = reader.points("row_points", area.columns)
            area.groups = [Group(cells, points) for cells in rows]
            if any(len(cells) != area.columns for cells in rows):
                reader.file.error(path, lazy_message("data.sheet.gaps", area=area.name))
        else:
            full = reader.file.wholes(path, area.columns, 0, MOST_PRINTED)
            columns = [area.where(column=column) for column in range(area.columns)]
            area.groups = [
                Group(cells, (0,) * len(cells) + (points,))
                for cells, points in zip(columns, full, strict=True)
            ]
            if not all(columns):
                reader.file.error(path, lazy_message("data.sheet.empty_column", area=area.name))

    def gives(self, area: Area) -> list[str]:
        """Give a cross, in a field of the player's choice."""
        return ["x", "?"]

    def fill_tables(self, sheet: Sheet, area: Area, bonus: Callable[[str], int]) -> None:
        """Fill the printed numbers and the cells by number."""
        first = area.index * VALUES
        for value in range(VALUES):
            showing = [cell for cell, printed in enumerate(area.cells) if printed.number == value]
            sheet.showing[first + value] = (showing + [-1] * ALIKE)[:ALIKE]
        for cell, printed in enumerate(area.cells):
            sheet.shown[first + printed.number] |= 1 << cell
            sheet.number[area.index][cell] = printed.number
            sheet.empty.open[area.index] |= 1 << printed.number

    # -- notation and text

    def slot_text(self, area: Area, slot: int) -> str:
        """Return the name of the cell."""
        return area.cells[slot].name

    def detail(self, sheet: Sheet, mine: Player, area: Area, slot: int) -> int:
        """Return whether the cell is circled."""
        return mine.circled[area.index] >> slot & 1

    def entry_words(
        self,
        definition: CleverDefinition,
        area: Area,
        slot: int,
        detail: int,
        translate: Translator,
    ) -> str:
        """Describe the cell that is crossed or circled."""
        cell = area.cells[slot]
        name = definition.colour(area.name, translate, "adjective")
        if area.row_names:
            return translate(
                "clever.entry.cross.named",
                number=cell.number,
                area=name,
                row=definition.colour(area.row_names[cell.row], translate, "dative"),
            )
        if cell.name.isdigit():
            return translate("clever.entry.cross.only", number=cell.number, area=name)
        how = "circle" if area.circles and not detail else "cross"
        return translate(f"clever.entry.{how}", number=cell.number, area=name, row=cell.name[-1])

    def spell_slot(
        self, area: Area, slot: int, spell_die: Callable[[str], tuple[str, ...]]
    ) -> Spelling:
        """Spell the row by its die, where rows belong to dice."""
        if not area.row_names:
            return super().spell_slot(area, slot, spell_die)
        cell = area.cells[slot]
        return ((str(cell.number),), spell_die(area.row_names[cell.row]))

    # -- views and drawing

    def state(self, area: Area, marks: tuple[int, ...], written: tuple[int, ...]) -> AreaState:
        """Return marks without numbers, and the lines that are full."""
        won = tuple(all(marks[cell] for cell in line.cells) for line in area.lines)
        return AreaState(marks, (0,) * len(marks), won)

    def target(self, area: Area, slot: int, detail: int) -> tuple[int, int]:
        """Return the cell and its printed number."""
        return slot, area.cells[slot].number

    def draw(self, drawing: SheetDrawing, area: Area) -> TextGrid:
        """Draw the rows, with bonuses and points at their ends."""
        grid, marks = TextGrid(), drawing.sheet["marks"][area.index]
        ground = drawing.definition.colours[area.name]
        title = drawing.words[area.name]
        grid.put(0, 0, f" {title} ", filled(ground))
        grid.put(0, len(title) + 3, f"{drawing.sheet['points'][area.index]:d}", BOLD)
        left = self._draw_labels(drawing, area, grid)
        for index, cell in enumerate(area.cells):
            text = "✕" if marks[index] == CROSSED else str(cell.number)
            drawing.draw_field(
                grid, (1 + cell.row, left + CELL_WIDTH * cell.column), area, index, text
            )
        for row, column in area.printed:
            grid.put(1 + row, left + CELL_WIDTH * column, " ✕ ", struck(ground))
        self._draw_bonuses(drawing, area, grid, left)
        self._draw_points(area, marks, grid, left)
        return grid

    def _draw_labels(self, drawing: SheetDrawing, area: Area, grid: TextGrid) -> int:
        """Draw the names of the rows; return the column of the first cell."""
        # Where a number is printed several times, the notation names its row by a letter.
        labels = {cell.row: cell.name.removeprefix(str(cell.number)) for cell in area.cells}
        for row, label in labels.items():
            if area.row_names:
                name = area.row_names[row]
                style = filled(drawing.definition.colours[name])
                grid.put(1 + row, 0, drawing.letters[name], style)
            else:
                grid.put(1 + row, 0, label, FAINT)
        return 2 if any(labels.values()) else 0

    def _draw_bonuses(self, drawing: SheetDrawing, area: Area, grid: TextGrid, left: int) -> None:
        right, below = left + CELL_WIDTH * area.columns, 1 + area.rows
        for line, won in zip(area.lines, drawing.sheet["won"][area.index], strict=True):
            sign, style = drawing.bonus_sign(line.bonus)
            style = FAINT if won else style
            first = area.cells[line.cells[0]]
            if line.side == "row":
                grid.put(1 + first.row, right, f"→{sign}", style)
            elif line.side == "column":
                grid.put(below, left + CELL_WIDTH * first.column, f"{sign:>2}", style)
            else:
                grid.put(below, right, f"↘{sign}", style)

    def _draw_points(self, area: Area, marks: list[int], grid: TextGrid, left: int) -> None:
        for group in area.groups if len(area.groups) > 1 else []:
            cells = [area.cells[cell] for cell in group.cells]
            points = group.points[sum(marks[cell] == CROSSED for cell in group.cells)]
            style = BOLD if points else FAINT
            if len({cell.row for cell in cells}) == 1:
                grid.put(1 + cells[0].row, left + CELL_WIDTH * area.columns, f"{points:>3}", style)
            else:
                column = left + CELL_WIDTH * cells[0].column
                grid.put(1 + area.rows, column, f"{group.points[-1]:>2}", style)

    # -- reasons

    def fitting_numbers(self, mine: Player, area: Area, cell: int) -> int:
        """Return the mask of the printed number."""
        return 1 << area.cells[cell].number

    def refuse_dice(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        cell: int,
        shown: Mapping[str, int],
        translate: Translator,
    ) -> Iterator[str]:
        """Name the printed number and the dice."""
        yield translate(
            "why.clever.field.number", number=area.cells[cell].number, dice=", ".join(shown)
        )

    def refuse(
        self,
        definition: CleverDefinition,
        mine: Player,
        area: Area,
        number: int,
        translate: Translator,
    ) -> str:
        """Explain that all fields with this number are crossed."""
        name = definition.colour(area.name, translate)
        return translate("why.clever.area.crossed", area=name, number=number)

    # -- features

    def cell_feature(self, area: Area, cell: int) -> tuple[str, int]:
        """Name the mark of a cell."""
        return f"{area.cells[cell].name or cell + 1} (1 circled, 2 crossed)", 2

    def slots(self, area: Area, value: int) -> range:
        """Return all cells."""
        return range(len(area.cells))
