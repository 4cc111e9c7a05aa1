"""Clever sheets and dice, drawn with letters from the same views the page gets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from foxclover.canvas import BOLD, FAINT, GREEN, RED, TARGET, Canvas, filled, inked, struck
from foxclover.clever.state import State
from foxclover.clever.tables import CleverBook
from foxclover.clever.view import ActionView, AreaLayout, CellLayout, CleverLayout, CleverView, SheetView, move_view, view
from foxclover.clever.view import layout as layout_of
from foxclover.locale import Say

CELL = 4  # columns a field takes, with the gap behind it
WIDTH = 80  # columns of a common terminal
LABEL = 11  # columns for the name of a track
EMPTY, CIRCLED, CROSSED = range(3)
SIGNS = {"reroll": "↻", "return": "↩", "extra": "+1", "fox": "♦", "black": "■"}
STEPS = {"any": " ", "rising": "<", "falling": "≥"}

Targets = Collection[tuple[int, int]]
"""Fields (area, cell) that a legal move would enter."""


def draw_player(book: CleverBook, state: State, seat: int, moves: Sequence[int], say: Say) -> Canvas:
    """The sheet of a seat, with the fields that its moves lead to."""
    shown = [move_view(book, state, seat, move, say) for move in moves]
    lit = {(move["area"], move["cell"]) for move in shown if move["cell"] >= 0}
    return draw_sheet(book, view(book, state)["sheets"][seat], lit, say)


def draw_sheet(book: CleverBook, sheet: SheetView, lit: Targets, say: Say) -> Canvas:
    """One player's sheet: grids beside each other with the actions, tracks below."""
    canvas = Canvas()
    layout = layout_of(book, say)
    column = 0
    grids = [index for index, area in enumerate(layout["areas"]) if area["kind"] == "grid"]
    for index in grids:
        grid = _grid(book, layout, sheet, index, lit)
        canvas.paste(grid, 0, column)
        column += grid.width + 3
    actions = _actions(book, layout, sheet, say)
    if column + actions.width > WIDTH:
        actions = _actions(book, layout, sheet, None)
    canvas.paste(actions, 0, column)
    canvas.add()
    for index, area in enumerate(layout["areas"]):
        if area["kind"] == "track":
            canvas.paste(_track(book, layout, sheet, index, lit), canvas.height, 0)
    return canvas


def draw_dice(book: CleverBook, state: State, say: Say) -> Canvas:
    """The dice where they lie: at hand, on the dice fields, on the platter."""
    canvas = Canvas()
    table = view(book, state)
    dice = range(len(table["dice"]))
    places = {
        "hand": [die for die in dice if table["dice"][die]["place"] == "hand"],
        "field": table["fields"],
        "platter": [die for die in dice if table["dice"][die]["place"] == "platter"],
    }
    column = 0
    for place, shown in places.items():
        title = say(f"cli.draw.{place}")
        canvas.put(0, column, title, FAINT)
        for position, die in enumerate(shown):
            _die(canvas, column + 6 * position, book, table, die)
        column += max(len(title), 6 * len(shown)) + 3
    return canvas


def draw_summary(book: CleverBook, state: State, seat: int, say: Say) -> Canvas:
    """A player in one line: points by area, foxes, actions."""
    canvas = Canvas()
    layout, sheet = layout_of(book, say), view(book, state)["sheets"][seat]
    column = canvas.put(0, 0, f"{sheet['total']:4d}  ", BOLD)
    for area, points in zip(layout["areas"], sheet["points"], strict=True):
        column = canvas.put(0, column, f"{points:4d} ", filled(book.colours[area["name"]])) + 1
    column = canvas.put(0, column, f"  {SIGNS['fox']}{sheet['foxes']}", inked(RED))
    for action, had in zip(layout["actions"], sheet["actions"], strict=True):
        column = canvas.put(0, column, f"  {SIGNS[action['name']]} {had['unlocked'] - had['used']}")
    return canvas


def bonus_sign(book: CleverBook, bonus: str) -> tuple[str, str]:
    """A bonus in at most three characters, and its style."""
    if not bonus:
        return "", ""
    if bonus in SIGNS:
        return SIGNS[bonus], inked(RED) if bonus == "fox" else BOLD
    name, what = bonus.split()
    return f"{book.letters[book.dice.index(name)]}{'✕' if what == 'x' else what}", inked(book.colours[name])


def _die(canvas: Canvas, column: int, book: CleverBook, table: CleverView, die: int) -> None:
    if die < 0:
        for row, text in enumerate(("┌╌╌╌┐", "┆   ┆", "└╌╌╌┘")):
            canvas.put(1 + row, column, text, FAINT)
        return
    face = table["dice"][die]["face"]
    shown = str(face) if face else "·"
    for row, text in enumerate(("┌───┐", f"│{book.letters[die]} {shown}│", "└───┘")):
        canvas.put(1 + row, column, text, filled(book.colours[book.dice[die]]))


def _title(canvas: Canvas, row: int, area: AreaLayout, name: str, ground: str, points: int) -> None:
    shown = name[: LABEL - 4] if area["kind"] == "track" else name
    canvas.put(row, 0, f" {shown} ", filled(ground))
    canvas.put(row, LABEL - 1 if area["kind"] == "track" else len(shown) + 3, f"{points:d}", BOLD)


def _field(canvas: Canvas, row: int, column: int, ground: str, mark: int, text: str, lit: bool) -> None:
    """Draw one field: open in colour, crossed dark, circled in brackets, and marked when a legal move leads to it."""
    if mark == CROSSED:
        canvas.put(row, column, f"{text:^3}", struck(ground))
    elif lit:
        canvas.put(row, column, f"›{text:>2}" if mark == EMPTY else f"({text})", TARGET)
    else:
        canvas.put(row, column, f"{text:>2} " if mark == EMPTY else f"({text})", filled(ground))


