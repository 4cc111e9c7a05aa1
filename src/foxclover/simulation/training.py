"""The base class of all trainings: iterations, evaluation, checkpoints in files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from foxclover.ai import nets
from foxclover.core.game import Game
from foxclover.simulation.workers import Runner

if TYPE_CHECKING:
    from foxclover.ai.nets import Array, Net
    from foxclover.simulation.cluster import Cluster

MEAN_RATE, SQUARE_RATE, EPSILON = 0.1, 0.001, 1e-7  # of Adam
CURVE_COLUMNS = "term,three_players,solo,solo_p10"  # "term": files of older trainings say so


def adam_rate(rate: float, step: int) -> float:
    """Correct a learning rate for Adam's moments, which start at 0."""
    correction: float = (1 - (1 - SQUARE_RATE) ** step) ** 0.5 / (1 - (1 - MEAN_RATE) ** step)
    return rate * correction


class Progress(NamedTuple):
    """The strength of a training's net after an iteration."""

    iteration: int
    three_players: float  # mean score, without exploration
    solo: float
    solo_p10: float  # the score that one solo game in ten does not reach


class Training(ABC):
    """A net that learns, iteration by iteration.

    ``GAMES_PER_ITERATION`` of its module is the number of games in an iteration.
    """

    selection_seed: ClassVar[int]  # of the games that checkpoints are compared on, never reported
    selection_games: ClassVar[int]

    def __init__(self, game: Game, seed: int, iterations: int) -> None:
        self.game = game
        self.seed = seed
        self.iterations = iterations
        self.iteration = 0
        self.refines = False  # whether it starts from a trained net
        self.curve: list[Progress] = []

    @abstractmethod
    def run_iteration(
        self, workers: int, tick: Callable[[int], None], cluster: Cluster | None = None
    ) -> None:
        """Play an iteration's games and learn from them, here or on a cluster.

        ``tick`` gets how many more are done.
        """

    def begin_from(self, net: Net) -> None:
        """Refine a trained net instead of training a new one."""
        self.refines = True
        self.take_net(net)

    @abstractmethod
    def take_net(self, net: Net) -> None:
        """Continue from a trained net."""

    @abstractmethod
    def playing_net(self) -> Net:
        """Return the net as it plays now, without exploration."""

    @abstractmethod
    def arrays(self) -> dict[str, Array]:
        """Return all arrays needed to continue, by name."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Restore everything from what ``arrays`` returned."""

    def evaluate(self, games: int | None = None) -> Progress:
        """Play the games kept for selection, and add the result to the curve."""
        net, count = self.playing_net(), games or self.selection_games
        three, solo = (
            Runner(self.game, ["net"] * players, net=net)(self.selection_seed, 0, count)
            for players in (3, 1)
        )
        progress = Progress(
            self.iteration, float(three.mean()), float(solo.mean()), float(np.percentile(solo, 10))
        )
        self.curve.append(progress)
        return progress

    def save(self, folder: Path) -> None:
        """Write everything needed to continue, and the net."""
        facts = np.array([self.seed, self.iterations, self.iteration, self.refines])
        arrays: dict[str, Any] = {"curve": np.array(self.curve), "facts": facts, **self.arrays()}
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / "partial.npz"
        np.savez(partial, **arrays)
        partial.replace(folder / "checkpoint.npz")
        nets.save(folder / f"{self.game.key}.net", self.game, self.playing_net())
        np.savetxt(
            folder / "curve.csv",
            self.curve,
            "%.10g",
            ",",
            header=CURVE_COLUMNS,
            comments="",
        )

    @classmethod
    def resume(cls, game: Game, folder: Path) -> Self:
        """Continue from a checkpoint.

        Raises ``OSError``, ``ValueError`` or ``KeyError`` if there is no usable one.
        """
        with (folder / "checkpoint.npz").open("rb") as file, np.load(file) as arrays:
            seed, iterations, iteration, refines = arrays["facts"].tolist()
            training = cls(game, seed, iterations)
            training.iteration, training.refines = iteration, bool(refines)
            training.curve = [
                Progress(int(iteration), *scores) for iteration, *scores in arrays["curve"].tolist()
            ]
            training.restore(arrays)
        return training
