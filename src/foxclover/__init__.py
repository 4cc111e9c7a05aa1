"""Fox & Clover: Ganz schön clever, Doppelt so clever and Geht noch was?, exact and fast.

``from foxclover import game, seeded`` is all you need to play; docs/library.md shows how.
"""

from foxclover import transcripts
from foxclover.ai import AGENTS, Adviser, Agent, Ranked, UnknownAgent, adviser, agent
from foxclover.core.errors import (
    AmbiguousMove,
    IllegalMove,
    MoveError,
    NothingToTakeBack,
    UnknownSeat,
    UnreadableMove,
)
from foxclover.core.game import Game, game, game_names, read_position
from foxclover.core.move import LegalMoves, Move
from foxclover.core.position import Dice, Position, Result
from foxclover.core.position_text import PositionError
from foxclover.core.registry import UnknownGame
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.dice.sources import keyed, scripted, seeded, system, typed
from foxclover.simulation import simulate
from foxclover.transcripts import TranscriptError

__all__ = [
    "AGENTS",
    "CHANCE",
    "RANDOM",
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
    "PositionError",
    "Ranked",
    "Result",
    "TranscriptError",
    "UnknownAgent",
    "UnknownGame",
    "UnknownSeat",
    "UnreadableMove",
    "adviser",
    "agent",
    "game",
    "game_names",
    "keyed",
    "read_position",
    "scripted",
    "seeded",
    "simulate",
    "system",
    "transcripts",
    "typed",
]
__version__ = "0.1.0"
