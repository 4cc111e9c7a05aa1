"""Clever sheets and dice, drawn with letters from the same views the page gets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from foxclover.canvas import (
    BOLD,
    FAINT,
    GREEN,
    RED,
    TARGET,
    UNDERLINED,
    Canvas,
    filled,
    inked,
    struck,
)
from foxclover.clever.moves import ENTRIES, PASS, PLACE
from foxclover.clever.state import CELLS, State
from foxclover.clever.tables import CleverBook, colour
from foxclover.clever.view import (
    ActionView,
    AreaLayout,
    CellLayout,
    CleverLayout,
    SheetView,
    move_views,
    view,
)
from foxclover.clever.view import layout as layout_of
from foxclover.clever.words import entry_words, letters, move_words, occasion, spell
from foxclover.contract import ListedMove, MoveGroup
from foxclover.locale import Say

CELL = 4  # columns a field takes, with the gap behind it
WIDTH = 80  # columns of a common terminal
LABEL = 11  # columns for the name of a track
EMPTY, CIRCLED, CROSSED = range(3)
SIGNS = {"reroll": "↻", "return": "↩", "extra": "+1", "fox": "♦", "black": "■"}
STEPS = {"any": " ", "rising": "<", "falling": "≥"}

Targets = Collection[tuple[int, int]]
"""Fields (area, cell) that a legal move would enter."""


def draw_player(
    book: CleverBook, state: State, seat: int, moves: Sequence[int], say: Say
) -> Canvas:
    """The sheet of a seat, with the fields that its moves lead to."""
    shown = move_views(book, state, seat, moves, say)
    lit = {(move["area"], move["cell"]) for move in shown if move["cell"] >= 0}
    return draw_sheet(book, view(book, state)["sheets"][seat], lit, say)


def draw_sheet(book: CleverBook, sheet: SheetView, lit: Targets, say: Say) -> Canvas:
    """One player's sheet: grids beside each other with the actions, tracks below."""
    canvas = Canvas()
    layout = layout_of(book, say)
    column = 0
    grids = [index for index, area in enumerate(layout["areas"]) if area["kind"] == "grid"]
    for index in grids:
        grid = _grid(book, layout, sheet, index, lit, say)
        canvas.paste(grid, 0, column)
        column += grid.width + 3
    actions = _actions(book, layout, sheet, say)
    if column + actions.width > WIDTH:
        actions = _actions(book, layout, sheet, say, narrow=True)
    canvas.paste(actions, 0, column)
    for index, area in enumerate(layout["areas"]):
        if area["kind"] == "track":
            canvas.paste(_track(book, layout, sheet, index, lit, say), canvas.height, 0)
    return canvas


def draw_dice(book: CleverBook, state: State, say: Say) -> Canvas:
    """The dice where they lie: at hand, on the dice fields, on the platter."""
    canvas = Canvas()
    table = view(book, state)
    dice = range(len(table["dice"]))
    lying = {
        "hand": [die for die in dice if table["dice"][die]["lies"] == "hand"],
        "field": [die for die in table["fields"] if die >= 0],
        "platter": [die for die in dice if table["dice"][die]["lies"] == "platter"],
    }
    column, names = 0, letters(book, say)
    for where, shown in lying.items():
        column = canvas.put(0, column, say(f"cli.draw.{where}"), FAINT) + 1
        for die in shown:
            face = table["dice"][die]["face"]
            column = (
                canvas.put(
                    0,
                    column,
                    f"{names[die]:>2} {face or '·'}",
                    filled(book.colours[book.dice[die]]),
                )
                + 1
            )
        column = (column if shown else canvas.put(0, column, "–", FAINT)) + 1
    return canvas


def draw_summaries(book: CleverBook, state: State, names: Mapping[int, str], say: Say) -> Canvas:
    """Players in a line each: points by area, foxes, actions."""
    canvas = Canvas()
    layout, sheets = layout_of(book, say), view(book, state)["sheets"]
    left = max(map(len, names.values())) + 1
    canvas.put(0, left, f"{'Σ':>4}", FAINT)
    for column, area in enumerate(layout["areas"]):
        canvas.put(0, left + 6 + 7 * column, f"{layout['words'][area['name']]:>6.6}", FAINT)
    signs = ["fox", *(action["name"] for action in layout["actions"])]
    right = left + 7 + 7 * len(layout["areas"])
    for column, sign in enumerate(signs):
        canvas.put(
            0, right + 4 * column, f"{SIGNS[sign]:>2}", inked(RED) if sign == "fox" else FAINT
        )
    for row, (seat, name) in enumerate(names.items(), 1):
        sheet = sheets[seat]
        canvas.put(row, 0, name)
        canvas.put(row, left, f"{sheet['total']:4d}", BOLD)
        for column, (area, points) in enumerate(zip(layout["areas"], sheet["points"], strict=True)):
            canvas.put(
                row, left + 6 + 7 * column, f"{points:5d} ", filled(book.colours[area["name"]])
            )
        for column, count in enumerate(
            [sheet["foxes"], *(had["unlocked"] - had["used"] for had in sheet["actions"])]
        ):
            canvas.put(row, right + 4 * column, f"{count:2d}")
    return canvas


