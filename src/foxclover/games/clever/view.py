"""A Clever position and its moves for a screen, as typed dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypedDict, cast

from foxclover.clever.areas import total_points
from foxclover.clever.moves import DONE, ENTRIES, PASS, PLACE, REROLL_ALL, TAKE_BACK, legal
from foxclover.clever.notation import player_text
from foxclover.clever.rules import MOVES, apply
from foxclover.clever.scoring import levels, places
from foxclover.clever.sheet_file import ACTION_NAMES, Area
from foxclover.clever.state import (
    ACTIONS,
    CELLS,
    DICE,
    OVER,
    PASSIVE,
    PLACED,
    ROLL_DUE,
    Player,
    State,
)
from foxclover.clever.tables import CleverBook
from foxclover.clever.turns import acting
from foxclover.clever.words import STAGES, Occasion, Stage, names, occasion, player_words
from foxclover.colours import painted
from foxclover.contract import Layout, MoveView, Preview, View
from foxclover.locale import Say

MoveKind = Literal["use", "bonus", "pass", "done", "reroll", "return"]
Order = Literal["any", "rising", "falling"]
Scoring = Literal["groups", "sum", "pairs"]
Side = Literal["row", "column", "diagonal"]

MOVE_KINDS: dict[int, MoveKind] = {PASS: "pass", REROLL_ALL: "reroll", DONE: "done"}
ORDER_NAMES: tuple[Order, ...] = ("any", "rising", "falling")
SCORING_NAMES: tuple[Scoring, ...] = ("groups", "sum", "pairs")
CHANCE_NAMES = ("", "roll", "tie", "lot")


class CellLayout(TypedDict):
    """One printed field: ``row`` and ``column`` place it in its area."""

    row: int
    column: int
    number: int  # printed number; 0 on tracks
    name: str  # how the notation calls it, e.g. "3a"; "" on tracks
    minimum: int  # tracks: what a die must reach; 0: no minimum
    factor: int  # tracks: what an entry is multiplied by
    bonus: str  # tracks: what the field gives; "" for nothing
    bonus_minimum: int  # tracks: what an entry must reach to earn the bonus


class LineLayout(TypedDict):
    """Fields that pay a bonus together."""

    cells: list[int]
    side: Side
    bonus: str


class GroupLayout(TypedDict):
    """Fields that score together: ``points[n]`` for n crosses or entries."""

    cells: list[int]
    points: list[int]


class AreaLayout(TypedDict):
    name: str  # its colour
    kind: Literal["grid", "track"]
    rows: int
    columns: int
    order: Order
    circles: bool  # a number is circled before it is crossed
    scoring: Scoring
    row_names: list[str]  # silver: the colours of its rows
    cells: list[CellLayout]
    lines: list[LineLayout]
    groups: list[GroupLayout]
    printed: list[list[int]]  # [row, column] of boxes printed as crossed


class DieLayout(TypedDict):
    name: str  # its colour
    letter: str
    area: int  # index of its area; -1: joker
    row: int  # silver: the row it is crossed in as a follow-up; -1: any


class ActionLayout(TypedDict):
    name: str  # "reroll", "return", "extra"
    length: int
    end_bonus: str


class CleverLayout(Layout):
    """Everything printed: fetched once a game."""

    dice: list[DieLayout]
    areas: list[AreaLayout]
    actions: list[ActionLayout]
    rewards: list[str]  # bonus of each round, "" for none
    foxes: int


class DieView(TypedDict):
    face: int  # 0: not rolled in this turn
    lies: Literal["hand", "platter", "field"]


class ActionView(TypedDict):
    unlocked: int
    used: int
    won: bool  # the bonus at its end


class SheetView(TypedDict):
    """What one player has written."""

    marks: list[list[int]]  # per area and field: 0 empty, 1 circled, 2 crossed or written
    written: list[list[int]]  # per area and field: the number written (multiplied), 0 where none
    won: list[list[bool]]  # per area: the bonus of each line of a grid, of each field of a track
    points: list[int]  # per area
    foxes: int
    fox_points: int
    total: int
    actions: list[ActionView]
    heap: list[str]  # bonuses still to be placed, one name each
    stage: Stage
    extra_used: list[int]  # dice already used as extra dice in this turn


class CleverView(View):
    active: int  # seat
    passive_turn: bool  # solo: the turn with the three lowest dice
    dice: list[DieView]
    fields: list[int]  # die on each of the three dice fields, -1 for empty
    follow: list[int]  # dice the active player may still cross as follow-ups
    sheets: list[SheetView]


class CleverMoveView(MoveView):
    """A legal move and what it touches on the screen."""

    kind: MoveKind
    die: int  # -1: none
    area: int
    cell: int  # field entered (on a track the next one)
    value: int  # number entered, before the field's factor; 0 for a plain cross
    bonus: str  # kind "bonus": which bonus of the heap is placed; else ""


class PreviewCell(TypedDict):
    """A field that a move would mark."""

    area: int
    cell: int
    mark: int  # as in SheetView
    value: int  # the number written, 0 for a cross or circle


class CleverPreview(Preview):
    """What a move would do, together with every bonus after it that can be placed in one way only."""

    cells: list[PreviewCell]
    platter: list[int]  # dice that would go there
    bonuses: list[str]  # what would be won, in the order of winning; actions and foxes first


def layout(book: CleverBook, say: Say) -> CleverLayout:
    """Everything printed on the sheet."""
    sheet = book.tables
    actions = [action for action in range(ACTIONS) if sheet.action_fields[action]]
    return {
        "kind": "clever",
        "game": book.head.key,
        "paints": painted(book.colours),
        "words": names(book, say),
        "dice": [
            {
                "name": name,
                "letter": book.letters[die],
                "area": sheet.home[die],
                "row": sheet.die_row[die],
            }
            for die, name in enumerate(book.dice)
        ],
        "areas": [_area_layout(book, index, area) for index, area in enumerate(book.areas)],
        "actions": [
            {
                "name": ACTION_NAMES[action],
                "length": sheet.action_fields[action],
                "end_bonus": book.bonus_name(sheet.action_end[action]),
            }
            for action in actions
        ],
        "rewards": [book.bonus_name(bonus) for bonus in sheet.reward[1:]],
        "levels": levels(book),
        "foxes": book.foxes,
    }


def _area_layout(book: CleverBook, index: int, area: Area) -> AreaLayout:
    sheet = book.tables
    track = area.kind == "track"
    cells: list[CellLayout] = [
        {
            "row": cell.row,
            "column": cell.column,
            "number": cell.number,
            "name": cell.name,
            "minimum": sheet.minimum[index][i] if track else 0,
            "factor": sheet.factor[index][i] if track else 1,
            "bonus": book.bonus_name(sheet.bonus[index][i]) if track else "",
            "bonus_minimum": sheet.bonus_minimum[index][i] if track else 0,
        }
        for i, cell in enumerate(area.cells)
    ]
    return {
        "name": area.name,
        "kind": "track" if track else "grid",
        "rows": area.rows,
        "columns": area.columns,
        "order": ORDER_NAMES[sheet.order[index]],
        "circles": bool(sheet.circles[index]),
        "scoring": SCORING_NAMES[sheet.scoring[index]],
        "row_names": list(area.row_names),
        "cells": cells,
        "lines": [
            {"cells": list(line.cells), "side": line.side, "bonus": line.bonus}
            for line in area.lines
        ],
        "groups": [
            {"cells": list(group.cells), "points": list(group.points)} for group in area.groups
        ],
        "printed": [list(cell) for cell in area.printed],
    }


def view(book: CleverBook, state: State, seen: tuple[State, View] | None = None) -> CleverView:
    """The position as everybody sees it."""
    over = state.phase == OVER
    about_to_roll = state.hand if state.chance == ROLL_DUE else 0
    return {
        "kind": "clever",
        "round": state.round,
        "rounds": book.tables.rounds[state.players],
        "active": state.active,
        "passive_turn": state.phase == PASSIVE,
        "roll": state.roll,
        "dice": [
            {
                "face": 0 if about_to_roll >> die & 1 else state.face[die],
                "lies": "platter"
                if state.platter >> die & 1
                else "field"
                if state.laid >> die & 1
                else "hand",
            }
            for die in range(DICE)
        ],
        "fields": [die - 1 for die in state.field],
        "follow": dice_in(state.follow),
        "chance": CHANCE_NAMES[state.chance],
        "acting": dice_in(acting(book.tables, state)),
        "over": over,
        "places": places(book, state) if over else [],
        "sheets": _sheet_views(book, state, seen),
    }


def totals(view: View) -> list[int]:
    """The points of all seats."""
    return [sheet["total"] for sheet in cast(CleverView, view)["sheets"]]


def dice_in(mask: int) -> list[int]:
    """The numbers in a mask, ascending."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _sheet_views(
    book: CleverBook, state: State, seen: tuple[State, View] | None
) -> list[SheetView]:
    playing = state.seats[: state.players]
    if seen is None:
        return [_sheet_view(book, mine) for mine in playing]
    before, shown = seen
    return [
        sheet if mine == then else _sheet_view(book, mine)
        for mine, then, sheet in zip(
            playing, before.seats, cast(CleverView, shown)["sheets"], strict=False
        )
    ]


