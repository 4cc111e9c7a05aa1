"""Draw Clever sheets and dice for the terminal, from the views of the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from foxclover.core.contract import ListedMove, MoveGroup
from foxclover.core.display import (
    BOLD,
    FAINT,
    GREEN,
    RED,
    TARGET,
    UNDERLINED,
    TextGrid,
    coloured,
    filled,
    struck,
)
from foxclover.games.clever.area_kind import CROSSED, EMPTY, Area
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.moves import ENTRIES, PASS, PLACE
from foxclover.games.clever.rules.state import CELLS, State
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.games.clever.text import entry_words, letters, move_words, names, occasion, spell
from foxclover.games.clever.view import (
    ActionView,
    SheetView,
    move_views,
    view,
)
from foxclover.games.clever.view import layout as layout_of
from foxclover.locale import Translator

LEGEND = "clever.signs"

WIDTH = 80  # columns of a common terminal
LABEL = 11  # columns for the name of an area
SIGNS = {"reroll": "↻", "return": "↩", "extra": "+1", "fox": "♦", "black": "■"}

Targets = Collection[tuple[int, int]]
"""Fields (area, cell) that a legal move would enter."""


class SheetDrawing:
    """A player's sheet for the terminal, as area kinds draw it."""

    def __init__(
        self, definition: CleverDefinition, sheet: SheetView, lit: Targets, translate: Translator
    ) -> None:
        self.definition = definition
        self.sheet = sheet
        self.lit = lit
        self.translate = translate
        self.words = names(definition, translate)
        self.letters = dict(zip(definition.dice, letters(definition, translate), strict=True))

    def draw_field(
        self, grid: TextGrid, at: tuple[int, int], area: Area, cell: int, text: str
    ) -> None:
        """Draw a field: open in colour, crossed dark, circled in brackets, targets marked."""
        grid.boxes[area.index, cell] = (*at, 3)
        mark, ground = self.sheet["marks"][area.index][cell], self.definition.colours[area.name]
        if mark == CROSSED:
            grid.put(*at, f"{text:^3}", struck(ground))
        elif (area.index, cell) in self.lit:
            grid.put(*at, f"›{text:>2}" if mark == EMPTY else f"({text})", TARGET)
        else:
            grid.put(*at, f"{text:>2} " if mark == EMPTY else f"({text})", filled(ground))

    def bonus_sign(self, bonus: str) -> tuple[str, str]:
        """Return a bonus in at most three characters, and its style."""
        if not bonus:
            return "", ""
        if bonus in SIGNS:
            return SIGNS[bonus], coloured(RED) if bonus == "fox" else BOLD
        name, gives = bonus.split()
        sign = f"{self.letters[name]}{'✕' if gives == 'x' else gives}"
        return sign, coloured(self.definition.colours[name])

    def draw_actions(self, narrow: bool = False) -> TextGrid:
        """Draw the action tracks, foxes and total; without words if narrow."""
        grid, sheet, file = TextGrid(), self.sheet, self.definition.file
        words = (
            defaultdict(str) if narrow else self.words | {"total": self.translate("common.total")}
        )
        actions = [(name, file.actions[name]) for name in ACTION_NAMES if name in file.actions]
        width = max((len(words[name]) for name, _ in actions), default=0)
        for row, ((name, action), state) in enumerate(zip(actions, sheet["actions"], strict=True)):
            column = grid.put(row, 0, f"{SIGNS[name]:>2} {words[name]:<{width}} ")
            column = _boxes(grid, row, column, state, action.fields)
            sign, style = self.bonus_sign(action.end)
            grid.put(row, column + 1, sign, style)
        row = grid.height
        column = grid.put(row, 0, f" {SIGNS['fox']} ", coloured(RED))
        column = grid.put(row, column, f"{words['fox']:<{width}} ")
        missing = self.definition.foxes - sheet["foxes"]
        column = grid.put(row, column, "♦" * sheet["foxes"] + "·" * missing, coloured(RED))
        grid.put(row, column + 1, f"= {sheet['fox_points']}", BOLD)
        grid.add(f" Σ {words['total']:<{width}} {sheet['total']}", BOLD)
        return grid


