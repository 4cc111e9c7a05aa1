"""Datasets of whole games for offline learning: one Parquet file, or a folder for Minari.

Games are stepped again by their moves, many at once, for what each seat observes. The value of an
action is the net's rating of the move: the final points that it expects after it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from foxclover import __version__
from foxclover.ai.nets import make_thinker, net_of
from foxclover.core.game import Game
from foxclover.core.rules import CHANCE
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.envs import env_id
from foxclover.simulation.table import draft_of
from foxclover.simulation.vector_game import Array, VectorGame
from foxclover.simulation.workers import Moves

PARQUET = ".parquet"
TOGETHER = 64  # games stepped side by side
SEED = (1, 2, 3, 4)  # of cards that ratings draw
ROWS = 1 << 16  # decisions of a row group of Parquet, at least


class Episode(NamedTuple):
    """The decisions of a seat in a game: arrays with a row for each, but one more observation."""

    number: int  # of the game
    seat: int
    observations: Array  # the last one is that of the final position
    masks: Array
    actions: Array
    rewards: Array  # points gained up to the next decision, or to the end
    values: Array
    points: int  # final


class Trajectories:
    """Steps games again by their moves."""

    def __init__(self, game: Game, players: int, setup: Setup) -> None:
        self.games = VectorGame(game, TOGETHER, [""] * players, "gains", setup=setup)
        self.players = players
        self.instance, self.tables, self.workspace = make_thinker(game, net_of(game))
        self.workspace.rate_all = 1
        candidates = self.workspace.candidates
        self.here, self.rng = np.asarray(self.workspace.here), np.asarray(self.workspace.choice_rng)
        self.moves, self.ratings = np.asarray(candidates.moves), np.asarray(candidates.ratings)
        candidates.count = 1
        prepare = self.instance.prepare
        self.rate = [prepare("rate", self.tables, self.workspace, seat) for seat in range(players)]

    def episodes(self, seed: int, played: Sequence[tuple[int, Moves]]) -> Iterator[Episode]:
        """Yield the episodes of up to ``TOGETHER`` games, given by number and moves."""
        games, count = self.games, len(played)
        logs = [[move for move in moves if move[0] != CHANCE] for _, moves in played]
        lengths = np.zeros(TOGETHER, np.int64)
        lengths[:count] = [len(log) for log in logs]
        chosen = np.zeros((int(lengths.max()), TOGETHER), np.int64)
        numbers = np.zeros(TOGETHER, np.int64)
        numbers[:count] = [number for number, _ in played]
        for at, log in enumerate(logs):
            chosen[: len(log), at] = [games.stepper.actions[number] for _, number in log]
        games.begin(np.full(TOGETHER, seed), numbers)
        seen = [(games.observations.copy(), games.masks.copy(), np.asarray(games.states).copy())]
        gained = []
        for step, actions in enumerate(chosen):
            games.waits[:] = lengths <= step
            games.step(actions)
            gained.append(games.rewards.copy())
            seen.append(
                (games.observations.copy(), games.masks.copy(), np.asarray(games.states).copy())
            )
        observed, masks, states = (np.array(values) for values in zip(*seen, strict=True))
        for at, log in enumerate(logs):
            values = self._values(states[:, at], log)
            gains = np.array([rewards[at] for rewards in gained[: len(log)]])
            for seat in range(self.players):
                mine = [step for step, (who, _) in enumerate(log) if who == seat]
                total = np.vstack([np.zeros(self.players), np.cumsum(gains, axis=0)])[:, seat]
                last = self._last(at, seat)
                yield Episode(
                    int(numbers[at]),
                    seat,
                    np.vstack([observed[mine, at], last]),
                    masks[mine, at],
                    chosen[mine, at],
                    np.diff(total[[*mine, len(log)]]).astype(np.float32),
                    values[mine],
                    int(games.episodes.points[at, seat]),
                )

    def _values(self, states: Array, log: Moves) -> Array:
        """Return the net's ratings of the moves of a game, in order: rounds are solved once."""
        found = np.zeros(len(log), np.float32)
        for step, (seat, number) in enumerate(log):
            self.here[...], self.moves[0], self.rng[:] = states[step], number, SEED
            self.rate[seat]()
            found[step] = self.ratings[0]
        return found

    def _last(self, at: int, seat: int) -> Array:
        """Return what a seat observes at the end."""
        games = self.games
        _, states, _, written, inputs = games.buffers
        games.instance.call(
            "observe_seat",
            games.tables,
            games.stepper,
            games.workspace,
            states[at],
            seat,
            written[at],
            inputs[at],
        )
        last: Array = games.observations[at].copy()
        return last


class Source(NamedTuple):
    """What the games of a run have in common."""

    agents: Sequence[str]  # by seat
    seed: int
    run: int  # the index of the line-up, as in results


