"""Learning by self-play: a net plays with itself and learns, by TD(lambda), what the positions after its moves turned out to be worth.

Exploration and the rate of learning sink to nothing towards the end: a net that still tries things out plays below its strength.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from foxclover.ai.clever.learning import Learner
from foxclover.ai.clever.network import FIRST, SECOND
from foxclover.ai.clever.players import shapes
from foxclover.ai.clever.self_play import LEAST, SelfPlay
from foxclover.ai.nets import make_thinker
from foxclover.ai.training import Training as AnyTraining
from foxclover.clever.tables import CleverBook
from foxclover.game import Game
from foxclover.kernel import open_kernel

if TYPE_CHECKING:
    from foxclover.net_file import Array, Net
    from foxclover.simulation.cluster import Cluster

BATCH = 4  # games a step is made of
GAMES_OF_TERM = 2000
RATE, FLAT = 0.001, 0.3  # of learning; it sinks after this share of the games
WARM_UP = 300  # steps until the full rate of learning
FRESH, FRESH_SQUARE, EPSILON = 1 - 0.9, 1 - 0.999, 1e-7  # Adam
SOLO = 0.82  # share of solo games, which teach a little more than half of all positions
TRACE = 0.8
MOODY, HEAT, MOOD = 0.5, 1.5, 6.0  # how games are played in moods
MOODY_UNTIL, MOOD_UNTIL = 0.65, 0.5
TRAP_UNTIL, TRAP_GROWTH = 0.4, 24
SEEDS_APART = 1000003
FIRST_GUESS = 4.0  # of the net's output: what a beginner gets beside the points he has
SPREAD_OF_ROWS = 0.1


class Training(AnyTraining):
    """A net that learns, with the two memories of Adam."""

    selection_seed = 999001
    selection_games = 1000

    def __init__(self, game: Game, seed: int, terms: int) -> None:
        super().__init__(game, seed, terms)
        self.net = _fresh_net(game, seed)
        self.means, self.squares = _zeros(game), _zeros(game)

    def playing_net(self) -> Net:
        """The net as it plays in earnest now."""
        return self.net

    def manner(self) -> dict[str, float]:
        """How games are played now, by the names of the fields of ``SelfPlay``."""
        done = self.term / self.terms
        # Where numbers are circled before they are crossed, growing points lure a beginner away from everything else.
        traps = [
            area
            for area, circled in enumerate(cast(CleverBook, self.game.book).tables.circles)
            if circled
        ]
        return {
            "solo": SOLO,
            "moody": MOODY * max(0.0, 1 - done / MOODY_UNTIL),
            "heat": HEAT,
            "mood": MOOD * max(0.0, 1 - done / MOOD_UNTIL),
            "limited": traps[0] if traps and done < TRAP_UNTIL else -1,
            "highest_limit": LEAST + TRAP_GROWTH * (done / TRAP_UNTIL) ** 2,
            "trace": TRACE,
        }

    def run_term(
        self, workers: int, tick: Callable[[int], None], cluster: Cluster | None = None
    ) -> None:
        """Play a term's games and learn from them, batch by batch, each shared by the workers, here or on a cluster."""
        count = min(workers, BATCH) if open_kernel(self.game.family).built else 1
        crew = [
            Worker(self.game, self.net, self.manner(), self.seed)
            for _ in range(1 if cluster else count)
        ]
        head = crew[0]
        head.remember(self.means, self.squares)
        rate = RATE * min(1.0, (1 - self.term / self.terms) / (1 - FLAT))
        sent = cluster.put((self.game, self.manner(), self.seed)) if cluster else None
        with ThreadPoolExecutor(count) as threads:
            for first in range(self.term * GAMES_OF_TERM, (self.term + 1) * GAMES_OF_TERM, BATCH):
                shares = [range(first + n, first + BATCH, count) for n in range(count)]
                if cluster:
                    net = cluster.put(head.read(head.mind.net))
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
                for other in crew[1:]:
                    other.take_net(head)
                tick(BATCH)
        self.net, self.means, self.squares = (
            head.read(part) for part in (head.mind.net, head.learner.means, head.learner.squares)
        )
        self.term += 1

    def arrays(self) -> dict[str, Array]:
        """The net and the memories, by name."""
        held = {"net": self.net, "means": self.means, "squares": self.squares}
        return {
            f"{part}.{name}": array
            for part, arrays in held.items()
            for name, array in arrays.items()
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take them back."""
        for name, array in self.arrays().items():
            array[...] = arrays[name]


class Worker:
    """One thread of a training: a net of its own, of which the first worker's is the one that learns."""

    def __init__(self, game: Game, net: Net, manner: Mapping[str, float], seed: int) -> None:
        self.seed = seed * SEEDS_APART
        self.shapes = shapes(game)
        self.instance, self.tables, self.mind = make_thinker(game, net)
        self.game, self.learner = self.instance.new(SelfPlay), self.instance.new(Learner)
        self.prepare(net, manner)

    def prepare(self, net: Net, manner: Mapping[str, float]) -> None:
        """Think with a net, and play in a manner."""
        for name, array in net.items():
            self.instance.fill(getattr(self.mind.net, name), array)
        for name, value in manner.items():
            setattr(self.game, name, value)
        self.instance.call("transpose", self.mind.net, self.learner)

    def remember(self, means: Net, squares: Net) -> None:
        """Take over Adam's memories."""
        for part, arrays in ((self.learner.means, means), (self.learner.squares, squares)):
            for name, array in arrays.items():
                self.instance.fill(getattr(part, name), array)

    def teach(self, games: Iterable[int]) -> int:
        """Play some games of a batch and add up their gradient; return how many positions they had."""
        return sum(
            self.instance.call(
                "teach", self.tables, self.mind, self.game, self.learner, self.seed, game
            )
            for game in games
        )

    def step(self, number: int, rate: float, examples: int) -> None:
        """Take a step, smaller in the beginning, when Adam's memories are short."""
        size = min(1.0, number / WARM_UP) * rate * (1 - 0.999**number) ** 0.5 / (1 - 0.9**number)
        self.learner.constants[:] = [size, FRESH, FRESH_SQUARE, EPSILON, 1 / examples]
        self.instance.call("step_net", self.mind.net, self.mind.plan, self.learner)

    def gradient(self) -> Net:
        """What was added up since the last time."""
        gradient = self.read(self.learner.grads)
        for name, shape in self.shapes.items():
            getattr(self.learner.grads, name)[: shape[0]] = 0
        return gradient

    def take(self, examples: int, gradient: Net) -> int:
        """Add a gradient that others have computed of so many positions."""
        for name, shape in self.shapes.items():
            getattr(self.learner.grads, name)[: shape[0]] += gradient[name]
        return examples

    def take_net(self, other: Worker) -> None:
        """Think with the same net as another one."""
        for name, shape in self.shapes.items():
            getattr(self.mind.net, name)[: shape[0]] = getattr(other.mind.net, name)[: shape[0]]
        self.learner.transposed[...] = other.learner.transposed

    def read(self, part: Any) -> Net:
        """A copy of arrays in the kernel."""
        import numpy as np

        return {
            name: np.array(getattr(part, name)[: shape[0]], np.float32)
            for name, shape in self.shapes.items()
        }


def teach_elsewhere(
    terms: tuple[Game, Mapping[str, float], int], net: Net, games: range
) -> tuple[int, Net]:
    """Play some games of a batch on a node of a cluster; return how many positions they had, and their gradient."""
    game, manner, seed = terms
    worker = _worker_here(game, seed)
    worker.prepare(net, manner)
    return worker.teach(games), worker.gradient()


@lru_cache(maxsize=1)
def _worker_here(game: Game, seed: int) -> Worker:
    """What works on this node; made once a process."""
    return Worker(game, _zeros(game), {}, seed)


def _zeros(game: Game) -> Net:
    import numpy as np

    return {name: np.zeros(shape, np.float32) for name, shape in shapes(game).items()}


def _fresh_net(game: Game, seed: int) -> Net:
    """A net that knows nothing."""
    import numpy as np

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
