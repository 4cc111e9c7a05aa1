"""A Clever position and its moves for a screen, as typed dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypedDict, cast

from foxclover.core.contract import Layout, MoveView, Preview, View
from foxclover.core.display import swatches
from foxclover.core.rules import MAX_MOVES, ROLL_DUE
from foxclover.games.clever.area_kind import CROSSED, Area, AreaState, Order, Scoring, Side
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.notation import bits_of, bonus_placed, heap_names, player_text
from foxclover.games.clever.rules.moves import (
    DONE,
    ENTRIES,
    PASS,
    PLACE,
    REROLL_ALL,
    TAKE_BACK,
    legal,
    total_points,
)
from foxclover.games.clever.rules.state import (
    ACTIONS,
    AREAS,
    CELLS,
    DICE,
    OVER,
    PASSIVE,
    PLACED,
    Player,
    State,
)
from foxclover.games.clever.rules.table import apply
from foxclover.games.clever.rules.turns import acting
from foxclover.games.clever.scoring import places, ratings
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.games.clever.text import STAGES, Occasion, Stage, names, occasion, player_words
from foxclover.locale import Translator

MoveKind = Literal["use", "bonus", "pass", "done", "reroll", "return"]

MOVE_KINDS: dict[int, MoveKind] = {PASS: "pass", REROLL_ALL: "reroll", DONE: "done"}
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
    """The printed sheet, fetched once a game."""

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
    """The content of a player's sheet."""

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
    """A legal move and its target on the screen."""

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
    """The effects of a move, with every following bonus that has only one place."""

    cells: list[PreviewCell]
    platter: list[int]  # dice that would go there
    bonuses: list[str]  # what would be won, in the order of winning; actions and foxes first


def layout(definition: CleverDefinition, translate: Translator) -> CleverLayout:
    """Return everything printed on the sheet."""
    sheet = definition.tables
    return {
        "kind": "clever",
        "game": definition.head.key,
        "paints": swatches(definition.colours),
        "words": names(definition, translate),
        "dice": [
            {
                "name": name,
                "letter": definition.letters[die],
                "area": sheet.home[die],
                "row": sheet.die_row[die],
            }
            for die, name in enumerate(definition.dice)
        ],
        "areas": [_area_layout(area) for area in definition.areas],
        "actions": [
            {
                "name": ACTION_NAMES[action],
                "length": sheet.action_fields[action],
                "end_bonus": definition.bonus_names[sheet.action_end[action]],
            }
            for action in range(ACTIONS)
            if sheet.action_fields[action]
        ],
        "rewards": [definition.bonus_names[bonus] for bonus in sheet.reward[1:]],
        "levels": ratings(definition),
        "foxes": definition.foxes,
    }


def _area_layout(area: Area) -> AreaLayout:
    return {
        "name": area.name,
        "kind": area.kind.page_kind,
        "rows": area.rows,
        "columns": area.columns,
        "order": area.order,
        "circles": area.circles,
        "scoring": area.scoring,
        "row_names": list(area.row_names),
        "cells": [cast(CellLayout, cell._asdict()) for cell in area.cells],
        "lines": [
            {"cells": list(line.cells), "side": line.side, "bonus": line.bonus}
            for line in area.lines
        ],
        "groups": [
            {"cells": list(group.cells), "points": list(group.points)} for group in area.groups
        ],
        "printed": [list(cell) for cell in area.printed],
    }


def view(
    definition: CleverDefinition, state: State, seen: tuple[State, View] | None = None
) -> CleverView:
    """Return the position as all players see it."""
    over = state.phase == OVER
    about_to_roll = state.hand if state.chance == ROLL_DUE else 0
    return {
        "kind": "clever",
        "round": state.round,
        "rounds": definition.tables.rounds[state.players],
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
        "follow": bits_of(state.follow),
        "chance": CHANCE_NAMES[state.chance],
        "acting": bits_of(acting(definition.tables, state)),
        "over": over,
        "places": places(definition, state) if over else [],
        "sheets": _sheet_views(definition, state, seen),
    }


def totals(view: View) -> list[int]:
    """Return the points of all seats."""
    return [sheet["total"] for sheet in cast(CleverView, view)["sheets"]]


