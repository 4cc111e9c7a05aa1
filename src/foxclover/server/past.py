"""A finished game from its beginning, to look back at."""

from __future__ import annotations

from foxclover.contract import AnyState
from foxclover.game import Move, Position
from foxclover.review.steps import Played, replayed
from foxclover.server.master import Master


class Past:
    """All positions of a game, in order."""

    def __init__(self, master: Master) -> None:
        self.game = master.game
        self.played = Played(
            master.game.key,
            master.players,
            master.record.variant,
            tuple((entry.seat, entry.number) for entry in master.log),
        )
        end = replayed(self.played)
        self._states: list[AnyState] = []
        self._made: list[Move] = []
        for state, move in end.history():
            self._states.append(state)
            self._made.append(move)
        self._states.append(end.state)

    @property
    def moves(self) -> int:
        """How many were made."""
        return len(self._made)

    def position(self, at: int) -> Position:
        """The game as it was after so many moves."""
        return Position(self.game, self._states[at], self.played.variant)

    def next(self, at: int) -> Move | None:
        """The move made then; none at the end."""
        return self._made[at] if at < len(self._made) else None

    def is_choice(self, at: int, number: int) -> bool:
        """Whether a player was to move and might have made this move."""
        seat = self._made[at].seat
        return seat >= 0 and number in self.position(at).legal_numbers(seat)
