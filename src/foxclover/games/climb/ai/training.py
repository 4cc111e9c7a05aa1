"""Training by self-play: each net learns the values that its tableaus turned out to have.

Regression uses numpy, whose matrix products are fast on batches.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from foxclover.ai.nets import make_thinker
from foxclover.core.game import Game
from foxclover.games.climb.ai.self_play import Example, SelfPlay
from foxclover.games.climb.ai.workspace import HIDDEN, INPUTS, NETS, SCALE, Nets
from foxclover.games.climb.rules.state import Deck
from foxclover.simulation.training import EPSILON, MEAN_RATE, SQUARE_RATE, adam_rate
from foxclover.simulation.training import Training as AnyTraining

if TYPE_CHECKING:
    from foxclover.ai.nets import Array, Net
    from foxclover.simulation.cluster import Cluster


BATCH = 256
SHRINK = 1e-6  # keeps weights small that nothing speaks for
SPREAD = 0.3  # of the first weights
AVERAGE_RATE = 0.15  # share of the newest weights in their moving average


class Regression:
    """One net and the moments of Adam: rows of the first layer, weights and bias of the output."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        self.weights: list[Array] = [
            rng.normal(0, SPREAD, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(1, np.float32),
        ]
        # Steadier than the weights: what plays.
        self.averages = [array.copy() for array in self.weights]
        self.means = [np.zeros_like(array) for array in self.weights]
        self.squares = [np.zeros_like(array) for array in self.weights]
        self.steps = 0

    def arrays(self) -> list[Array]:
        """Return all arrays of a checkpoint, by reference or by name."""
        return [*self.weights, *self.averages, *self.means, *self.squares]

    def learn(
        self, inputs: Array, targets: Array, steps: int, rate: float, rng: np.random.Generator
    ) -> float:
        """Take steps on random batches, at a rate that falls to a third.

        Return the mean squared error of these steps.
        """
        error = 0.0
        for step in range(steps):
            chosen = rng.integers(0, len(inputs), BATCH)
            error += self._step(
                inputs[chosen], targets[chosen], rate * (1 - 2 * step / (3 * steps))
            )
        return error / steps

    def settle(self, first: bool) -> None:
        """Update the moving averages of the weights."""
        for average, weights in zip(self.averages, self.weights, strict=True):
            average += (weights - average) * (1.0 if first else AVERAGE_RATE)

    def _step(self, inputs: Array, targets: Array, rate: float) -> float:
        rows, out, bias = self.weights
        hidden = inputs @ rows
        firing = np.maximum(hidden, 0)
        error = firing @ out + bias[0] - targets
        share = error / len(inputs)
        flow = np.outer(share, out) * (hidden > 0)
        self._adam(
            [inputs.T @ flow + SHRINK * rows, firing.T @ share, share.sum(keepdims=True)], rate
        )
        return float(np.mean(error * error))

    def _adam(self, gradients: list[Array], rate: float) -> None:
        self.steps += 1
        rate = adam_rate(rate, self.steps)
        for weights, gradient, mean, square in zip(
            self.weights, gradients, self.means, self.squares, strict=True
        ):
            mean += np.float32(MEAN_RATE) * (gradient - mean)
            square += np.float32(SQUARE_RATE) * (gradient * gradient - square)
            weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(EPSILON))


# Players, variant, games.
ITERATION = (
    (2, 0, 100),
    (3, 0, 80),
    (4, 0, 30),
    (1, 0, 450),
    (2, 1, 15),
    (3, 1, 10),
    (4, 1, 5),
)
GAMES_PER_ITERATION = sum(games for _, _, games in ITERATION)
MEMORY = 200  # iterations that are remembered, at most
STEPS = 150  # of learning in an iteration, for each net
HOT, COOL = 6.0, 0.5  # points of exploration noise, at the beginning and at the end
QUICK, SLOW = 0.003, 0.0001  # rates of learning
COOL_FROM, SLOW_FROM = 1.0, 0.0005  # the same at the beginning, where trained nets are refined
NEWEST = 0.3  # share of the newest iteration in how often rolls are made
DRAWS = 10  # of cards, to try plans of purchases with
CHUNK = 25  # games a thread plays at once


class Job(NamedTuple):
    """Games to be played at once."""

    players: int
    variant: int
    first: int
    games: int


class ExampleBatch(NamedTuple):
    """The examples of some games, a row for each tableau."""

    nets: Array
    inputs: Array
    targets: Array
    rolls: Array  # how many players made each roll of a round