def _sheet_view(book: CleverBook, mine: Player) -> SheetView:
    sheet = book.tables
    areas = [
        _area_view(
            book,
            index,
            mine.crossed[index],
            mine.circled[index],
            tuple(mine.written[index]) if area.kind == "track" else (),
        )
        for index, area in enumerate(book.areas)
    ]
    marks, written, won = map(list, zip(*areas, strict=True))
    heap = (
        [
            book.bonus_name(bonus)
            for bonus in range(PLACED, sheet.bonuses)
            for _ in range(mine.heap[bonus])
        ]
        if mine.heaped
        else []
    )
    return {
        "marks": marks,
        "written": written,
        "won": won,
        "points": mine.points[:],
        "foxes": mine.foxes,
        "fox_points": mine.foxes * min(mine.points),
        "total": total_points(mine),
        "actions": [
            {
                "unlocked": mine.unlocked[action],
                "used": mine.unlocked[action] - mine.actions[action],
                "won": mine.unlocked[action] >= sheet.action_fields[action],
            }
            for action in range(ACTIONS)
            if sheet.action_fields[action]
        ],
        "heap": heap,
        "stage": STAGES[mine.stage],
        "extra_used": dice_in(mine.used),
    }


@lru_cache(8_192)  # most areas are as they were before a move
def _area_view(
    book: CleverBook, index: int, crossed: int, circled: int, written: tuple[int, ...]
) -> tuple[list[int], list[int], list[bool]]:
    """Marks and numbers in the fields of an area, and what was won there."""
    area, sheet = book.areas[index], book.tables
    cells = range(len(area.cells))
    marks = [2 if crossed >> cell & 1 else circled >> cell & 1 for cell in cells]
    if area.kind == "grid":
        return (
            marks,
            [0 for _ in cells],
            [all(marks[cell] for cell in line.cells) for line in area.lines],
        )
    factor, minimum = sheet.factor[index], sheet.bonus_minimum[index]
    won = [
        mark > 0 and written[cell] >= minimum[cell] * factor[cell]
        for cell, mark in enumerate(marks)
    ]
    return marks, list(written[: len(area.cells)]), won