def _grid(book: CleverBook, layout: CleverLayout, sheet: SheetView, index: int, lit: Targets) -> Canvas:
    area, marks = layout["areas"][index], sheet["marks"][index]
    ground = book.colours[area["name"]]
    canvas = Canvas()
    _title(canvas, 0, area, layout["words"][area["name"]], ground, sheet["points"][index])
    # Where a number stands several times, the notation names its row by a letter.
    labels = {field["row"]: field["name"].removeprefix(str(field["number"])) for field in area["cells"]}
    left = 2 if any(labels.values()) else 0
    for row, label in labels.items():
        canvas.put(1 + row, 0, label, filled(book.colours[area["row_names"][row]]) if area["row_names"] else FAINT)
    for cell, field in enumerate(area["cells"]):
        text = "✕" if marks[cell] == CROSSED else str(field["number"])
        _field(canvas, 1 + field["row"], left + CELL * field["column"], ground, marks[cell], text, (index, cell) in lit)
    for row, column in area["printed"]:
        canvas.put(1 + row, left + CELL * column, " ✕ ", struck(ground))
    right = left + CELL * area["columns"]
    below = 1 + area["rows"]
    for line, done in zip(area["lines"], sheet["won"][index], strict=True):
        sign, style = bonus_sign(book, line["bonus"])
        first = area["cells"][line["cells"][0]]
        if line["side"] == "row":
            canvas.put(1 + first["row"], right, f"→{sign}", FAINT if done else style)
        elif line["side"] == "column":
            canvas.put(below, left + CELL * first["column"], f"{sign:>2}", FAINT if done else style)
        else:
            canvas.put(below, right, f"↘{sign}", FAINT if done else style)
    for group in area["groups"] if len(area["groups"]) > 1 else []:
        spots = [area["cells"][cell] for cell in group["cells"]]
        points = group["points"][sum(marks[cell] == CROSSED for cell in group["cells"])]
        if len({spot["row"] for spot in spots}) == 1:
            canvas.put(1 + spots[0]["row"], right, f"{points:>3}", BOLD if points else FAINT)
        else:
            canvas.put(below, left + CELL * spots[0]["column"], f"{group['points'][-1]:>2}", BOLD if points else FAINT)
    return canvas


def _track(book: CleverBook, layout: CleverLayout, sheet: SheetView, index: int, lit: Targets) -> Canvas:
    area, marks, written = layout["areas"][index], sheet["marks"][index], sheet["written"][index]
    ground = book.colours[area["name"]]
    canvas = Canvas()
    needs = [_need(field) for field in area["cells"]]
    top = 1 if any(needs) else 0
    _title(canvas, top, area, layout["words"][area["name"]], ground, sheet["points"][index])
    left = LABEL + 4
    for cell, field in enumerate(area["cells"]):
        column = left + CELL * cell
        crossed = marks[cell] == CROSSED
        if needs[cell]:
            canvas.put(0, column, needs[cell], FAINT if crossed else "")
        text = "·" if not crossed else "✕" if field["minimum"] else str(written[cell])
        _field(canvas, top, column, ground, marks[cell], text, (index, cell) in lit)
        if cell + 1 < len(area["cells"]):
            pair = area["scoring"] == "pairs" and cell % 2 == 0
            canvas.put(top, column + 3, "−" if pair else STEPS[area["order"]], FAINT)
        sign, style = bonus_sign(book, field["bonus"])
        canvas.put(top + 1, column, f"{sign:>2}", FAINT if crossed else style)
    return canvas


def _need(field: CellLayout) -> str:
    """What stands above a field of a track: the least it takes, its factor, or the least its bonus takes."""
    if field["minimum"]:
        return f"≥{field['minimum']}"
    if field["factor"] > 1:
        return f"×{field['factor']}"
    return f"{field['bonus_minimum']}+" if field["bonus_minimum"] else ""


def _actions(book: CleverBook, layout: CleverLayout, sheet: SheetView, say: Say | None) -> Canvas:
    """Action tracks, foxes and total; without words it is narrow."""
    canvas = Canvas()
    words = layout["words"] | {"total": say("common.total")} if say else defaultdict(str)
    width = max((len(words[action["name"]]) for action in layout["actions"]), default=0)
    for action, state in zip(layout["actions"], sheet["actions"], strict=True):
        row = canvas.height
        column = canvas.put(row, 0, f"{SIGNS[action['name']]:>2} {words[action['name']]:<{width}} ")
        column = _boxes(canvas, row, column, state, action["length"])
        sign, style = bonus_sign(book, action["end_bonus"])
        canvas.put(row, column + 1, sign, style)
    row = canvas.height
    column = canvas.put(row, 0, f" {SIGNS['fox']} ", inked(RED))
    column = canvas.put(row, column, f"{words['fox']:<{width}} ")
    column = canvas.put(row, column, "♦" * sheet["foxes"] + "·" * (layout["foxes"] - sheet["foxes"]), inked(RED))
    canvas.put(row, column + 1, f"= {sheet['fox_points']}", BOLD)
    row = canvas.height
    canvas.put(row, 0, f" Σ {words['total']:<{width}} {sheet['total']}", BOLD)
    return canvas


def _boxes(canvas: Canvas, row: int, column: int, state: ActionView, length: int) -> int:
    """Draw one box a field of an action track: used, ready, locked."""
    for box in range(length):
        if box < state["used"]:
            column = canvas.put(row, column, "✕", FAINT)
        elif box < state["unlocked"]:
            column = canvas.put(row, column, "●", inked(GREEN))
        else:
            column = canvas.put(row, column, "○", FAINT)
    return column