class Training(AnyTraining):
    """The nets in training, and the examples they remember."""

    selection_seed = 777
    selection_games = 300

    def __init__(self, game: Game, seed: int, iterations: int) -> None:
        super().__init__(game, seed, iterations)
        rng = np.random.default_rng(seed)
        self.regressions = [Regression(INPUTS, HIDDEN, rng) for _ in range(NETS)]
        self.memory: list[list[tuple[Array, Array]]] = [[] for _ in self.regressions]
        self.rolling = np.zeros(Nets.shapes["rolling"].lengths)

    def take_net(self, net: Net) -> None:
        """Continue from trained nets."""
        self.rolling = net["rolling"].astype(self.rolling.dtype)
        for n, regression in enumerate(self.regressions):
            for array, given in zip(
                regression.weights,
                (net["rows"][n], net["out"][n], net["bias"][n : n + 1]),
                strict=True,
            ):
                array[...] = given
            regression.settle(first=True)

    def playing_net(self) -> Net:
        """Return the nets that play: averages over the last iterations."""
        rows, out, bias = (
            np.array([regression.averages[n] for regression in self.regressions]) for n in range(3)
        )
        return {"rows": rows, "out": out, "bias": bias[:, 0], "rolling": self.rolling}

    def run_iteration(
        self, workers: int, tick: Callable[[int], None], cluster: Cluster | None = None
    ) -> None:
        """Play the games of an iteration and learn from them."""
        done = self.iteration / self.iterations
        hot, quick = (COOL_FROM, SLOW_FROM) if self.refines else (HOT, QUICK)
        batches = list(self._play(workers, hot + (COOL - hot) * done, tick, cluster))
        for net, remembered in enumerate(self.memory):
            rows = [
                (batch.inputs[batch.nets == net], batch.targets[batch.nets == net])
                for batch in batches
            ]
            remembered.append(
                (np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows]))
            )
            # Examples of beginners are soon forgotten.
            del remembered[: -min(MEMORY, 3 + self.iteration // 2)]
        rolls = sum((batch.rolls for batch in batches), np.zeros_like(self.rolling))
        made = rolls / np.maximum(rolls[:, :, :1], 1)
        self.rolling += (made - self.rolling) * (NEWEST if self.iteration or self.refines else 1.0)
        rng = np.random.default_rng((self.seed, self.iteration))
        for regression, remembered in zip(self.regressions, self.memory, strict=True):
            inputs, targets = (np.concatenate([part[n] for part in remembered]) for n in range(2))
            regression.learn(inputs, targets, STEPS, quick + (SLOW - quick) * done, rng)
            regression.settle(first=self.iteration == 0 and not self.refines)
        self.iteration += 1

    def _play(
        self, workers: int, noise: float, tick: Callable[[int], None], cluster: Cluster | None
    ) -> Iterator[ExampleBatch]:
        """Play the games of an iteration, on threads or on a cluster.

        The batches always have the same order.
        """
        net, local = self.playing_net(), threading.local()
        jobs = list(self._jobs())

        def play(job: Job) -> ExampleBatch:
            if not hasattr(local, "worker"):
                local.worker = Worker(self.game, net, self.seed, noise)
            worker: Worker = local.worker
            return worker.play(job)

        def follow(batches: Iterable[ExampleBatch]) -> Iterator[ExampleBatch]:
            for job, batch in zip(jobs, batches, strict=True):
                tick(job.games)
                yield batch

        if cluster:
            sent = cluster.put((self.game, net, self.seed, noise))
            yield from follow(cluster.map(play_elsewhere, [(sent, job) for job in jobs]))
            return
        with ThreadPoolExecutor(workers) as threads:
            yield from follow(threads.map(play, jobs))

    def _jobs(self) -> Iterator[Job]:
        first = self.iteration * GAMES_PER_ITERATION
        for players, variant, games in ITERATION:
            for start in range(0, games, CHUNK):
                yield Job(players, variant, first + start, min(CHUNK, games - start))
            first += games

    # -- checkpoints

    def arrays(self) -> dict[str, Array]:
        """Return all arrays of a checkpoint, by reference or by name."""
        arrays: dict[str, Array] = {
            "rolling": self.rolling,
            "steps": np.array([regression.steps for regression in self.regressions]),
        }
        for net, regression in enumerate(self.regressions):
            arrays |= {f"net{net}.{n}": array for n, array in enumerate(regression.arrays())}
            for n, (inputs, targets) in enumerate(self.memory[net]):
                arrays |= {f"inputs{net}.{n}": inputs, f"targets{net}.{n}": targets}
        return arrays

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Restore the arrays of a checkpoint."""
        self.rolling = arrays["rolling"]
        for net, regression in enumerate(self.regressions):
            regression.steps = int(arrays["steps"][net])
            for n, array in enumerate(regression.arrays()):
                array[...] = arrays[f"net{net}.{n}"]
            kept = sum(name.startswith(f"inputs{net}.") for name in arrays)
            self.memory[net] = [
                (arrays[f"inputs{net}.{n}"], arrays[f"targets{net}.{n}"]) for n in range(kept)
            ]


class Worker:
    """The kernel instance and the buffers of one thread."""

    def __init__(self, game: Game, net: Net, seed: int, noise: float) -> None:
        self.instance, self.tables, self.workspace = make_thinker(game, net)
        self.workspace.draws = DRAWS
        self.games = self.instance.new(SelfPlay)
        self.games.seed, self.games.noise = seed, noise
        rounds = cast(Deck, game.definition.tables).rounds
        # Of a game: before rolling and after pushing.
        tableaus = 2 * rounds * max(players for players, _, _ in ITERATION)
        self.examples: Any = self.instance.new(Example, CHUNK * tableaus)

    def play(self, job: Job) -> ExampleBatch:
        """Play some games."""
        games = self.games
        games.players, games.variant, games.first, games.count = job
        self.instance.call("play_games_to_learn", self.tables, self.workspace, games, self.examples)
        examples = self.examples[: int(games.examples)]
        return ExampleBatch(
            np.array([example.net for example in examples]),
            np.array([example.inputs for example in examples], np.float32),
            (np.array([example.target for example in examples]) / SCALE).astype(np.float32),
            np.array(games.rolls),
        )


def play_elsewhere(settings: tuple[Game, Net, int, float], job: Job) -> ExampleBatch:
    """Play some games on a node of a cluster."""
    return Worker(*settings).play(job)
