"""Fox & Clover: Ganz schön clever, Doppelt so clever and Geht noch was?, exact and fast.

``from foxclover import game, seeded`` is all one needs to play; docs/library.md shows how.
"""

from foxclover.ai import adviser, agent
from foxclover.ai.simulation import simulate
from foxclover.chance import Dice, scripted, seeded, system, typed
from foxclover.errors import AmbiguousMove, IllegalMove, MoveError, UnreadableMove
from foxclover.game import CHANCE, Game, Move, Position, UnknownGame, game, games

__all__ = [
    "CHANCE",
    "AmbiguousMove",
    "Dice",
    "Game",
    "IllegalMove",
    "Move",
    "MoveError",
    "Position",
    "UnknownGame",
    "UnreadableMove",
    "adviser",
    "agent",
    "game",
    "games",
    "scripted",
    "seeded",
    "simulate",
    "system",
    "typed",
]
__version__ = "0.1.0"
