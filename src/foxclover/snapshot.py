"""The states of a game as it goes on. Most of them are not kept, but made again from an earlier one for those who ask.

Keeping a copy of every state would take longer than the rules, half of it in the garbage collector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.contract import CHANCE, ROLL_DUE, AnyState

if TYPE_CHECKING:
    from foxclover.game import Game

CHANGING, READ, KEPT = range(3)
"""What the next move does with a state: it changes it; it changes a copy, since others read this one; this one is also kept."""
KEPT_EVERY = 16  # moves, so that none is far from a kept one


class Snapshot:
    """A state, with the move that led to it from the snapshot before."""

    __slots__ = ("_state", "_use", "earlier", "known", "number", "seat")

    def __init__(self, state: AnyState, known: Snapshot | None = None) -> None:
        self._state: AnyState | None = state
        self._use = KEPT  # whoever made the state has it
        self.known = known  # the table when the dice last fell
        self.earlier: Snapshot | None = None
        self.seat = self.number = 0

    def look(self, game: Game) -> AnyState:
        """The state, for who reads it before the next move is made."""
        return self._state or self._make_again(game)

    def give(self, game: Game) -> AnyState:
        """The state, for who may read it for ever: it is changed no more."""
        state = self.look(game)
        if self._use == CHANGING:
            self._use = READ
        return state

    def keep(self) -> None:
        """More than one game goes on from here."""
        self._use = KEPT

    def push(self, game: Game, seat: int, number: int, depth: int) -> Snapshot:
        """What a move leads to that is the ``depth``-th of its game."""
        state, tables, rules = self._state or self._make_again(game), game.book.tables, game.rules
        after: Snapshot = object.__new__(Snapshot)
        after.known = (
            self
            if seat == CHANCE and rules.chance_pending(tables, state) == ROLL_DUE
            else self.known
        )
        if not depth % KEPT_EVERY:
            self._use = KEPT
        if self._use != CHANGING:
            state = state.copy(
                state.players
            )  # empty seats stay empty, so that all states of a game can share them
        if self._use != KEPT:
            self._state = None
        rules.apply(tables, state, seat, number)
        after._state, after._use = state, CHANGING
        after.earlier, after.seat, after.number = self, seat, number
        return after

    def _make_again(self, game: Game) -> AnyState:
        """Play the moves from the last state that is there, and keep this one."""
        moves = []
        there = self
        while there._state is None:
            assert there.earlier  # the first state of all is kept
            moves.append(there)
            there = there.earlier
        state = there._state.copy(there._state.players)
        for made in reversed(moves):
            game.rules.apply(game.book.tables, state, made.seat, made.number)
        self._state, self._use = state, KEPT
        return state

    def history(self) -> list[Snapshot]:
        """The snapshots before each of the moves that led here."""
        found = []
        there = self.earlier
        while there:
            found.append(there)
            there = there.earlier
        return found[::-1]
