"""Moves, and the states before and after them.

Most states of a game are not kept, but replayed from an earlier one on demand. Keeping a copy of
every state would take longer than the rules, half of it in the garbage collector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from foxclover.core.contract import AnyState, MoveView, Preview
from foxclover.core.rules import CHANCE, ROLL_DUE
from foxclover.locale import Translator, catalogue

if TYPE_CHECKING:
    from foxclover.core.game import Game
    from foxclover.core.position import Position

# What the next move does with a state: change it, change a copy because others read the original,
# or change a copy and keep the original.
REUSED, COPIED, KEPT = range(3)
KEPT_EVERY = 16  # moves, so that few need to be replayed


class Snapshot:
    """A state, with the move that led to it from the snapshot before."""

    __slots__ = ("_state", "_use", "earlier", "number", "pre_roll", "seat")

    def __init__(self, state: AnyState, pre_roll: Snapshot | None = None) -> None:
        self._state: AnyState | None = state
        self._use = KEPT  # the caller holds the state too
        self.pre_roll = pre_roll  # before the last roll
        self.earlier: Snapshot | None = None
        self.seat = self.number = 0

    def look(self, game: Game) -> AnyState:
        """Return the state for reading until the next move."""
        return self._state or self._replay(game)

    def share(self, game: Game) -> AnyState:
        """Return the state, safe to keep: it is never mutated afterwards."""
        state = self.look(game)
        if self._use == REUSED:
            self._use = COPIED
        return state

    def keep(self) -> None:
        """Keep the state, because more than one game continues from here."""
        self._use = KEPT

    def push(self, game: Game, seat: int, number: int, depth: int) -> Snapshot:
        """Return the snapshot after a move that is the ``depth``-th of its game."""
        state = self._state or self._replay(game)
        tables, rules = game.definition.tables, game.rules
        after: Snapshot = object.__new__(Snapshot)
        is_roll = seat == CHANCE and rules.chance_pending(tables, state) == ROLL_DUE
        after.pre_roll = self if is_roll else self.pre_roll
        if not depth % KEPT_EVERY:
            self._use = KEPT
        if self._use != REUSED:
            state = state.copy(state.players)  # all states of a game share their empty seats
        if self._use != KEPT:
            self._state = None
        rules.apply(tables, state, seat, number)
        after._state, after._use = state, REUSED
        after.earlier, after.seat, after.number = self, seat, number
        return after

    def _replay(self, game: Game) -> AnyState:
        """Replay the moves from the last kept state, and keep the result."""
        moves, last = [], self
        while last._state is None:
            assert last.earlier  # the first state of all is kept
            moves.append(last)
            last = last.earlier
        state = last._state.copy(last._state.players)
        for made in reversed(moves):
            game.rules.apply(game.definition.tables, state, made.seat, made.number)
        self._state, self._use = state, KEPT
        return state

    def history(self) -> list[Snapshot]:
        """Return the snapshots before each of the moves that led here."""
        found, earlier = [], self.earlier
        while earlier:
            found.append(earlier)
            earlier = earlier.earlier
        return found[::-1]


class Move:
    """A move of a player or of chance in a position.

    ``str`` is its notation; equal moves have the same game, seat, number and text.
    """

    __slots__ = ("_before", "_game", "_listed", "_text", "number", "seat")

    def __init__(
        self, game: Game, before: Snapshot, seat: int, number: int, listed: bool = False
    ) -> None:
        self.seat = seat  # -1 for chance
        self.number = number  # in the action space of the game, as nets and logs use it
        self._game = game
        self._before = before
        self._listed = listed  # taken from the legal moves of ``before``, or drawn there
        self._text = ""

    @property
    def _state(self) -> AnyState:
        return self._before.look(self._game)

    def is_listed_in(self, snapshot: Snapshot) -> bool:
        """Check whether the move was taken from the legal moves of a snapshot."""
        return self._listed and self._before is snapshot

    @property
    def text(self) -> str:
        """The move in the notation of its game, or its number if it is no move there."""
        if not self._text:
            try:
                self._text = self._game.notation.move_text(
                    self._game.definition, self._state, self.seat, self.number
                )
            except (LookupError, StopIteration):
                self._text = f"move {self.number}"
        return self._text

    def words(self, translate: Translator | None = None) -> str:
        """Describe the move in a sentence, in English unless a catalogue is given."""
        return self._game.words.move_words(
            self._game.definition, self._state, self.seat, self.number, translate or catalogue("en")
        )

    def view(self, translate: Translator) -> MoveView:
        """Return the move with its targets, for a screen."""
        return self._game.views.move_views(
            self._game.definition, self._state, self.seat, (self.number,), translate
        )[0]

    def preview(self) -> Preview:
        """Return what the move would do, for a screen."""
        return self._game.views.preview(self._game.definition, self._state, self.seat, self.number)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        player = "chance" if self.seat == CHANCE else f"seat {self.seat}"
        return f"<Move {self.text!r} of {player} in {self._game.key}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if (self.seat, self.number) != (other.seat, other.number) or self._game != other._game:
            return False
        # In another position the same number may be another move.
        return self._before is other._before or self.text == other.text

    def __hash__(self) -> int:
        return hash((self._game.key, self.seat, self.number))

    def __reduce__(self) -> tuple[object, ...]:
        return _move_in, (self._game, self._before.share(self._game), self.seat, self.number)


def _move_in(game: Game, before: AnyState, seat: int, number: int) -> Move:
    return Move(game, Snapshot(before), seat, number)


class LegalMoves(Sequence[Move]):
    """The legal moves of a seat, created on demand."""

    __slots__ = ("_before", "_game", "_seat", "numbers")

    def __init__(self, position: Position, seat: int, numbers: list[int]) -> None:
        self.numbers = numbers
        self._seat = seat
        self._game, self._before = position.game, position._now

    def _move(self, number: int) -> Move:
        return Move(self._game, self._before, self._seat, number, True)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        numbers = self.numbers[index]
        return self._move(numbers) if isinstance(numbers, int) else [*map(self._move, numbers)]

    def __iter__(self) -> Iterator[Move]:
        return map(self._move, self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and move.seat == self._seat
            and move.number in self.numbers
            and move == self._move(move.number)
        )

    def views(self, translate: Translator) -> Sequence[MoveView]:
        """Return the moves with their targets, for a screen."""
        state = self._before.look(self._game)
        return self._game.views.move_views(
            self._game.definition, state, self._seat, self.numbers, translate
        )

    def __repr__(self) -> str:
        return f"<LegalMoves of seat {self._seat}: {', '.join(map(str, self))}>"
