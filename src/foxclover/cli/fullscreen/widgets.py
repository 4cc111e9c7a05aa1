"""The parts of the screen: the sheet with its cursor, and pages of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from foxclover.cli.fullscreen.scene import Cell, Scene, to_text
from foxclover.core.display import Box, TextGrid
from foxclover.locale import Translator

CURSOR = "bold not dim not underline #000000 on #8be9fd"
CURSOR_WITHOUT_COLOUR = "bold not dim reverse"
CURSOR_SIGN = "»"
FREE_SIGNS = " ›"  # which it replaces: not what a previewed move writes
DIRECTIONS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
SIDEWAYS = 4  # a field aside counts as far away as so many ahead


class SheetPane(Widget, can_focus=True):
    """A sheet; arrow keys and the mouse choose among the fields that legal moves touch."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"go('{key}')", show=False) for key in DIRECTIONS),
        Binding("enter,space", "take", show=False),
    ]

    class Chosen(Message):
        """A field was reached by the cursor or the mouse, or taken."""

        def __init__(self, moves: list[int], taken: bool) -> None:
            super().__init__()
            self.moves = moves  # indexes of the scene's moves
            self.taken = taken

    def __init__(self, palette: Mapping[int, str]) -> None:
        super().__init__(id="sheet")
        self.palette = palette
        self.scene: Scene | None = None
        self.shown = 0  # the seat whose sheet is visible
        self.cursor: Box | None = None
        self.previewed: tuple[TextGrid, set[Cell]] | None = None

    def set_scene(self, scene: Scene) -> None:
        """Show the sheet of the player to decide."""
        self.scene, self.shown = scene, scene.seat
        self.cursor = self.previewed = None
        self.refresh()

    def next_seat(self) -> None:
        """Show the sheet of the next player."""
        if self.scene:
            self.shown = (self.shown + 1) % len(self.scene.sheets)
            self.previewed = None
            self.refresh()

    def preview(self, index: int) -> int:
        """Show the sheet after a move; return the points it brings."""
        if not self.scene:
            return 0
        after, changed, points = self.scene.preview(self.scene.moves[index])
        self.shown, self.previewed = self.scene.seat, (after, changed)
        boxes = self._boxes_of(index)
        if self.cursor not in boxes:
            self.cursor = boxes[0] if boxes else None
        self.refresh()
        return points

    def render(self) -> Text:
        """Draw the sheet, or the sheet after the move under the cursor."""
        if not self.scene:
            return Text()
        grid, marked = self.scene.sheets[self.shown], set[Cell]()
        if self.previewed:
            grid, marked = self.previewed
        if self.cursor and self.shown == self.scene.seat:
            row, column, width = self.cursor
            marked = marked | {(row, column + at) for at in range(width)}
            if grid.rows[row][column][0] in FREE_SIGNS:
                shown = TextGrid()
                shown.paste(grid, 0, 0)
                shown.put(row, column, CURSOR_SIGN)
                grid = shown
        style = CURSOR_WITHOUT_COLOUR if self.app.no_color else CURSOR
        return to_text(grid, self.palette, marked, style)

    # -- keys and mouse

    def action_go(self, direction: str) -> None:
        """Move the cursor to the nearest field in a direction."""
        down, right = DIRECTIONS[direction]
        boxes = {box for index in self._indexes() for box in self._boxes_of(index)}
        if self.cursor is None:
            best = min(boxes, default=None)
        else:
            best = self._nearest(boxes, self.cursor, down, right)
        if best:
            self._reach(best)

    @staticmethod
    def _nearest(boxes: set[Box], start: Box, down: int, right: int) -> Box | None:
        ahead: list[tuple[int, Box]] = []
        for box in boxes:
            rows, columns = 3 * (box[0] - start[0]), box[1] - start[1]
            along = rows * down + columns * right
            aside = abs(rows * right) + abs(columns * down)
            if along > 0:
                ahead.append((along + SIDEWAYS * aside, box))
        return min(ahead)[1] if ahead else None

    def action_take(self) -> None:
        """Take the field under the cursor; roll if there is none."""
        moves = self._moves_at(self.cursor) if self.cursor else []
        self.post_message(self.Chosen(moves, taken=True))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Preview the field under the mouse."""
        box = self._box_at(event)
        if box and box != self.cursor:
            self._reach(box)

    def on_click(self, event: events.Click) -> None:
        """Take the field that was clicked."""
        box = self._box_at(event)
        if box:
            self.cursor = box
            self.post_message(self.Chosen(self._moves_at(box), taken=True))

    def _reach(self, box: Box) -> None:
        self.cursor = box
        self.post_message(self.Chosen(self._moves_at(box), taken=False))
        self.refresh()

    def _box_at(self, event: events.MouseEvent) -> Box | None:
        offset = event.get_content_offset(self)
        if offset is None or not self.scene or self.shown != self.scene.seat:
            return None
        boxes = (box for index in self._indexes() for box in self._boxes_of(index))
        return next(
            (
                (row, column, width)
                for row, column, width in boxes
                if row == offset.y and column <= offset.x < column + width
            ),
            None,
        )

    def _indexes(self) -> range:
        return range(len(self.scene.moves) if self.scene else 0)

    def _boxes_of(self, index: int) -> list[Box]:
        if not self.scene:
            return []
        return self.scene.sheets[self.scene.seat].targets.get(self.scene.moves[index].number, [])

    def _moves_at(self, box: Box) -> list[int]:
        return [index for index in self._indexes() if box in self._boxes_of(index)]


class Page(ModalScreen[None]):
    """A long text in front of the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q", "dismiss", show=False),
    ]

    def __init__(self, title: str, text: Text, translate: Translator) -> None:
        super().__init__()
        self.heading = title
        self.text = text
        self.translate = translate

    def compose(self) -> ComposeResult:
        """Create the text, and below it how to close it."""
        with VerticalScroll(id="page") as scroll:
            scroll.border_title = self.heading or None
            scroll.border_subtitle = self.translate("cli.screen.close_page")
            yield Static(self.text, id="text")

    def add(self, text: Text) -> None:
        """Add a text at the end."""
        self.text = Text.assemble(self.text, "\n", text)
        self.query_one("#text", Static).update(self.text)
