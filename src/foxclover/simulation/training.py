"""What the trainings of all games have in common: terms of games, the selection of checkpoints, checkpoints in files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from foxclover.ai import nets
from foxclover.game import Game
from foxclover.simulation.rooms import Runner

if TYPE_CHECKING:
    from foxclover.net_file import Array, Net
    from foxclover.simulation.cluster import Cluster


class Progress(NamedTuple):
    """How far a training is."""

    term: int
    three_players: float  # mean score of the net in earnest
    solo: float


class Training(ABC):
    """A net that learns, term by term; ``GAMES_OF_TERM`` of its module tells how many games a term has."""

    selection_seed: ClassVar[int]  # checkpoints are judged on these games, which are never reported
    selection_games: ClassVar[int]

    def __init__(self, game: Game, seed: int, terms: int) -> None:
        self.game = game
        self.seed = seed
        self.terms = terms
        self.term = 0
        self.curve: list[Progress] = []

    @abstractmethod
    def run_term(
        self, workers: int, tick: Callable[[int], None], cluster: Cluster | None = None
    ) -> None:
        """Play a term's games and learn from them, here or on a cluster; ``tick`` is told how many more are done."""

    @abstractmethod
    def playing_net(self) -> Net:
        """The net as it plays in earnest now."""

    @abstractmethod
    def arrays(self) -> dict[str, Array]:
        """Everything that is needed to go on, by name."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take everything back from what ``arrays`` gave."""

    def evaluate(self, games: int | None = None) -> Progress:
        """Play in earnest on the games kept for selection, and add the outcome to the curve."""
        net, count = self.playing_net(), games or self.selection_games
        runs = [
            Runner(self.game, ["net"] * players, net=net)(self.selection_seed, 0, count)
            for players in (3, 1)
        ]
        progress = Progress(self.term, *(float(scores.mean()) for scores in runs))
        self.curve.append(progress)
        return progress

    def save(self, folder: Path) -> None:
        """Write everything needed to go on, and the net."""
        import numpy as np

        arrays: dict[str, Any] = {
            "curve": np.array(self.curve),
            "facts": np.array([self.seed, self.terms, self.term]),
            **self.arrays(),
        }
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / "partial.npz"
        np.savez(partial, **arrays)
        partial.replace(folder / "checkpoint.npz")
        nets.save(folder / f"{self.game.key}.net", self.game, self.playing_net())

    @classmethod
    def resume(cls, game: Game, folder: Path) -> Self:
        """Go on from a checkpoint; raises ``OSError``, ``ValueError`` or ``KeyError`` if there is none that can be used."""
        import numpy as np

        with (folder / "checkpoint.npz").open("rb") as file, np.load(file) as arrays:
            seed, terms, term = arrays["facts"].tolist()[:3]
            training = cls(game, seed, terms)
            training.term = term
            training.curve = [
                Progress(int(row[0]), float(row[1]), float(row[2])) for row in arrays["curve"]
            ]
            training.restore(arrays)
        return training
