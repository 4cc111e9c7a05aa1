"""A Clever position and its moves for a screen, as typed dictionaries."""

from __future__ import annotations

from typing import Literal, TypedDict


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
    side: Literal["row", "column", "diagonal"]
    bonus: str


class GroupLayout(TypedDict):
    """Fields that score together: ``points[n]`` for n crosses or entries."""

    cells: list[int]
    points: list[int]


class AreaLayout(TypedDict):
    name: str
    kind: Literal["grid", "track"]
    rows: int
    columns: int
    order: Literal["any", "rising", "falling"]
    circles: bool  # a number is circled before it is crossed
    scoring: Literal["groups", "sum", "pairs"]
    row_names: list[str]  # silver: the colours of its rows
    cells: list[CellLayout]
    lines: list[LineLayout]
    groups: list[GroupLayout]
    printed: list[list[int]]  # [row, column] of boxes printed as crossed


class DieLayout(TypedDict):
    name: str  # "yellow", ...
    letter: str
    area: int  # index of its area; -1: joker
    row: int  # silver: the row it is crossed in as a follow-up; -1: any


class ActionLayout(TypedDict):
    name: str  # "reroll", "return", "extra"
    length: int
    end_bonus: str


class CleverLayout(TypedDict):
    """Everything printed: fetched once a game."""

    kind: Literal["clever"]
    game: str
    dice: list[DieLayout]
    areas: list[AreaLayout]
    actions: list[ActionLayout]
    rewards: list[str]  # bonus of each round, "" for none
    rating: list[int]  # solo: lowest score of each band, best first
    foxes: int


class DieView(TypedDict):
    face: int  # 0: not rolled in this turn
    place: Literal["hand", "platter", "field"]


class ActionView(TypedDict):
    unlocked: int
    used: int


class SheetView(TypedDict):
    """What one player has written."""

    marks: list[list[int]]  # per area and field: 0 empty, 1 circled, 2 crossed or written
    written: list[list[int]]  # per area and field: the number written (multiplied), 0 where none
    points: list[int]  # per area
    foxes: int
    fox_points: int
    total: int
    actions: list[ActionView]
    heap: list[str]  # bonuses still to be placed, one name each
    stage: Literal["closed", "start", "return", "choose", "follow", "take", "extra"]
    extra_used: list[int]  # dice already used as extra dice in this turn
    follow: list[int]  # dice that may still be crossed as follow-ups


class CleverView(TypedDict):
    kind: Literal["clever"]
    round: int
    rounds: int
    active: int  # seat
    passive_turn: bool  # solo: the turn with the three lowest dice
    roll: int  # 0 before the first, then 1 to 3
    dice: list[DieView]
    fields: list[int]  # die on each of the three dice fields, -1 for empty
    chance: Literal["", "roll", "tie"]
    acting: list[int]  # seats that may act now
    over: bool
    places: list[int]  # rank of each seat; [] while the game is on
    sheets: list[SheetView]


class CleverMoveView(TypedDict):
    """A legal move and what it touches on the screen."""

    id: int
    text: str
    words: str
    kind: Literal["use", "bonus", "pass", "done", "reroll", "return"]
    die: int  # -1: none
    area: int
    cell: int  # field entered (on a track the next one)
    value: int  # number entered, before the field's factor; 0 for a plain cross
    bonus: str  # kind "bonus": which bonus of the heap is placed; else ""