def _boxes(grid: TextGrid, row: int, column: int, state: ActionView, length: int) -> int:
    """Draw a box for each field of an action track: used, ready, locked."""
    for box in range(length):
        if box < state["used"]:
            column = grid.put(row, column, "✕", FAINT)
        elif box < state["unlocked"]:
            column = grid.put(row, column, "●", coloured(GREEN))
        else:
            column = grid.put(row, column, "○", FAINT)
    return column


def draw_player(
    definition: CleverDefinition,
    state: State,
    seat: int,
    moves: Sequence[int],
    translate: Translator,
) -> TextGrid:
    """Draw the sheet of a seat, with the targets of its moves."""
    shown = move_views(definition, state, seat, moves, translate)
    lit = {(move["area"], move["cell"]) for move in shown if move["cell"] >= 0}
    grid = draw_sheet(definition, view(definition, state)["sheets"][seat], lit, translate)
    grid.targets = {
        move["id"]: [grid.boxes[move["area"], move["cell"]]] for move in shown if move["cell"] >= 0
    }
    return grid


def draw_sheet(
    definition: CleverDefinition, sheet: SheetView, lit: Targets, translate: Translator
) -> TextGrid:
    """Draw a sheet: areas side by side with the actions, then the others below each other."""
    drawing = SheetDrawing(definition, sheet, lit, translate)
    grid, column = TextGrid(), 0
    for area in definition.areas:
        if area.kind.side_by_side:
            drawn = area.kind.draw(drawing, area)
            grid.paste(drawn, 0, column)
            column += drawn.width + 3
    actions = drawing.draw_actions()
    if column + actions.width > WIDTH:
        actions = drawing.draw_actions(narrow=True)
    grid.paste(actions, 0, column)
    for area in definition.areas:
        if not area.kind.side_by_side:
            grid.paste(area.kind.draw(drawing, area), grid.height, 0)
    return grid


def draw_dice(definition: CleverDefinition, state: State, translate: Translator) -> TextGrid:
    """Draw the dice by place: left to roll, on the dice fields, on the platter."""
    canvas = TextGrid()
    table = view(definition, state)
    dice = range(len(table["dice"]))
    places = {
        "hand": [die for die in dice if table["dice"][die]["lies"] == "hand"],
        "field": [die for die in table["fields"] if die >= 0],
        "platter": [die for die in dice if table["dice"][die]["lies"] == "platter"],
    }
    column, names = 0, letters(definition, translate)
    for where, shown in places.items():
        column = canvas.put(0, column, translate(f"cli.draw.{where}"), FAINT) + 1
        for die in shown:
            face = table["dice"][die]["face"]
            column = (
                canvas.put(
                    0,
                    column,
                    f"{names[die]:>2} {face or '·'}",
                    filled(definition.colours[definition.dice[die]]),
                )
                + 1
            )
        column = (column if shown else canvas.put(0, column, "–", FAINT)) + 1
    return canvas


def draw_summaries(
    definition: CleverDefinition, state: State, names: Mapping[int, str], translate: Translator
) -> TextGrid:
    """Draw a line per player: points by area, foxes, actions."""
    canvas = TextGrid()
    layout, sheets = layout_of(definition, translate), view(definition, state)["sheets"]
    left = max(map(len, names.values())) + 1
    canvas.put(0, left, f"{'Σ':>4}", FAINT)
    for column, area in enumerate(layout["areas"]):
        canvas.put(0, left + 6 + 7 * column, f"{layout['words'][area['name']]:>6.6}", FAINT)
    signs = ["fox", *(action["name"] for action in layout["actions"])]
    right = left + 7 + 7 * len(layout["areas"])
    for column, sign in enumerate(signs):
        canvas.put(
            0, right + 4 * column, f"{SIGNS[sign]:>2}", coloured(RED) if sign == "fox" else FAINT
        )
    for row, (seat, name) in enumerate(names.items(), 1):
        sheet = sheets[seat]
        canvas.put(row, 0, name)
        canvas.put(row, left, f"{sheet['total']:4d}", BOLD)
        for column, (area, points) in enumerate(zip(layout["areas"], sheet["points"], strict=True)):
            canvas.put(
                row,
                left + 6 + 7 * column,
                f"{points:5d} ",
                filled(definition.colours[area["name"]]),
            )
        for column, count in enumerate(
            [sheet["foxes"], *(had["unlocked"] - had["used"] for had in sheet["actions"])]
        ):
            canvas.put(row, right + 4 * column, f"{count:2d}")
    return canvas


