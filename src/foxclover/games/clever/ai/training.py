"""Training by self-play.

A net learns by TD(lambda) the value of the positions after its moves. Exploration and the learning
rate fall to nothing towards the end: a net that still explores plays below its strength.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from foxclover.ai.nets import make_thinker
from foxclover.core.game import Game
from foxclover.dice.sources import SEEDS
from foxclover.games.clever.ai.network import FIRST, SECOND
from foxclover.games.clever.ai.players import shapes
from foxclover.games.clever.ai.self_play import LEAST, Learner, SelfPlay
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.kernel import open_kernel
from foxclover.simulation.training import EPSILON, MEAN_RATE, SQUARE_RATE, adam_rate
from foxclover.simulation.training import Training as AnyTraining

if TYPE_CHECKING:
    from foxclover.ai.nets import Array, Net
    from foxclover.simulation.cluster import Cluster

BATCH = 4  # games a step is made of
GAMES_PER_ITERATION = 2000
RATE, FLAT = 0.001, 0.3  # of learning; it sinks after this share of the games
WARM_UP = 300  # steps until the full rate of learning
SOLO = 0.82  # share of solo games, which teach a little more than half of all positions
TRACE = 0.8
EXPLORATION_SHARE, NOISE, EXPLORATION_POINTS = 0.5, 1.5, 6.0  # in self-play
SHARE_UNTIL, POINTS_UNTIL = 0.65, 0.5
TRAP_UNTIL, TRAP_GROWTH = 0.4, 24
REFINING_RATE = 0.0008  # of learning when a trained net is refined; it sinks all the way
WEAK = 0.3  # share of games that begin with weak play, when a net is refined
AVERAGED = 25  # steps between updates of the average
AVERAGED_SHARE = 1 / 6  # of all games, that the average covers
SEEDS_APART = 1000003
FIRST_GUESS = 4.0  # of the net's output: what a beginner still adds to their points
SPREAD_OF_ROWS = 0.1


class Training(AnyTraining):
    """A net in training, with Adam's moments."""

    selection_seed = 999001
    selection_games = 1000

    def __init__(self, game: Game, seed: int, iterations: int) -> None:
        super().__init__(game, seed, iterations)
        self.net = _fresh_net(game, seed)
        self.means, self.squares, self.average = _zeros(game), _zeros(game), _zeros(game)

    def take_net(self, net: Net) -> None:
        """Continue from a trained net."""
        for name, array in net.items():
            self.net[name][...] = self.average[name][...] = array

    def playing_net(self) -> Net:
        """Return the net that plays: the average over the last games if it is refined."""
        return self.average if self.refines else self.net

    def manner(self) -> dict[str, float]:
        """Return the settings of self-play, by the names of the fields of ``SelfPlay``."""
        if self.refines:
            return {"solo": SOLO, "trace": TRACE, "limited": -1, "looks_through": 1, "weak": WEAK}
        done = self.iteration / self.iterations
        # Where numbers are circled before they are crossed, growing points lure a beginner away
        # from everything else.
        traps = [
            area
            for area, circled in enumerate(
                cast(CleverDefinition, self.game.definition).tables.circles
            )
            if circled
        ]
        return {
            "solo": SOLO,
            "exploration_share": EXPLORATION_SHARE * max(0.0, 1 - done / SHARE_UNTIL),
            "noise": NOISE,
            "exploration_points": EXPLORATION_POINTS * max(0.0, 1 - done / POINTS_UNTIL),
            "limited": traps[0] if traps and done < TRAP_UNTIL else -1,
            "highest_limit": LEAST + TRAP_GROWTH * (done / TRAP_UNTIL) ** 2,
            "trace": TRACE,
        }

    def run_iteration(
        self, workers: int, tick: Callable[[int], None], cluster: Cluster | None = None
    ) -> None:
        """Play an iteration's games and learn from them, batch by batch.

        The workers share each batch, here or on a cluster.
        """
        count = min(workers, BATCH) if open_kernel(self.game.family).built else 1
        crew = [
            Worker(self.game, self.net, self.manner(), self.seed)
            for _ in range(1 if cluster else count)
        ]
        head = crew[0]
        head.remember(self.means, self.squares)
        left = 1 - self.iteration / self.iterations
        rate = REFINING_RATE * left if self.refines else RATE * min(1.0, left / (1 - FLAT))
        sent = cluster.put((self.game, self.manner(), self.seed)) if cluster else None
        with ThreadPoolExecutor(count) as threads:
            for first in range(
                self.iteration * GAMES_PER_ITERATION,
                (self.iteration + 1) * GAMES_PER_ITERATION,
                BATCH,
            ):
                shares = [range(first + n, first + BATCH, count) for n in range(count)]
                if cluster:
                    net = cluster.put(head.read(head.workspace.net))
                    examples = sum(
                        head.take(*taught)
                        for taught in cluster.map(
                            teach_elsewhere, [(sent, net, share) for share in shares]
                        )
                    )
                else:
                    examples = sum(threads.map(Worker.teach, crew, shares))
                    for other in crew[1:]:
                        head.take(0, other.gradient())
                head.step(first // BATCH + 1, rate, examples)
                if self.refines and first // BATCH % AVERAGED == 0:
                    self._average(head)
                for other in crew[1:]:
                    other.take_net(head)
                tick(BATCH)
        self.net, self.means, self.squares = (
            head.read(part)
            for part in (head.workspace.net, head.learner.means, head.learner.squares)
        )
        self.iteration += 1

    def _average(self, head: Worker) -> None:
        """Move the average towards the net."""
        newest = min(
            1.0, AVERAGED * BATCH / (AVERAGED_SHARE * self.iterations * GAMES_PER_ITERATION)
        )
        for name, array in head.read(head.workspace.net).items():
            self.average[name] += (array - self.average[name]) * newest

    def arrays(self) -> dict[str, Array]:
        """Return the net and the moments, by name."""
        held = {"net": self.net, "means": self.means, "squares": self.squares}
        if self.refines:
            held["average"] = self.average
        return {
            f"{part}.{name}": array
            for part, arrays in held.items()
            for name, array in arrays.items()
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Restore what ``arrays`` returned."""
        for name, array in self.arrays().items():
            array[...] = arrays[name]


class Worker:
    """One thread of a training.

    Every worker has its own net; the first worker's net is the one that learns.
    """

    def __init__(self, game: Game, net: Net, manner: Mapping[str, float], seed: int) -> None:
        self.seed = seed * SEEDS_APART % SEEDS
        self.shapes = shapes(game)
        self.instance, self.tables, self.workspace = make_thinker(game, net)
        self.game, self.learner = self.instance.new(SelfPlay), self.instance.new(Learner)
        self.prepare(net, manner)

    def prepare(self, net: Net, manner: Mapping[str, float]) -> None:
        """Take a net and the settings of self-play."""
        for name, array in net.items():
            self.instance.fill(getattr(self.workspace.net, name), array)
        for name, value in manner.items():
            setattr(self.game, name, value)
        self.instance.call("transpose", self.workspace.net, self.learner)

    def remember(self, means: Net, squares: Net) -> None:
        """Take over Adam's moments."""
        for part, arrays in ((self.learner.means, means), (self.learner.squares, squares)):
            for name, array in arrays.items():
                self.instance.fill(getattr(part, name), array)

    def teach(self, games: Iterable[int]) -> int:
        """Play some games of a batch and add up their gradient; return their positions."""
        return sum(
            self.instance.call(
                "teach", self.tables, self.workspace, self.game, self.learner, self.seed, game
            )
            for game in games
        )

    def step(self, number: int, rate: float, examples: int) -> None:
        """Take a step, smaller at the beginning, when Adam's moments are short."""
        size = adam_rate(min(1.0, number / WARM_UP) * rate, number)
        self.learner.constants[:] = [size, MEAN_RATE, SQUARE_RATE, EPSILON, 1 / examples]
        self.instance.call(
            "step_net", self.workspace.net, self.workspace.feature_layout, self.learner
        )

    def gradient(self) -> Net:
        """Return and clear the gradient."""
        gradient = self.read(self.learner.grads)
        for name, shape in self.shapes.items():
            getattr(self.learner.grads, name)[: shape[0]] = 0
        return gradient

    def take(self, examples: int, gradient: Net) -> int:
        """Add a gradient that another worker computed; return its number of examples."""
        for name, shape in self.shapes.items():
            getattr(self.learner.grads, name)[: shape[0]] += gradient[name]
        return examples

    def take_net(self, other: Worker) -> None:
        """Copy the net of another worker."""
        for name, shape in self.shapes.items():
            getattr(self.workspace.net, name)[: shape[0]] = getattr(other.workspace.net, name)[
                : shape[0]
            ]
        self.learner.transposed[...] = other.learner.transposed

    def read(self, part: Any) -> Net:
        """Copy arrays from the kernel."""
        return {
            name: np.array(getattr(part, name)[: shape[0]], np.float32)
            for name, shape in self.shapes.items()
        }


def teach_elsewhere(
    settings: tuple[Game, Mapping[str, float], int], net: Net, games: range
) -> tuple[int, Net]:
    """Play some games of a batch on a cluster node; return their positions and gradient."""
    game, manner, seed = settings
    worker = _worker_here(game, seed)
    worker.prepare(net, manner)
    return worker.teach(games), worker.gradient()


@lru_cache(maxsize=1)
def _worker_here(game: Game, seed: int) -> Worker:
    return Worker(game, _zeros(game), {}, seed)


def _zeros(game: Game) -> Net:
    return {name: np.zeros(shape, np.float32) for name, shape in shapes(game).items()}


def _fresh_net(game: Game, seed: int) -> Net:
    """Return a net with random weights."""
    rng = np.random.default_rng(seed)
    net = _zeros(game)
    spreads = {
        "rows": SPREAD_OF_ROWS,
        "scalars": SPREAD_OF_ROWS,
        "weights": (2 / FIRST) ** 0.5,
        "out": (1 / SECOND) ** 0.5,
    }
    for name, spread in spreads.items():
        net[name][...] = rng.normal(0, spread, net[name].shape)
    net["bias"][0] = FIRST_GUESS
    return net
