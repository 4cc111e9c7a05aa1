"""Learning by self-play: games are played with the nets as they are, and each net then learns what its tableaus turned out to be worth."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from foxclover.ai.climb.network import HIDDEN, INPUTS, NETS, SCALE, Nets
from foxclover.ai.climb.regression import Regression
from foxclover.ai.climb.self_play import Example, SelfPlay
from foxclover.ai.nets import make_thinker
from foxclover.ai.training import Training as AnyTraining
from foxclover.climb.state import Deck
from foxclover.game import Game

if TYPE_CHECKING:
    from foxclover.net_file import Array, Net
    from foxclover.simulation.cluster import Cluster

TERM = (
    (2, 0, 100),
    (3, 0, 80),
    (4, 0, 30),
    (1, 0, 450),
    (2, 1, 15),
    (3, 1, 10),
    (4, 1, 5),
)  # players, variant, games
GAMES_OF_TERM = sum(games for _, _, games in TERM)
MEMORY = 200  # terms that are remembered, at most
STEPS = 150  # of learning in a term, for each net
HOT, COOL = 6.0, 0.5  # points by which players waver, at the beginning and at the end
QUICK, SLOW = 0.003, 0.0001  # rates of learning
NEWEST = 0.3  # share of the newest term in how often rolls are made
DRAWS = 10  # of cards, to try plans of purchases with
CHUNK = 25  # games a thread plays at once


class Job(NamedTuple):
    """Games to be played at once."""

    players: int
    variant: int
    first: int
    games: int


class Lesson(NamedTuple):
    """What games teach, a row for each tableau."""

    nets: Array
    inputs: Array
    targets: Array
    rolls: Array  # how many players made each roll of a round


class Training(AnyTraining):
    """Nets that learn, and what they remember."""

    selection_seed = 777
    selection_games = 300

    def __init__(self, game: Game, seed: int, terms: int) -> None:
        import numpy as np

        super().__init__(game, seed, terms)
        rng = np.random.default_rng(seed)
        self.regressions = [Regression(INPUTS, HIDDEN, rng) for _ in range(NETS)]
        self.memory: list[list[tuple[Array, Array]]] = [[] for _ in self.regressions]
        self.rolling = np.zeros(Nets.shapes["rolling"].lengths)

    def playing_net(self) -> Net:
        """The nets as they play: averages of what they were after the last terms."""
        import numpy as np

        rows, out, bias = (
            np.array([regression.averages[n] for regression in self.regressions]) for n in range(3)
        )
        return {"rows": rows, "out": out, "bias": bias[:, 0], "rolling": self.rolling}

    def run_term(
        self, workers: int, tick: Callable[[int], None], cluster: Cluster | None = None
    ) -> None:
        """Play a term's games and learn from them."""
        import numpy as np

        done = self.term / self.terms
        lessons = list(self._play(workers, HOT + (COOL - HOT) * done, tick, cluster))
        for net, remembered in enumerate(self.memory):
            rows = [
                (lesson.inputs[lesson.nets == net], lesson.targets[lesson.nets == net])
                for lesson in lessons
            ]
            remembered.append(
                (np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows]))
            )
            del remembered[
                : -min(MEMORY, 3 + self.term // 2)
            ]  # what beginners thought is soon forgotten
        rolls = sum((lesson.rolls for lesson in lessons), np.zeros_like(self.rolling))
        made = rolls / np.maximum(rolls[:, :, :1], 1)
        self.rolling += (made - self.rolling) * (NEWEST if self.term else 1.0)
        rng = np.random.default_rng((self.seed, self.term))
        for regression, remembered in zip(self.regressions, self.memory, strict=True):
            inputs, targets = (np.concatenate([part[n] for part in remembered]) for n in range(2))
            regression.learn(inputs, targets, STEPS, QUICK + (SLOW - QUICK) * done, rng)
            regression.settle(first=self.term == 0)
        self.term += 1

    def _play(
        self, workers: int, heat: float, tick: Callable[[int], None], cluster: Cluster | None
    ) -> Iterator[Lesson]:
        """Play a term's games, on as many threads as wanted or on a cluster; what comes of them has always the same order."""
        net, local = self.playing_net(), threading.local()
        jobs = list(self._jobs())

        def play(job: Job) -> Lesson:
            if not hasattr(local, "worker"):
                local.worker = Worker(self.game, net, self.seed, heat)
            worker: Worker = local.worker
            return worker.play(job)

        def follow(lessons: Iterable[Lesson]) -> Iterator[Lesson]:
            for job, lesson in zip(jobs, lessons, strict=True):
                tick(job.games)
                yield lesson

        if cluster:
            sent = cluster.put((self.game, net, self.seed, heat))
            yield from follow(cluster.map(play_elsewhere, [(sent, job) for job in jobs]))
            return
        with ThreadPoolExecutor(workers) as threads:
            yield from follow(threads.map(play, jobs))

    def _jobs(self) -> Iterator[Job]:
        first = self.term * GAMES_OF_TERM
        for players, variant, games in TERM:
            for start in range(0, games, CHUNK):
                yield Job(players, variant, first + start, min(CHUNK, games - start))
            first += games

    # -- checkpoints ------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Array]:
        """Nets, memories and what is remembered, by name."""
        import numpy as np

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
        """Take them back."""
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
    """One thread's place to play in."""

    def __init__(self, game: Game, net: Net, seed: int, heat: float) -> None:
        self.instance, self.tables, self.mind = make_thinker(game, net)
        self.mind.draws = DRAWS
        self.games = self.instance.new(SelfPlay)
        self.games.seed, self.games.heat = seed, heat
        rounds = cast(Deck, game.book.tables).rounds
        tableaus = (
            2 * rounds * max(players for players, _, _ in TERM)
        )  # of a game: before rolling and after pushing
        self.examples: Any = self.instance.new(Example, CHUNK * tableaus)

    def play(self, job: Job) -> Lesson:
        """Play some games."""
        import numpy as np

        games = self.games
        games.players, games.variant, games.first, games.count = job
        self.instance.call("play_games_to_learn", self.tables, self.mind, games, self.examples)
        examples = self.examples[: int(games.examples)]
        return Lesson(
            np.array([example.net for example in examples]),
            np.array([example.inputs for example in examples], np.float32),
            (np.array([example.target for example in examples]) / SCALE).astype(np.float32),
            np.array(games.rolls),
        )


def play_elsewhere(terms: tuple[Game, Net, int, float], job: Job) -> Lesson:
    """Play some games on a node of a cluster."""
    return Worker(*terms).play(job)