def move_views(
    book: CleverBook, state: State, seat: int, moves: Sequence[int], say: Say
) -> list[CleverMoveView]:
    """Legal moves of a player with their targets on the screen."""
    return [_move_view(book, occasion(book, state, seat, move), move, say) for move in moves]


@lru_cache(8_192)
def _move_view(book: CleverBook, when: Occasion, move: int, say: Say) -> CleverMoveView:
    die = area = cell = -1
    value = 0
    bonus = ""
    entry = -1
    if move < PLACE:
        die, entry = divmod(move, ENTRIES)
    elif move < PASS:
        number, entry = divmod(move - PLACE, ENTRIES)
        bonus = book.bonus_name(number + PLACED)
    elif move >= TAKE_BACK:
        die = move - TAKE_BACK
    if entry >= 0:
        area, slot = divmod(entry, CELLS)
        grid = book.areas[area].kind == "grid"
        cell = slot if grid else when.detail
        value = book.areas[area].cells[slot].number if grid else slot
    return {
        "id": move,
        "text": player_text(book, move),
        "words": player_words(book, when, move, say),
        "kind": _move_kind(move),
        "die": die,
        "area": area,
        "cell": cell,
        "value": value,
        "bonus": bonus,
    }


def preview(book: CleverBook, state: State, seat: int, move: int) -> CleverPreview:
    """Make a move in a copy and tell what has changed."""
    sheet, after, bonuses = book.tables, state.copy(), list[str]()
    mine, moves = after.seats[seat], [0] * MOVES
    step = move
    while True:
        before = mine.copy()
        apply(sheet, after, seat, step)
        bonuses += _won(book, before, mine, step)
        if mine.heaped == 0 or legal(sheet, after, seat, moves) != 1:
            break
        step = moves[0]
    now, then = _sheet_view(book, mine), _sheet_view(book, state.seats[seat])
    return {
        "id": move,
        "points": now["total"] - then["total"],
        "cells": [
            {"area": area, "cell": cell, "mark": mark, "value": now["written"][area][cell]}
            for area, marks in enumerate(now["marks"])
            for cell, mark in enumerate(marks)
            if mark != then["marks"][area][cell]
        ],
        "platter": [
            die for die in range(DICE) if after.platter >> die & 1 and not state.platter >> die & 1
        ],
        "bonuses": bonuses,
    }


def _won(book: CleverBook, before: Player, after: Player, move: int) -> list[str]:
    """Bonuses that a player has now and had not before this move."""
    sheet = book.tables
    actions = [
        ACTION_NAMES[action]
        for action in range(ACTIONS)
        for _ in range(after.unlocked[action] - before.unlocked[action])
    ]
    foxes = ["fox"] * (after.foxes - before.foxes)
    placed = (move - PLACE) // ENTRIES + PLACED if PLACE <= move < PASS else -1
    heap = [
        book.bonus_name(bonus)
        for bonus in range(PLACED, sheet.bonuses)
        for _ in range(after.heap[bonus] - before.heap[bonus] + (bonus == placed))
    ]
    return actions + foxes + heap


def _move_kind(move: int) -> MoveKind:
    if move < PLACE:
        return "use"
    if move < PASS:
        return "bonus"
    if move >= TAKE_BACK:
        return "return"
    return MOVE_KINDS[move]