def draw_points(
    definition: CleverDefinition, state: State, seat: int, translate: Translator
) -> TextGrid:
    """Draw the point tables of the areas; highlight what a seat has reached."""
    canvas = TextGrid()
    layout, sheet = layout_of(definition, translate), view(definition, state)["sheets"][seat]
    for index, area in enumerate(layout["areas"]):
        groups, row = area["groups"], canvas.height
        canvas.put(
            row,
            0,
            f" {layout['words'][area['name']][: LABEL - 4]} ",
            filled(definition.colours[area["name"]]),
        )
        canvas.put(row, LABEL - 1, f"{sheet['points'][index]:>3}", BOLD)
        if not groups:
            canvas.put(row, LABEL + 4, translate(f"clever.points.{area['scoring']}"))
            continue
        alike = len({tuple(group["points"]) for group in groups}) == 1
        shown = groups[0]["points"][1:] if alike else [group["points"][-1] for group in groups]
        crossed = [
            sum(sheet["marks"][index][cell] == CROSSED for cell in group["cells"])
            for group in groups
        ]
        column = LABEL + 4
        for at, points in enumerate(shown):
            reached = at + 1 in crossed if alike else crossed[at] == len(groups[at]["cells"])
            column = (
                canvas.put(row, column, f"{points:>3}", f"{BOLD};{UNDERLINED}" if reached else "")
                + 1
            )
        if len(groups) > 1:
            canvas.put(
                row,
                column + 1,
                translate("clever.points.rows" if alike else "clever.points.columns"),
                FAINT,
            )
    foxes = translate(
        "clever.points.foxes",
        count=sheet["foxes"],
        each=min(sheet["points"]),
        points=sheet["fox_points"],
    )
    canvas.add(f" {SIGNS['fox']} {foxes}", coloured(RED))
    return canvas


def group_moves(
    definition: CleverDefinition,
    state: State,
    seat: int,
    moves: Sequence[int],
    translate: Translator,
) -> list[MoveGroup]:
    """Group the legal moves by die, those of a bonus by area, the others alone."""
    names, groups = letters(definition, translate), list[MoveGroup]()
    for (kind, index), members in groupby(moves, _group):
        listed = []
        for move in members:
            short = "".join(
                words[0] for words in spell(definition, state, seat, move, translate)[0]
            )
            if move < PASS:
                area = definition.areas[move % ENTRIES // CELLS]
                style = coloured(definition.colours[area.name])
                detail = occasion(definition, state, seat, move).detail
                words = entry_words(definition, detail, move, translate)
            else:
                style, words = FAINT, move_words(definition, state, seat, move, translate)
            listed.append(ListedMove(words, short, style))
        if kind == "die":
            head, name = f"{names[index]:>2} {state.face[index]}", definition.dice[index]
        elif kind == "bonus":
            name = definition.areas[index].name
            head = definition.colour(name, translate)
        else:
            head, name = "", ""
        groups.append(MoveGroup(head, filled(definition.colours[name]) if name else "", listed))
    return groups


def _group(move: int) -> tuple[str, int]:
    if move < PLACE:
        return "die", move // ENTRIES
    if move < PASS:
        return "bonus", (move - PLACE) % ENTRIES // CELLS
    return "other", 0
