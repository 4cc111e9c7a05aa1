"""A player for Geht noch was? with a hand-written rating.

Try it from this folder: ``foxclover simulate geht --agent climb_heuristic:Careful``
"""

from __future__ import annotations

from foxclover import Game, Move, Position
from foxclover.games.climb import Board, Choice, Tableau


class Careful:
    """Climbs while the next roll probably fulfils a card."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, position: Position, seat: int) -> Move:
        """Return the move with the highest rating."""
        board = Board(position)
        return max(board.choices(seat), key=lambda choice: self.rate(board, seat, choice)).move

    def rate(self, board: Board, seat: int, choice: Choice) -> float:
        """Rate a move; only those of the same decision are compared."""
        tableau, card = board.tableaus[seat], choice.card
        if choice.kind == "stay":
            return self.chance(tableau) - (0.55 if tableau.luck else 0.7)
        if choice.kind == "bonus" and choice.bonus:
            return choice.bonus.luck + (3.0 if choice.bonus.card else 0.0)
        if card is None:
            return {"buy": 1.0, "pay": -1.0, "fail": -9.0}.get(choice.kind, 0.0)
        if choice.kind == "build":  # every round starts at the bottom
            return card.probability - choice.level
        if choice.kind == "score":
            return choice.points
        worth = card.points * tableau.levels[choice.level - 1].factor
        return 0.3 * worth if board.round < board.rounds else 0.0  # push, fulfil, lift, turn in

    def chance(self, tableau: Tableau) -> float:
        """Return about how likely the next roll fulfils a card."""
        missing = 1.0
        for active in tableau.next_cards:
            missing *= 1.0 - active.card.probability
        return 1.0 - missing