def _sheet_views(
    definition: CleverDefinition, state: State, seen: tuple[State, View] | None
) -> list[SheetView]:
    sheets = cast(CleverView, seen[1])["sheets"] if seen else []
    return [
        sheets[seat] if seen and mine == seen[0].seats[seat] else _sheet_view(definition, mine)
        for seat, mine in enumerate(state.seats[: state.players])
    ]


def _sheet_view(definition: CleverDefinition, mine: Player) -> SheetView:
    sheet = definition.tables
    areas = [
        _area_state(
            definition,
            index,
            mine.crossed[index],
            mine.circled[index],
            tuple(mine.written[index]),
        )
        for index in range(AREAS)
    ]
    return {
        "marks": [list(area.marks) for area in areas],
        "written": [list(area.written) for area in areas],
        "won": [list(area.won) for area in areas],
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
        "heap": heap_names(definition, mine),
        "stage": STAGES[mine.stage],
        "extra_used": bits_of(mine.used),
    }


@lru_cache(8_192)  # a move changes few areas
def _area_state(
    definition: CleverDefinition, index: int, crossed: int, circled: int, written: tuple[int, ...]
) -> AreaState:
    area = definition.areas[index]
    cells = range(len(area.cells))
    marks = tuple(CROSSED if crossed >> cell & 1 else circled >> cell & 1 for cell in cells)
    return area.kind.state(area, marks, written)


def move_views(
    definition: CleverDefinition,
    state: State,
    seat: int,
    moves: Sequence[int],
    translate: Translator,
) -> list[CleverMoveView]:
    """Return the legal moves of a player with their targets on the screen."""
    return [
        _move_view(definition, occasion(definition, state, seat, move), move, translate).copy()
        for move in moves
    ]


@lru_cache(8_192)
def _move_view(
    definition: CleverDefinition, when: Occasion, move: int, translate: Translator
) -> CleverMoveView:
    die, area, cell, value = -1, -1, -1, 0
    if move < PLACE:
        die = move // ENTRIES
    elif move >= TAKE_BACK:
        die = move - TAKE_BACK
    if move < PASS:
        area = move % ENTRIES // CELLS
        entered = definition.areas[area]
        cell, value = entered.kind.target(entered, move % CELLS, when.detail)
    return {
        "family": "clever",
        "id": move,
        "text": player_text(definition, move, when.rival),
        "words": player_words(definition, when, move, translate),
        "kind": _move_kind(move),
        "die": die,
        "area": area,
        "cell": cell,
        "value": value,
        "bonus": bonus_placed(definition, move) if PLACE <= move < PASS else "",
    }


def preview(definition: CleverDefinition, state: State, seat: int, move: int) -> CleverPreview:
    """Make a move in a copy and return the changes."""
    sheet, after, bonuses = definition.tables, state.copy(), list[str]()
    mine, moves = after.seats[seat], [0] * MAX_MOVES
    step = move
    while True:
        before = mine.copy()
        apply(sheet, after, seat, step)
        bonuses += _won(definition, before, mine, step)
        if mine.heaped == 0 or legal(sheet, after, seat, moves) != 1:
            break
        step = moves[0]
    now, then = _sheet_view(definition, mine), _sheet_view(definition, state.seats[seat])
    return {
        "family": "clever",
        "id": move,
        "points": now["total"] - then["total"],
        "cells": [
            {"area": area, "cell": cell, "mark": mark, "value": now["written"][area][cell]}
            for area, marks in enumerate(now["marks"])
            for cell, mark in enumerate(marks)
            if mark != then["marks"][area][cell]
        ],
        "platter": bits_of(after.platter & ~state.platter),
        "bonuses": bonuses,
    }


def _won(definition: CleverDefinition, before: Player, after: Player, move: int) -> list[str]:
    sheet = definition.tables
    actions = [
        ACTION_NAMES[action]
        for action in range(ACTIONS)
        for _ in range(after.unlocked[action] - before.unlocked[action])
    ]
    foxes = ["fox"] * (after.foxes - before.foxes)
    placed = (move - PLACE) // ENTRIES + PLACED if PLACE <= move < PASS else -1
    heap = [
        definition.bonus_names[bonus]
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
