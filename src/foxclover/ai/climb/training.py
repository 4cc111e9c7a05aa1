"""Learning by self-play: games are played with the nets as they are, and each net then learns what its layouts turned out to be worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from foxclover.ai.climb import nets
from foxclover.ai.climb.batch import runner_with
from foxclover.ai.climb.inputs import INPUTS, SCALE
from foxclover.ai.climb.parts import HIDDEN, NETS, NETS_SHAPE, SEATS, Nets, make_notebook
from foxclover.ai.climb.students import Student
from foxclover.game import Game, Variant

if TYPE_CHECKING:
    import numpy as np

    Lesson = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]

TERM = ((2, 0, 100), (3, 0, 80), (4, 0, 30), (1, 0, 450), (2, 1, 15), (3, 1, 10), (4, 1, 5))  # players, variant, games
GAMES_OF_TERM = sum(games for _, _, games in TERM)
MEMORY = 200  # terms that are remembered, at most
STEPS = 150  # of learning in a term, for each net
HOT, COOL = 6.0, 0.5  # points by which players waver, at the beginning and at the end
QUICK, SLOW = 0.003, 0.0001  # rates of learning
SAMPLES = 10  # of cards that may be drawn
ROWS_OF_PLAYER = 9  # layouts of a game to learn from
CHUNK = 25  # games a thread plays at once
SELECTION_SEED = 777  # checkpoints are judged on these games, which are never reported
SELECTION_GAMES = 300


class Progress(NamedTuple):
    """How far the training is."""

    term: int
    three_players: float  # mean score of the nets in earnest
    solo: float


class Training:
    """Nets that learn, and what they remember."""

    def __init__(self, game: Game, seed: int, terms: int) -> None:
        import numpy as np

        self.game = game
        self.seed = seed
        self.terms = terms
        self.term = 0
        rng = np.random.default_rng(seed)
        self.students = [Student(INPUTS, HIDDEN, rng) for _ in range(NETS)]
        self.memory: list[list[tuple[Any, Any]]] = [[] for _ in self.students]
        self.rolling = np.zeros(NETS_SHAPE["rolling"])
        self.curve: list[Progress] = []

    def nets(self) -> Nets:
        """The nets as they play: averages of what they were after the last terms."""
        import numpy as np

        layers: Any = [np.array([student.averages[n] for student in self.students], np.float64) for n in range(3)]
        rolling: Any = self.rolling
        return Nets(rows=layers[0], out=layers[1], bias=np.ascontiguousarray(layers[2][:, 0]), rolling=rolling)  # type: ignore[arg-type]

    def run_term(self, workers: int, tick: Callable[[int], None]) -> None:
        """Play a term's games and learn from them."""
        import numpy as np

        done = self.term / self.terms
        heat = HOT + (COOL - HOT) * done
        thought = self.nets()
        rolls = np.zeros_like(self.rolling)
        lessons = []
        with ThreadPoolExecutor(workers) as threads:
            for lesson in threads.map(lambda job: self._play(thought, heat, *job), self._jobs()):
                lessons.append(lesson)
                rolls += lesson[3]
                tick(CHUNK)
        for net, remembered in enumerate(self.memory):
            rows = [(inputs[kinds == net], targets[kinds == net]) for kinds, inputs, targets, _ in lessons]
            remembered.append((np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows])))
            del remembered[: -min(MEMORY, 3 + self.term // 2)]  # what beginners thought is soon forgotten
        made = rolls / np.maximum(rolls[:, :, :1], 1)
        self.rolling += (made - self.rolling) * (0.3 if self.term else 1.0)
        rng = np.random.default_rng((self.seed, self.term))
        for student, remembered in zip(self.students, self.memory, strict=True):
            inputs, targets = (np.concatenate([part[n] for part in remembered]) for n in range(2))
            student.learn(inputs, targets, STEPS, QUICK + (SLOW - QUICK) * done, rng)
            student.settle(first=self.term == 0)
        self.term += 1

    def _jobs(self) -> Iterator[tuple[int, int, int, int]]:
        """Players, variant, number of the first game, games."""
        first = self.term * GAMES_OF_TERM
        for players, variant, games in TERM:
            for start in range(0, games, CHUNK):
                yield players, variant, first + start, min(CHUNK, games - start)
            first += games

    def _play(self, thought: Nets, heat: float, players: int, variant: int, first: int, count: int) -> Lesson:
        import numpy as np

        books, mind, states = nets.workplace(self.game, thought, SAMPLES)
        notebook: Any = make_notebook(count * players * ROWS_OF_PLAYER)
        scores = np.zeros((count, SEATS), np.int64)
        play = nets.functions().play_lessons
        rows = play(books, mind, states, players, variant, heat, self.seed, first, count, notebook, scores)
        return (
            notebook.kinds[:rows],
            notebook.inputs[:rows].astype(np.float32),
            (notebook.targets[:rows] / SCALE).astype(np.float32),
            notebook.rolls,
        )

    def evaluate(self, games: int = SELECTION_GAMES) -> Progress:
        """Play in earnest on the games kept for selection."""
        means = [float(runner_with(self.nets(), self.game, ["net"] * n, Variant.NONE)(SELECTION_SEED, 0, games)[0].mean()) for n in (3, 1)]
        progress = Progress(self.term, *means)
        self.curve.append(progress)
        return progress

    # -- checkpoints ------------------------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write everything needed to go on, and the nets."""
        import numpy as np

        arrays: dict[str, Any] = {"rolling": self.rolling, "curve": np.array(self.curve)}
        for net, student in enumerate(self.students):
            arrays |= {f"student{net}.{n}": array for n, array in enumerate(student.arrays())}
            for n, (inputs, targets) in enumerate(self.memory[net]):
                arrays |= {f"inputs{net}.{n}": inputs, f"targets{net}.{n}": targets}
        arrays["steps"] = np.array([student.steps for student in self.students])
        arrays["facts"] = np.array([self.seed, self.terms, self.term])
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / "partial.npz"
        np.savez(partial, **arrays)
        partial.replace(folder / "checkpoint.npz")
        nets.save(folder / f"{self.game.key}.net", self.game.key, self.nets())

    @classmethod
    def resume(cls, game: Game, folder: Path) -> Training:
        """Go on from a checkpoint; raises ``OSError`` or ``ValueError`` if there is none that can be used."""
        import numpy as np

        with (folder / "checkpoint.npz").open("rb") as file, np.load(file) as arrays:
            seed, terms, term = arrays["facts"].tolist()
            training = cls(game, seed, terms)
            training.term = term
            training.rolling = arrays["rolling"]
            training.curve = [Progress(int(row[0]), float(row[1]), float(row[2])) for row in arrays["curve"]]
            for net, student in enumerate(training.students):
                student.steps = int(arrays["steps"][net])
                for n, array in enumerate(student.arrays()):
                    array[...] = arrays[f"student{net}.{n}"]
                kept = sum(name.startswith(f"inputs{net}.") for name in arrays.files)
                training.memory[net] = [(arrays[f"inputs{net}.{n}"], arrays[f"targets{net}.{n}"]) for n in range(kept)]
        return training
