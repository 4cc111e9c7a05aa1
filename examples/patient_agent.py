"""The agents of docs/first-agent.md: take most points, but lose few dice.

Compare them from this folder:
``foxclover simulate ganz --agent greedy,patient_agent:Points,patient_agent:Patient --games 1000``
"""

from __future__ import annotations

import re

from foxclover import CHANCE, Game, Move, Position


class Points:
    """Takes the move after which the sheet has most points."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def rate(self, position: Position, seat: int) -> list[float]:
        """Return a value for each legal move; the highest is played."""
        return [self.value(position, move, seat) for move in position.legal_moves(seat)]

    def value(self, position: Position, move: Move, seat: int) -> float:
        """Return the points after a move."""
        after = position.copy()
        after.push(move)
        return after.score(seat)


class Patient(Points):
    """Also counts a price for each die that a choice sends to the platter."""

    price = 1.5  # points, the best of those tried

    def value(self, position: Position, move: Move, seat: int) -> float:
        """Return the points after a move minus the price of the lost dice."""
        return super().value(position, move, seat) - self.price * self.lost(position, move)

    def lost(self, position: Position, move: Move) -> int:
        """Return how many dice of the last roll show less than the chosen one."""
        rolls = [made.text for made in position.moves_made if made.seat == CHANCE]
        faces = dict(re.findall(r"([a-z])([1-6])", rolls[-1])) if rolls else {}
        die = move.text.partition(">")[0]
        return sum(face < faces[die] for face in faces.values()) if die in faces else 0
