"""Fox & Clover: Ganz schön clever, Doppelt so clever and Geht noch was?, exact and fast.

``from foxclover import game, seeded`` is all one needs to play; README.md shows how.
"""

from foxclover.chance import seeded, system, typed
from foxclover.game import CHANCE, Game, Move, Position, Variant, game

__all__ = ["CHANCE", "Game", "Move", "Position", "Variant", "game", "seeded", "system", "typed"]
__version__ = "0.1.0"
