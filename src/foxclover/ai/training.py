"""What the command ``train`` asks of every game's training."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from foxclover.game import Game


class Progress(NamedTuple):
    """How far a training is."""

    term: int
    three_players: float  # mean score of the net in earnest
    solo: float


class Training(Protocol):
    """Nets that learn, term by term; ``GAMES_OF_TERM`` of its module tells how many games a term has."""

    game: Game
    term: int
    terms: int
    curve: list[Progress]

    def run_term(self, workers: int, tick: Callable[[int], None]) -> None:
        """Play a term's games and learn from them; ``tick`` is told how many more are done."""

    def evaluate(self) -> Progress:
        """Play in earnest on games kept for selection, and add the outcome to the curve."""

    def save(self, folder: Path) -> None:
        """Write everything needed to go on, and the net."""
