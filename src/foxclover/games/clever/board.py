"""Read positions and moves of the Clever games by name, with types.

``Board(position)`` is a snapshot: it stays as it was when moves are made. Dice, areas and actions
are named by the sheet ("yellow", "reroll"), fields as in the notation ("3a", on tracks "#5").
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, cast

from foxclover.core.errors import IllegalMove
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.games.clever.area_kind import CIRCLED, CROSSED, Side
from foxclover.games.clever.area_kind import Area as PrintedArea
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.state import State
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.games.clever.text import Stage
from foxclover.games.clever.view import (
    CleverMoveView,
    CleverPreview,
    MoveKind,
    SheetView,
    move_views,
    preview,
    view,
)
from foxclover.locale import catalogue

Place = Literal["hand", "platter", "field"]
LISTED = 20  # legal moves in an error, at most


class Die(NamedTuple):
    """A die: what it shows, and where it is."""

    name: str  # its colour
    letter: str
    face: int  # 0: not rolled in this turn
    place: Place
    is_joker: bool  # counts as any colour


class Field(NamedTuple):
    """A field of an area, with what a player entered there."""

    name: str
    row: int
    column: int
    number: int  # printed; 0 on tracks
    minimum: int  # lowest number that a die may enter; 0: any
    factor: int  # of an entry
    bonus: str  # of the field itself; "" for none
    bonus_minimum: int  # lowest entry that earns the bonus
    is_circled: bool
    is_crossed: bool  # or written
    written: int  # number on a track, multiplied; 0 for none


class Line(NamedTuple):
    """Fields that pay a bonus together."""

    fields: tuple[str, ...]
    side: Side
    bonus: str
    is_won: bool


class ActionTrack(NamedTuple):
    """An action: how often it may be used, was unlocked, and can be unlocked."""

    name: str
    left: int
    unlocked: int
    length: int


class Mark(NamedTuple):
    """A field that a move circles, crosses or writes in."""

    area: str
    field: str
    written: int  # 0 for a cross or circle


@dataclass(frozen=True)
class Area:
    """An area of a player's sheet."""

    name: str
    letter: str
    kind: Literal["grid", "track"]
    points: int
    fields: tuple[Field, ...]
    lines: tuple[Line, ...]
    takes: tuple[int, ...]  # the numbers that a die may enter now

    @property
    def crossed(self) -> tuple[str, ...]:
        """The names of the fields that are crossed or written."""
        return tuple(field.name for field in self.fields if field.is_crossed)

    @property
    def free(self) -> tuple[Field, ...]:
        """The fields without a cross or number."""
        return tuple(field for field in self.fields if not field.is_crossed)

    @property
    def entries(self) -> tuple[int, ...]:
        """The numbers on a track, from the left."""
        return tuple(field.written for field in self.fields if field.is_crossed)

    @property
    def next_field(self) -> Field | None:
        """The next field of a track; None for grids, and when the track is full."""
        return self.free[0] if self.kind == "track" and self.free else None

    def __getitem__(self, name: str) -> Field:
        """Return a field by its name."""
        for found in self.fields:
            if found.name == name:
                return found
        raise KeyError(f"{self.name} has no field {name!r}")


@dataclass(frozen=True)
class Sheet:
    """A player's sheet."""

    seat: int
    areas: Mapping[str, Area]
    actions: Mapping[str, ActionTrack]
    foxes: int
    fox_points: int
    total: int
    bonuses: tuple[str, ...]  # won and still to be placed
    stage: Stage
    extra_used: tuple[str, ...]  # dice already used as extra dice in this turn


