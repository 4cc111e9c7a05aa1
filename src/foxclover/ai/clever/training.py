"""Learning by self-play: a net plays with itself and learns, by TD(lambda), what the positions after its moves turned out to be worth.

Exploration and the rate of learning sink to nothing towards the end: a net that still tries things out plays below its strength.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.ai.clever import nets
from foxclover.ai.clever.batch import runner_with
from foxclover.ai.clever.inputs import SCALARS
from foxclover.ai.clever.lessons import LEAST, TAUGHT
from foxclover.ai.clever.mind import Recipe, make_notebook, make_school
from foxclover.ai.parts import Net, make_net
from foxclover.ai.training import Progress
from foxclover.game import Game

if TYPE_CHECKING:
    import numpy as np

WIDTHS = 192, 64  # of the hidden layers
BATCH = 4  # games a step is made of
GAMES_OF_TERM = 2000
RATE, FLAT = 0.001, 0.3  # of learning; it sinks after this share of the games
SOLO = 0.82  # share of solo games, which teach a little more than half of all positions
TRACE = 0.8
WILD, HEAT, MOOD = 0.5, 1.5, 6.0  # how games are played in moods
WILD_UNTIL, MOOD_UNTIL = 0.65, 0.5
TRAPS = {"doppelt-so-clever": "yellow"}  # area whose growing points lure a beginner away from everything else
TRAP_UNTIL, TRAP_GROWTH = 0.4, 24
SELECTION_SEED = 999001  # checkpoints are judged on these games, which are never reported
SELECTION_GAMES = 1000
SEEDS_APART = 1000003
FIRST_GUESS = 4.0  # of the net's output: what a beginner gets beside the points he has
SPREAD_OF_ROWS = 0.1


class Training:
    """A net that learns."""

    def __init__(self, game: Game, seed: int, terms: int) -> None:
        self.game = game
        self.seed = seed
        self.terms = terms
        self.term = 0
        self.steps = 0
        self.net = _fresh_net(game, seed)
        self.school = make_school(self.net)
        self.curve: list[Progress] = []

    def recipe(self) -> tuple[Recipe, float]:
        """How to play now, and the rate of learning."""
        done = self.term / self.terms
        trap = TRAPS.get(self.game.key) if done < TRAP_UNTIL else None
        recipe = Recipe(
            batch=BATCH,
            solo=SOLO,
            wild=WILD * max(0.0, 1 - done / WILD_UNTIL),
            heat=HEAT,
            mood=MOOD * max(0.0, 1 - done / MOOD_UNTIL),
            limited=[area.name for area in self.game.book.areas].index(trap) if trap else -1,
            limit=LEAST + TRAP_GROWTH * (done / TRAP_UNTIL) ** 2,
            trace=TRACE,
        )
        return recipe, RATE * min(1.0, (1 - done) / (1 - FLAT))

    def run_term(self, workers: int, tick: Callable[[int], None]) -> None:
        """Play a term's games and learn from them, batch by batch, each shared by the workers."""
        functions = nets.functions(learning=True)
        recipe, rate = self.recipe()
        plan = nets.plan_of(self.game)
        desks = [(nets.workplace(self.game, self.net), make_notebook(plan), make_school(self.net)) for _ in range(min(workers, BATCH))]

        def teach(worker: int, first: int) -> float:
            (books, mind, states), notebook, school = desks[worker]
            notebook.report[:] = 0
            games = range(worker, BATCH, len(desks))
            for game in games:
                functions.teach(
                    books,
                    mind,
                    notebook,
                    school._replace(flipped=self.school.flipped),
                    states,
                    self.seed * SEEDS_APART,
                    first + game,
                    1,
                    recipe,
                )
            return float(notebook.report[TAUGHT])

        with ThreadPoolExecutor(len(desks)) as threads:
            for first in range(self.term * GAMES_OF_TERM, (self.term + 1) * GAMES_OF_TERM, BATCH):
                samples = sum(threads.map(teach, range(len(desks)), [first] * len(desks)))
                for _, _, school in desks:
                    for total, part in zip(self.school.grads, school.grads, strict=True):
                        total += part
                        part[...] = 0
                self.steps += 1
                functions.set_step(self.school, self.steps, rate, samples)
                functions.step_net(self.net, *self.school)
                tick(BATCH)
        self.term += 1

    def evaluate(self, games: int = SELECTION_GAMES) -> Progress:
        """Play in earnest on the games kept for selection."""
        means = [float(runner_with(self.net, self.game, ["net"] * players)(SELECTION_SEED, 0, games)[0].mean()) for players in (3, 1)]
        progress = Progress(self.term, *means)
        self.curve.append(progress)
        return progress

    def save(self, folder: Path) -> None:
        """Write everything needed to go on, and the net."""
        import numpy as np

        arrays: dict[str, Any] = {"curve": np.array(self.curve), "facts": np.array([self.seed, self.terms, self.term, self.steps])}
        for name, part in self._parts().items():
            arrays |= {f"{name}.{field}": array for field, array in part._asdict().items()}
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / "partial.npz"
        np.savez(partial, **arrays)
        partial.replace(folder / "checkpoint.npz")
        nets.save(folder / f"{self.game.key}.net", self.game, self.net)

    def _parts(self) -> dict[str, Net]:
        return {"net": self.net, "means": self.school.means, "squares": self.school.squares}

    @classmethod
    def resume(cls, game: Game, folder: Path) -> Training:
        """Go on from a checkpoint; raises ``OSError`` or ``ValueError`` if there is none that can be used."""
        import numpy as np

        with (folder / "checkpoint.npz").open("rb") as file, np.load(file) as arrays:
            seed, terms, term, steps = arrays["facts"].tolist()
            training = cls(game, seed, terms)
            training.term, training.steps = term, steps
            training.curve = [Progress(int(row[0]), float(row[1]), float(row[2])) for row in arrays["curve"]]
            for name, part in training._parts().items():
                for field, array in part._asdict().items():
                    array[...] = arrays[f"{name}.{field}"]
        training.school.flipped[...] = training.net.weights.T
        return training


def _fresh_net(game: Game, seed: int) -> Net:
    """A net that knows nothing."""
    import numpy as np

    rng = np.random.default_rng(seed)
    first, second = WIDTHS
    net = make_net(nets.plan_of(game).rows, SCALARS, first, second)

    def fill(array: np.ndarray[Any, Any], spread: float) -> None:
        array[...] = rng.normal(0, spread, array.shape)

    fill(net.rows, SPREAD_OF_ROWS)
    fill(net.scalars, SPREAD_OF_ROWS)
    fill(net.weights, (2 / first) ** 0.5)
    fill(net.out, (1 / second) ** 0.5)
    net.bias[0] = FIRST_GUESS
    return net