class ParquetWriter:
    """Writes a row for each decision, in row groups."""

    def __init__(self, path: Path, games: VectorGame) -> None:
        from pyarrow import parquet

        self.path, self.draft, self.games = path, draft_of(path), games
        self.schema = self._schema()
        self.file = parquet.ParquetWriter(self.draft, self.schema, compression="zstd")
        self.tables, self.rows = list[Any](), 0

    def _schema(self) -> Any:
        """Return the columns, with the names of observations and actions in their metadata."""
        import pyarrow as pa

        games = self.games
        described = {
            "foxclover": __version__,
            "game": games.game.key,
            "variant": games.game.pack(games.setup),
            "observation": games.features.names,
            "actions": [action.text for action in games.actions],
        }
        numbers = pa.from_numpy_dtype(games.observations.dtype)
        return pa.schema(
            [
                ("seed", pa.int64()),
                ("number", pa.int64()),
                ("run", pa.int16()),
                ("agent", pa.dictionary(pa.int32(), pa.string())),
                ("seat", pa.int8()),
                ("step", pa.int16()),
                ("observation", pa.list_(numbers, len(games.features.names))),
                ("action_mask", pa.list_(pa.bool_(), len(games.actions))),
                ("action", pa.int16()),
                ("reward", pa.float32()),
                ("value", pa.float32()),
                ("terminated", pa.bool_()),
            ],
            {name: json.dumps(value) for name, value in described.items()},
        )

    def write(self, source: Source, episodes: Iterable[Episode]) -> None:
        """Add episodes."""
        import pyarrow as pa

        for episode in episodes:
            count = len(episode.actions)
            columns = [
                np.full(count, source.seed),
                np.full(count, episode.number),
                np.full(count, source.run, np.int16),
                pa.array([source.agents[episode.seat]] * count).dictionary_encode(),
                np.full(count, episode.seat + 1, np.int8),
                np.arange(count, dtype=np.int16),
                pa.FixedSizeListArray.from_arrays(
                    episode.observations[:-1].reshape(-1), episode.observations.shape[1]
                ),
                pa.FixedSizeListArray.from_arrays(
                    episode.masks.reshape(-1) > 0, episode.masks.shape[1]
                ),
                episode.actions.astype(np.int16),
                episode.rewards,
                episode.values,
                np.arange(count) == count - 1,
            ]
            self.tables.append(pa.table(columns, schema=self.schema))
            self.rows += count
        if self.rows >= ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self.tables:
            self.file.write_table(pa.concat_tables(self.tables))
        self.tables, self.rows = [], 0

    def close(self) -> None:
        """Write what is left, and give the file its name."""
        self._flush()
        self.file.close()
        self.draft.replace(self.path)


class MinariWriter:
    """Writes a Minari dataset, by Minari itself."""

    def __init__(self, path: Path, games: VectorGame) -> None:
        import gymnasium
        from minari.dataset.minari_storage import MinariStorage

        from foxclover.envs.gym import observation_space

        spec = None
        if games.players == 1 and games.setup == DEFAULT_SETUP:
            name = env_id(games.game.key)
            spec = gymnasium.make(name, reward="gains").spec if name in gymnasium.registry else None
        path = path.absolute()  # Minari cannot measure relative paths
        path.mkdir()
        self.storage = MinariStorage.new(
            path / "data",
            observation_space(games),
            gymnasium.spaces.Discrete(len(games.actions)),
            spec,
            "hdf5",
        )
        self.path, self.agents = path, dict[str, None]()

    def write(self, source: Source, episodes: Iterable[Episode]) -> None:
        """Add episodes."""
        from minari.data_collector.episode_buffer import EpisodeBuffer

        self.agents |= dict.fromkeys(source.agents)
        self.storage.update_episodes(
            EpisodeBuffer(
                seed=source.seed,
                options={
                    "number": episode.number,
                    "run": source.run,
                    "seat": episode.seat + 1,
                    "agent": source.agents[episode.seat],
                },
                observations={
                    "observation": episode.observations,
                    "action_mask": np.vstack([episode.masks, np.zeros_like(episode.masks[:1])]),
                },
                actions=episode.actions,
                rewards=episode.rewards,
                terminations=np.arange(len(episode.actions)) == len(episode.actions) - 1,
                truncations=np.zeros(len(episode.actions), np.bool_),
                infos={"value": np.append(episode.values, np.float32(episode.points))},
            )
            for episode in episodes
        )

    def close(self) -> None:
        """Write what the dataset is called, and who played."""
        self.storage.update_metadata(
            {
                "dataset_id": self.path.name,
                "algorithm_name": ", ".join(self.agents),
                "minari_version": version("minari"),
            }
        )


class Dataset:
    """Receives the moves of games from any thread, and writes their episodes in order."""

    def __init__(self, path: Path, game: Game, players: int, setup: Setup) -> None:
        self.trajectories = Trajectories(game, players, setup)
        kind = ParquetWriter if path.suffix.lower() == PARQUET else MinariWriter
        self.writer: ParquetWriter | MinariWriter = kind(path, self.trajectories.games)
        self.lock = threading.Lock()
        self.begin((), 0, 0, 0)

    def begin(self, agents: Sequence[str], seed: int, run: int, first: int) -> None:
        """Expect games of a run from a number on."""
        self.source, self.next = Source(agents, seed, run), first
        self.waiting = dict[int, Moves]()

    def add(self, number: int, moves: Moves) -> None:
        """Add the moves of a game; write those without a gap before them, many at once."""
        with self.lock:
            self.waiting[number] = moves
            while len(self.waiting) >= TOGETHER and self._write(TOGETHER):
                pass

    def finish(self) -> None:
        """Write the other games, up to the first gap."""
        while self._write(1):
            pass

    def close(self) -> None:
        """Finish the file."""
        self.writer.close()

    def _write(self, least: int) -> bool:
        """Write the next games, unless there are too few."""
        count = 0
        while count < TOGETHER and self.next + count in self.waiting:
            count += 1
        if count < least:
            return False
        numbers = range(self.next, self.next + count)
        played = [(number, self.waiting.pop(number)) for number in numbers]
        self.next += count
        self.writer.write(self.source, self.trajectories.episodes(self.source.seed, played))
        return True
