"""Positions of a game: what can be read from them, and how moves lead from one to the next."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from foxclover.core.contract import AnyState, View
from foxclover.core.errors import (
    AmbiguousMove,
    IllegalMove,
    NothingToTakeBack,
    UnknownSeat,
    UnreadableMove,
    expect_type,
)
from foxclover.core.move import LegalMoves, Move, Snapshot
from foxclover.core.position_text import write_position
from foxclover.core.rules import CHANCE, MAX_MOVES, MAX_PLAYERS
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.locale import LazyMessage, Translator, catalogue, lazy_message, one_of

if TYPE_CHECKING:
    from foxclover.core.game import Game

SEATS_OF_MASK = tuple(
    tuple(seat for seat in range(MAX_PLAYERS) if mask >> seat & 1)
    for mask in range(1 << MAX_PLAYERS)
)


class Dice(Protocol):
    """A source of chance moves."""

    def draw(self, position: Position, /) -> Move:
        """Return the chance move for a position that waits for one."""


class Result(NamedTuple):
    """The result of a finished game, by seat."""

    scores: tuple[int, ...]
    places: tuple[int, ...]  # 1 is first, equals share a place
    winners: tuple[int, ...]


class Situation:
    """The readable part of a position: who acts, points, texts and views."""

    game: Game
    setup: Setup
    _now: Snapshot
    _state: AnyState  # valid until the next move
    _acting: int  # mask of seats
    _pending: int  # which chance move is due

    @property
    def state(self) -> AnyState:
        """The state of the rules, read-only: earlier states are replayed from the moves."""
        return self._now.share(self.game)

    @property
    def pre_roll_state(self) -> AnyState | None:
        """The state before the last roll, which hides the decisions on that roll."""
        return self._now.pre_roll.share(self.game) if self._now.pre_roll else None

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options chosen."""
        return self.setup.options

    @property
    def players(self) -> int:
        """The number of players."""
        return self._state.players

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return SEATS_OF_MASK[self._acting]

    @property
    def rollers(self) -> tuple[int, ...]:
        """The seats that may roll the dice now."""
        return SEATS_OF_MASK[self.game.rules.rollers(self.game.definition.tables, self._state)]

    @property
    def chance_due(self) -> bool:
        """Whether the game waits for a chance move."""
        return self._pending > 0

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self._acting and not self._pending

    @property
    def is_over(self) -> bool:
        """Whether the game is over, as ``over``."""
        return self.over

    @property
    def turn(self) -> int | None:
        """The first seat that may act, ``CHANCE``, or None when the game is over."""
        if self._pending:
            return CHANCE
        return self.acting[0] if self._acting else None

    @property
    def to_act(self) -> frozenset[int]:
        """The seats to act, ``{CHANCE}``, or nothing when the game is over."""
        return frozenset({CHANCE} if self.chance_due else self.acting)

    def score(self, seat: int) -> int:
        """Return the current points of a seat."""
        return self.game.rules.score(self.game.definition.tables, self._state, self._seat(seat))

    def breakdown(self, seat: int) -> dict[str, int]:
        """Return the parts of a seat's score by name; they sum to it."""
        return self.game.scoring.breakdown(self.game.definition, self._state, self._seat(seat))

    def places(self) -> list[int]:
        """Return the rank of each seat if the game ended now: 1 is first, equals share a place."""
        return self.game.scoring.places(self.game.definition, self._state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty until the game is over."""
        places = self.places() if self.over else ()
        return tuple(seat for seat, place in enumerate(places) if place == 1)

    @property
    def result(self) -> Result | None:
        """Scores, places and winners; None until the game is over."""
        if not self.over:
            return None
        scores = tuple(self.score(seat) for seat in range(self.players))
        return Result(scores, tuple(self.places()), self.winners)

    def _only_seat(self) -> int:
        """Return the seat to act, or ``CHANCE``; raises ``ValueError`` if there are several."""
        if len(self.acting) > 1:
            seats = ", ".join(map(str, self.acting))
            raise ValueError(f"several seats may act: {seats}; name one of them")
        return CHANCE if self.turn is None else self.turn

    def _seat(self, seat: int) -> int:
        expect_type(int, seat, "a seat is a number from 0 on")
        if not 0 <= seat < self.players:
            raise UnknownSeat(f"there is no seat {seat} at a table of {self.players}")
        return seat

    def prompt(self, seat: int, translate: Translator) -> str:
        """Describe what is expected of a seat now."""
        return self.game.words.prompt(
            self.game.definition, self._state, self._seat(seat), translate
        )

    def reasons(self, seat: int, translate: Translator) -> list[str]:
        """Explain why a seat has no decision, or what it must and cannot do now."""
        return self.game.contract.reasons.reasons(
            self.game.definition, self._state, self._seat(seat), translate
        )

    def reasons_about(self, seat: int, thing: str, translate: Translator) -> list[str] | None:
        """Explain why a seat cannot use a thing now; None if there is no such thing.

        A thing is a die ``y``, a field ``y3a`` or ``g#5``, a card ``25`` or a level ``#3``.
        """
        return self.game.contract.reasons.about(
            self.game.definition, self._state, self._seat(seat), thing, translate
        )

    def view(self, seen: tuple[AnyState, View] | None = None) -> View:
        """Return the position for a screen. A view is yours to change.

        ``seen`` is an earlier state with its view: the new view shares the parts that are equal.
        """
        return self.game.views.view(self.game.definition, self._state, seen)

    @property
    def text(self) -> str:
        """The position as a line that people can read and edit; ``read_position`` reads it."""
        return write_position(self.game, self.state, self.setup)

    def dump(self) -> str:
        """Return the position as a line of text, without history; ``Game.load`` reads it."""
        before = self.pre_roll_state
        data = {
            "game": self.game.key,
            "variant": self.game.pack(self.setup),
            "state": self.state.values(),
            "known": before and before.values(),
        }
        if self.game.digest:
            data["digest"] = self.game.digest
        return json.dumps(data, separators=(",", ":"))

    def svg(self, seat: int | None = None, translate: Translator | None = None) -> str:
        """Draw the dice and the sheet or tableau of a seat as an SVG picture.

        Without a seat, that of the first player to act, else of the first roller.
        """
        translate = translate or catalogue("en")
        if seat is None:
            seat = next(iter((*self.acting, *self.rollers)), 0)
        picture = self.game.contract.pictures.draw(
            self.game.definition, self.state, self._seat(seat), translate
        )
        view = self.view()
        player = translate("position.player", seat=seat + 1)
        titles = (
            self.game.name,
            translate("common.round", round=view["round"], rounds=view["rounds"]),
            player[:1].upper() + player[1:],
        )
        return picture.finish(" · ".join(titles), self.text)

    def _repr_svg_(self) -> str:
        """Draw the position in a notebook."""
        return self.svg()

    def __str__(self) -> str:
        """Draw the position with letters."""
        translate = catalogue("en")
        drawing, definition = self.game.drawing, self.game.definition
        drawings = [drawing.draw_dice(definition, self.state, translate)]
        drawings += [
            drawing.draw_player(definition, self.state, seat, (), translate)
            for seat in range(self.players)
        ]
        return "\n\n".join(filter(None, (grid.text(coloured=False) for grid in drawings)))

    def __repr__(self) -> str:
        seats = (
            f"seat{'s' if len(self.acting) > 1 else ''} {', '.join(map(str, self.acting))} to move"
        )
        due = "over" if self.over else "chance to move" if self.chance_due else seats
        scores = "-".join(str(self.score(seat)) for seat in range(self.players))
        return f"<Position of {self.game.key}: round {self.state.round}, {scores} points, {due}>"


class Position(Situation):
    """A position of a game, with the moves that led to it.

    Equality compares game and state, not history. A ``state`` that you hold never changes, no
    matter which moves follow.
    """

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(
        self,
        game: Game,
        state: AnyState,
        setup: Setup = DEFAULT_SETUP,
        pre_roll_state: AnyState | None = None,
    ) -> None:
        self.game = game
        self.setup = setup
        self.moves_made: list[Move] = []  # the history, moves of chance included
        self._go_to(Snapshot(state, Snapshot(pre_roll_state) if pre_roll_state else None))

    def _go_to(self, now: Snapshot) -> None:
        """Make a snapshot the current one, and cache who may act."""
        rules, tables = self.game.rules, self.game.definition.tables
        self._now = now
        self._state = now.look(self.game)
        self._acting = rules.acting(tables, self._state)
        self._pending = 0 if self._acting else rules.chance_pending(tables, self._state)

    def legal_moves(self, seat: int | None = None) -> LegalMoves:
        """Return all legal moves of a seat in a fixed order, or all outcomes of chance.

        Without a seat, those of the only one to act: a player or chance.
        """
        if seat is None:
            seat = self._only_seat()
        if seat == CHANCE:
            return LegalMoves(self, seat, self._outcomes()[0])
        try:
            numbers = self.legal_numbers(seat)
        except TypeError:
            numbers = []
        if not numbers:  # a seat with moves needs no check
            self._seat(seat)
        return LegalMoves(self, seat, numbers)

    def legal_numbers(self, seat: int) -> list[int]:
        """Return the legal moves of a seat as plain numbers."""
        if seat < 0 or not self._acting >> seat & 1:
            return []
        rules, buffers = self.game.rules, self.game.buffers
        try:
            buffer = buffers.pop()
        except IndexError:
            buffer = [0] * MAX_MOVES
        count = rules.legal(self.game.definition.tables, self._state, seat, buffer)
        numbers = buffer[:count]
        buffers.append(buffer)
        return numbers

    def chance_moves(self) -> Iterator[tuple[Move, int]]:
        """Return the outcomes of the chance move due, with integer weights."""
        numbers, weights = self._outcomes()
        return zip(LegalMoves(self, CHANCE, numbers), weights, strict=True)

    def _outcomes(self) -> tuple[list[int], list[int]]:
        if not self.chance_due:
            return [], []
        rules = self.game.rules
        numbers, weights = [0] * rules.OUTCOMES, [0] * rules.OUTCOMES
        count = rules.chance_moves(self.game.definition.tables, self._state, numbers, weights)
        return numbers[:count], weights[:count]

    def draw(self, rng: list[int]) -> Move:
        """Draw a chance move with a generator; raises ``IllegalMove`` when none is due."""
        if not self.chance_due:
            raise IllegalMove("a roll", wanted=self._expected())
        number = self.game.rules.draw(self.game.definition.tables, self._state, rng)
        return Move(self.game, self._now, CHANCE, number, listed=True)

    def move(self, seat: int, number: int) -> Move:
        """Return the move of a seat, or of chance, with a number, legal or not."""
        return Move(self.game, self._now, seat, number)

    def parse(self, text: str, seat: int | None = None) -> Move:
        """Read a move: the whole text or any unambiguous beginning.

        Without a seat, one of the only one to act. Raises one of the three kinds of ``MoveError``.
        """
        expect_type(str, text, "a move is read from a text")
        if seat is None:
            seat = self._only_seat()
        if seat == CHANCE:
            return self._parse_chance(text)
        wanted = "".join(text.lower().split())
        moves = self.legal_moves(seat)
        begun = []
        for move in moves:
            whole = move.text.replace(" ", "")
            if whole == wanted:
                return move
            if wanted and whole.startswith(wanted):
                begun.append(move)
        if len(begun) == 1:
            return begun[0]
        if begun:
            raise AmbiguousMove(text, [move.text for move in begun])
        kind = IllegalMove if self.game.notation.is_readable(wanted) else UnreadableMove
        raise kind(text, [move.text for move in moves], None if moves else self._expected())

    def _parse_chance(self, text: str) -> Move:
        if not self.chance_due:
            key = "expected.player" if self.acting else "expected.nothing"
            raise IllegalMove(text, wanted=lazy_message(key))
        notation, definition = self.game.notation, self.game.definition
        number = notation.parse_chance(definition, self._state, text)
        if not self.game.rules.is_chance_move(definition.tables, self._state, number):
            raise IllegalMove(text, wanted=notation.expected_chance(definition, self._state))
        return self.move(CHANCE, number)

    def _expected(self) -> LazyMessage:
        if self.over:
            return lazy_message("expected.nothing")
        if self.chance_due:
            return lazy_message("expected.chance")
        return lazy_message("expected.players", who=one_of([seat + 1 for seat in self.acting]))

    def is_legal(self, move: Move) -> bool:
        """Check whether a move, also one of another position, may be made now."""
        if move.seat == CHANCE:
            listed = self.chance_due and self.game.rules.is_chance_move(
                self.game.definition.tables, self._state, move.number
            )
        else:
            listed = move.number in self.legal_numbers(move.seat)
        return listed and move == self.move(move.seat, move.number)

    def push(self, move: Move) -> None:
        """Make a legal move; raises ``IllegalMove`` for any other."""
        try:
            listed_here = move.is_listed_in(self._now)  # skips the search for it
        except AttributeError:
            raise TypeError(f"push takes a Move, not {move!r}; push_text reads a text") from None
        if not listed_here and not self.is_legal(move):
            raise IllegalMove(move.text, wanted=self._expected())
        self.push_unchecked(move)

    def push_text(self, text: str, seat: int | None = None) -> Move:
        """Read a move and make it."""
        move = self.parse(text, seat)
        self.push_unchecked(move)
        return move

    def push_unchecked(self, move: Move) -> None:
        """Make a move WITHOUT checking that it is legal.

        For moves just taken from ``legal_moves`` or drawn here.
        """
        self._go_to(self._now.push(self.game, move.seat, move.number, len(self.moves_made)))
        self.moves_made.append(move)

    def roll(self, dice: Dice | None = None) -> Move:
        """Make the chance move that dice give; raises ``IllegalMove`` when none is due.

        Without dice, the randomness of the operating system decides.
        """
        if dice is None:
            drawn = self.draw([secrets.randbits(32) for _ in range(4)])
            self.push_unchecked(drawn)
            return drawn
        try:
            draw = dice.draw
        except AttributeError:
            raise TypeError(f"roll takes dice, such as seeded({dice!r}), not {dice!r}") from None
        move = draw(self)
        self.push(move)
        return move

    def pop(self) -> Move:
        """Undo and return the last move; raises ``NothingToTakeBack`` if there is none."""
        if not self._now.earlier:
            raise NothingToTakeBack("no move was made that could be taken back")
        self._go_to(self._now.earlier)
        return self.moves_made.pop()

    def forget(self) -> None:
        """Forget the moves made, but keep the state before the last roll."""
        self.moves_made.clear()
        before = self.pre_roll_state
        self._go_to(Snapshot(self.state, Snapshot(before) if before else None))

    def history(self) -> Iterator[tuple[AnyState, Move]]:
        """Return the moves made so far, each with the state before it."""
        snapshots = zip(self._now.history(), self.moves_made, strict=True)
        return ((before.share(self.game), move) for before, move in snapshots)

    def copy(self) -> Position:
        """Return an independent position with the same history."""
        twin: Position = object.__new__(Position)
        twin.game, twin.setup, twin.moves_made = self.game, self.setup, self.moves_made[:]
        self._now.keep()
        twin._now, twin._state = self._now, self._state
        twin._acting, twin._pending = self._acting, self._pending
        return twin

    __copy__ = copy

    def __reduce__(self) -> tuple[object, ...]:
        first = (*self._now.history(), self._now)[0]
        before = first.pre_roll.share(self.game) if first.pre_roll else None
        made = [(move.seat, move.number) for move in self.moves_made]
        return _play, (self.game, first.share(self.game), self.setup, before, made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self.state == other.state


def _play(
    game: Game,
    state: AnyState,
    setup: Setup,
    pre_roll_state: AnyState | None,
    made: Iterable[tuple[int, int]],
) -> Position:
    position = Position(game, state, setup, pre_roll_state)
    for seat, number in made:
        position.push_unchecked(position.move(seat, number))
    return position
