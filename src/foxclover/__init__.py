"""Fox & Clover: Ganz schön clever, Doppelt so clever and Geht noch was?, exact and fast.

``from foxclover import game, seeded`` is all one needs to play; docs/library.md shows how.
"""

from foxclover import notation
from foxclover.addressed import addressed
from foxclover.ai import AGENTS, Adviser, Agent, Ranked, UnknownAgent, adviser, agent
from foxclover.chance import Dice, scripted, seeded, system, typed
from foxclover.errors import (
    AmbiguousMove,
    IllegalMove,
    MoveError,
    NothingToTakeBack,
    UnknownSeat,
    UnreadableMove,
)
from foxclover.game import CHANCE, LOT, Game, LegalMoves, Move, Position, UnknownGame, game, games
from foxclover.notation import TranscriptError
from foxclover.simulation import simulate

__all__ = [
    "AGENTS",
    "CHANCE",
    "LOT",
    "Adviser",
    "Agent",
    "AmbiguousMove",
    "Dice",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "MoveError",
    "NothingToTakeBack",
    "Position",
    "Ranked",
    "TranscriptError",
    "UnknownAgent",
    "UnknownGame",
    "UnknownSeat",
    "UnreadableMove",
    "addressed",
    "adviser",
    "agent",
    "game",
    "games",
    "notation",
    "scripted",
    "seeded",
    "simulate",
    "system",
    "typed",
]
__version__ = "0.1.0"