@dataclass(frozen=True)
class Choice:
    """A legal move, and what it does."""

    move: Move
    kind: MoveKind
    die: Die | None
    area: str  # "" for none
    field: Field | None  # that is entered, before the move
    value: int  # number entered, before the field's factor; 0 for a plain cross
    bonus: str  # that is placed; "" for none
    _board: Board = dataclasses.field(repr=False, compare=False)

    @cached_property
    def _preview(self) -> CleverPreview:
        return preview(self._board.definition, self._board.state, self.move.seat, self.move.number)

    @property
    def points(self) -> int:
        """Points gained at once, with every following bonus that has only one place."""
        return self._preview["points"]

    @property
    def wins(self) -> tuple[str, ...]:
        """The bonuses won: actions, "fox", and those that are placed."""
        return tuple(self._preview["bonuses"])

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The fields filled, with every following bonus that has only one place."""
        areas = self._board.definition.areas
        return tuple(
            Mark(
                areas[cell["area"]].name,
                areas[cell["area"]].kind.field_text(areas[cell["area"]], cell["cell"]),
                cell["value"],
            )
            for cell in self._preview["cells"]
        )

    @property
    def to_platter(self) -> tuple[str, ...]:
        """The lower dice that go to the platter when a die is chosen."""
        if not self.die or self._board.sheets[self.move.seat].stage != "choose":
            return ()
        hand = self._board.dice_at("hand")
        return tuple(die.name for die in hand if die.face < self.die.face)


class Board:
    """A position of a Clever game; raises ``ValueError`` for one of another family."""

    def __init__(self, position: Position) -> None:
        self.game: Game = position.game
        if not isinstance(position.game.definition, CleverDefinition):
            raise ValueError(f"{position.game.name} is no Clever game")
        self.definition: CleverDefinition = position.game.definition
        self.state: State = cast(State, position.state)
        self._position = position.copy()  # stays here when moves are made
        seen = view(self.definition, self.state)
        self.round, self.rounds = seen["round"], seen["rounds"]
        self.roll = seen["roll"]  # 1 to 3; 0 before the first
        self.active = seen["active"]  # seat
        self.acting = tuple(seen["acting"])
        self.is_passive_turn = seen[
            "passive_turn"
        ]  # solo: the three lowest dice are on the platter
        self._seen = seen

    @cached_property
    def dice(self) -> Mapping[str, Die]:
        """All dice by name."""
        joker = self.definition.tables.joker
        return {
            name: Die(name, self.definition.letters[die], seen["face"], seen["lies"], die == joker)
            for die, (name, seen) in enumerate(
                zip(self.definition.dice, self._seen["dice"], strict=True)
            )
        }

    def dice_at(self, place: Place) -> tuple[Die, ...]:
        """Return the dice at a place."""
        return tuple(die for die in self.dice.values() if die.place == place)

    @cached_property
    def dice_fields(self) -> tuple[Die | None, Die | None, Die | None]:
        """The dice on the three dice fields of the active player."""
        dice = list(self.dice.values())
        first, second, third = (dice[die] if die >= 0 else None for die in self._seen["fields"])
        return first, second, third

    @cached_property
    def follow(self) -> tuple[Die, ...]:
        """The dice that the active player may still cross as follow-ups."""
        dice = list(self.dice.values())
        return tuple(dice[die] for die in self._seen["follow"])

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets of all seats."""
        return tuple(self._sheet(seat, seen) for seat, seen in enumerate(self._seen["sheets"]))

    def choices(self, seat: int) -> list[Choice]:
        """Return the legal moves of a seat with what they do."""
        moves = self._position.legal_moves(seat)
        seen = move_views(self.definition, self.state, seat, moves.numbers, catalogue("en"))
        return [self._choice(move, facts) for move, facts in zip(moves, seen, strict=True)]

    def read(self, move: Move) -> Choice:
        """Return what a legal move of this position does; raises ``IllegalMove``."""
        moves = self._position.legal_moves(move.seat)
        if move.seat == CHANCE or move not in moves:
            raise IllegalMove(move.text, [legal.text for legal in moves[:LISTED]])
        here = moves[moves.numbers.index(move.number)]
        numbers = (move.number,)
        seen = move_views(self.definition, self.state, move.seat, numbers, catalogue("en"))
        return self._choice(here, seen[0])

    def _choice(self, move: Move, seen: CleverMoveView) -> Choice:
        entered = self.definition.areas[seen["area"]] if seen["area"] >= 0 else None
        return Choice(
            move,
            seen["kind"],
            self.dice[self.definition.dice[seen["die"]]] if seen["die"] >= 0 else None,
            entered.name if entered else "",
            self.sheets[move.seat].areas[entered.name].fields[seen["cell"]] if entered else None,
            seen["value"],
            seen["bonus"],
            self,
        )

    def _sheet(self, seat: int, seen: SheetView) -> Sheet:
        printed = [name for name in ACTION_NAMES if name in self.definition.file.actions]
        return Sheet(
            seat=seat,
            areas={area.name: self._area(seat, area, seen) for area in self.definition.areas},
            actions={
                name: ActionTrack(
                    name,
                    track["unlocked"] - track["used"],
                    track["unlocked"],
                    self.definition.file.actions[name].fields,
                )
                for name, track in zip(printed, seen["actions"], strict=True)
            },
            foxes=seen["foxes"],
            fox_points=seen["fox_points"],
            total=seen["total"],
            bonuses=tuple(seen["heap"]),
            stage=seen["stage"],
            extra_used=tuple(self.definition.dice[die] for die in seen["extra_used"]),
        )

    def _area(self, seat: int, area: PrintedArea, seen: SheetView) -> Area:
        index = area.index
        names = [area.kind.field_text(area, cell) for cell in range(len(area.cells))]
        open_numbers = self.state.seats[seat].open[index]
        filled = zip(area.cells, names, seen["marks"][index], seen["written"][index], strict=True)
        return Area(
            area.name,
            area.letter,
            area.kind.page_kind,
            seen["points"][index],
            tuple(
                Field(
                    name,
                    cell.row,
                    cell.column,
                    cell.number,
                    cell.minimum,
                    cell.factor,
                    cell.bonus,
                    cell.bonus_minimum,
                    is_circled=mark >= CIRCLED and area.circles,
                    is_crossed=mark == CROSSED,
                    written=written,
                )
                for cell, name, mark, written in filled
            ),
            tuple(
                Line(tuple(names[cell] for cell in line.cells), line.side, line.bonus, won)
                for line, won in zip(area.lines, seen["won"][index], strict=False)
            ),
            tuple(number for number in area.numbers if open_numbers >> number & 1),
        )

    def __repr__(self) -> str:
        return f"<Board of {self.game.key}: round {self.round}, roll {self.roll}>"