def draw_points(book: CleverBook, state: State, seat: int, say: Say) -> Canvas:
    """The point tables of the areas; what a seat has reached stands out."""
    canvas = Canvas()
    layout, sheet = layout_of(book, say), view(book, state)["sheets"][seat]
    for index, area in enumerate(layout["areas"]):
        groups, row = area["groups"], canvas.height
        canvas.put(
            row,
            0,
            f" {layout['words'][area['name']][: LABEL - 4]} ",
            filled(book.colours[area["name"]]),
        )
        canvas.put(row, LABEL - 1, f"{sheet['points'][index]:>3}", BOLD)
        if not groups:
            canvas.put(row, LABEL + 4, say(f"clever.points.{area['scoring']}"))
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
                say("clever.points.rows" if alike else "clever.points.columns"),
                FAINT,
            )
    foxes = say(
        "clever.points.foxes",
        count=sheet["foxes"],
        each=min(sheet["points"]),
        points=sheet["fox_points"],
    )
    canvas.add(f" {SIGNS['fox']} {foxes}", inked(RED))
    return canvas


def group_moves(
    book: CleverBook, state: State, seat: int, moves: Sequence[int], say: Say
) -> list[MoveGroup]:
    """The legal moves by die, those of a bonus by area, the others by themselves."""
    names, groups = letters(book, say), list[MoveGroup]()
    for (kind, index), members in groupby(moves, _group):
        listed = []
        for move in members:
            short = "".join(words[0] for words in spell(book, state, seat, move, say)[0])
            entry = (move - PLACE if move >= PLACE else move) % ENTRIES
            entered = inked(book.colours[book.areas[entry // CELLS].name]) if move < PASS else FAINT
            words = (
                entry_words(book, occasion(book, state, seat, move).detail, entry, say)
                if move < PASS
                else move_words(book, state, seat, move, say)
            )
            listed.append(ListedMove(words, short, entered))
        if kind == "die":
            name = book.dice[index]
            groups.append(
                MoveGroup(
                    f"{names[index]:>2} {state.face[index]}", filled(book.colours[name]), listed
                )
            )
        elif kind == "bonus":
            area = book.areas[index].name
            groups.append(MoveGroup(colour(book, area, say), filled(book.colours[area]), listed))
        else:
            groups.append(MoveGroup("", "", listed))
    return groups


def _group(move: int) -> tuple[str, int]:
    if move < PLACE:
        return "die", move // ENTRIES
    if move < PASS:
        return "bonus", (move - PLACE) % ENTRIES // CELLS
    return "other", 0


def bonus_sign(book: CleverBook, bonus: str, say: Say) -> tuple[str, str]:
    """A bonus in at most three characters, and its style."""
    if not bonus:
        return "", ""
    if bonus in SIGNS:
        return SIGNS[bonus], inked(RED) if bonus == "fox" else BOLD
    name, what = bonus.split()
    return f"{letters(book, say)[book.dice.index(name)]}{'✕' if what == 'x' else what}", inked(
        book.colours[name]
    )


def _title(canvas: Canvas, row: int, area: AreaLayout, name: str, ground: str, points: int) -> None:
    shown = name[: LABEL - 4] if area["kind"] == "track" else name
    canvas.put(row, 0, f" {shown} ", filled(ground))
    canvas.put(row, LABEL - 1 if area["kind"] == "track" else len(shown) + 3, f"{points:d}", BOLD)


def _field(
    canvas: Canvas, row: int, column: int, ground: str, mark: int, text: str, lit: bool
) -> None:
    """Draw one field: open in colour, crossed dark, circled in brackets, and marked when a legal move leads to it."""
    if mark == CROSSED:
        canvas.put(row, column, f"{text:^3}", struck(ground))
    elif lit:
        canvas.put(row, column, f"›{text:>2}" if mark == EMPTY else f"({text})", TARGET)
    else:
        canvas.put(row, column, f"{text:>2} " if mark == EMPTY else f"({text})", filled(ground))


def _grid(
    book: CleverBook, layout: CleverLayout, sheet: SheetView, index: int, lit: Targets, say: Say
) -> Canvas:
    area, marks = layout["areas"][index], sheet["marks"][index]
    ground = book.colours[area["name"]]
    canvas = Canvas()
    _title(canvas, 0, area, layout["words"][area["name"]], ground, sheet["points"][index])
    # Where a number stands several times, the notation names its row by a letter.
    labels = {
        field["row"]: field["name"].removeprefix(str(field["number"])) for field in area["cells"]
    }
    left = 2 if any(labels.values()) else 0
    for row, label in labels.items():
        if area["row_names"]:
            name = area["row_names"][row]
            canvas.put(
                1 + row, 0, letters(book, say)[book.dice.index(name)], filled(book.colours[name])
            )
        else:
            canvas.put(1 + row, 0, label, FAINT)
    for cell, field in enumerate(area["cells"]):
        text = "✕" if marks[cell] == CROSSED else str(field["number"])
        _field(
            canvas,
            1 + field["row"],
            left + CELL * field["column"],
            ground,
            marks[cell],
            text,
            (index, cell) in lit,
        )
    for row, column in area["printed"]:
        canvas.put(1 + row, left + CELL * column, " ✕ ", struck(ground))
    right = left + CELL * area["columns"]
    below = 1 + area["rows"]
    for line, done in zip(area["lines"], sheet["won"][index], strict=True):
        sign, style = bonus_sign(book, line["bonus"], say)
        first = area["cells"][line["cells"][0]]
        if line["side"] == "row":
            canvas.put(1 + first["row"], right, f"→{sign}", FAINT if done else style)
        elif line["side"] == "column":
            canvas.put(below, left + CELL * first["column"], f"{sign:>2}", FAINT if done else style)
        else:
            canvas.put(below, right, f"↘{sign}", FAINT if done else style)
    for group in area["groups"] if len(area["groups"]) > 1 else []:
        printed = [area["cells"][cell] for cell in group["cells"]]
        points = group["points"][sum(marks[cell] == CROSSED for cell in group["cells"])]
        if len({field["row"] for field in printed}) == 1:
            canvas.put(1 + printed[0]["row"], right, f"{points:>3}", BOLD if points else FAINT)
        else:
            canvas.put(
                below,
                left + CELL * printed[0]["column"],
                f"{group['points'][-1]:>2}",
                BOLD if points else FAINT,
            )
    return canvas


def _track(
    book: CleverBook, layout: CleverLayout, sheet: SheetView, index: int, lit: Targets, say: Say
) -> Canvas:
    area, marks, written = layout["areas"][index], sheet["marks"][index], sheet["written"][index]
    ground = book.colours[area["name"]]
    canvas = Canvas()
    _title(canvas, 0, area, layout["words"][area["name"]], ground, sheet["points"][index])
    left = LABEL + 3
    for cell, field in enumerate(area["cells"]):
        column = left + CELL * cell
        crossed = marks[cell] == CROSSED
        text = _need(field) if not crossed else "✕" if field["minimum"] else str(written[cell])
        _field(canvas, 0, column, ground, marks[cell], text, (index, cell) in lit)
        if cell + 1 < len(area["cells"]):
            pair = area["scoring"] == "pairs" and cell % 2 == 0
            canvas.put(0, column + 3, "−" if pair else STEPS[area["order"]], FAINT)
        sign, style = bonus_sign(book, field["bonus"], say)
        canvas.put(1, column, f"{sign:>2}", FAINT if crossed else style)
    return canvas


def _need(field: CellLayout) -> str:
    """What stands in an open field of a track: the least it takes, its factor, or the least its bonus takes."""
    if field["minimum"]:
        return f"≥{field['minimum']}"
    if field["factor"] > 1:
        return f"×{field['factor']}"
    return f"{field['bonus_minimum']}+" if field["bonus_minimum"] else "·"


def _actions(
    book: CleverBook, layout: CleverLayout, sheet: SheetView, say: Say, narrow: bool = False
) -> Canvas:
    """Action tracks, foxes and total; without words it is narrow."""
    canvas = Canvas()
    words = defaultdict(str) if narrow else layout["words"] | {"total": say("common.total")}
    width = max((len(words[action["name"]]) for action in layout["actions"]), default=0)
    for action, state in zip(layout["actions"], sheet["actions"], strict=True):
        row = canvas.height
        column = canvas.put(row, 0, f"{SIGNS[action['name']]:>2} {words[action['name']]:<{width}} ")
        column = _boxes(canvas, row, column, state, action["length"])
        sign, style = bonus_sign(book, action["end_bonus"], say)
        canvas.put(row, column + 1, sign, style)
    row = canvas.height
    column = canvas.put(row, 0, f" {SIGNS['fox']} ", inked(RED))
    column = canvas.put(row, column, f"{words['fox']:<{width}} ")
    column = canvas.put(
        row, column, "♦" * sheet["foxes"] + "·" * (layout["foxes"] - sheet["foxes"]), inked(RED)
    )
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
