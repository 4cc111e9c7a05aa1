"""A player for the Clever games with a hand-written rating.

Try it from this folder: ``foxclover simulate ganz --agent clever_heuristic:Tidy``
"""

from __future__ import annotations

from foxclover import Game, Move, Position
from foxclover.games.clever import Board, Choice

WORTH = {"fox": 9.0, "extra": 5.0, "reroll": 2.0, "return": 1.0}  # other bonuses: 4 points


class Tidy:
    """Prefers points, bonuses and fields that complete lines, and keeps dice for the next roll."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, position: Position, seat: int) -> Move:
        """Return the move with the highest rating."""
        board = Board(position)
        return max(board.choices(seat), key=lambda choice: self.rate(board, seat, choice)).move

    def rate(self, board: Board, seat: int, choice: Choice) -> float:
        """Rate a move in points."""
        if choice.kind == "reroll":
            return 4.0  # when nothing better is on the table
        if choice.field is None:
            return 0.0
        area = board.sheets[seat].areas[choice.area]
        crossed = {*area.crossed, choice.field.name}
        lines = [line for line in area.lines if choice.field.name in line.fields]
        progress = sum(len(crossed & {*line.fields}) / len(line.fields) for line in lines)
        bonuses = sum(WORTH.get(bonus, 4.0) for bonus in choice.wins)
        lost = len(choice.to_platter) if board.roll < 3 else 0
        return choice.points + bonuses + 2.0 * progress - 1.5 * lost
