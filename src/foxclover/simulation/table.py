"""Results of games as a table, in memory and in files: a row for each game and seat.

The columns are

- ``game``, ``variant`` (options and start player, as a number), ``seed``
- ``run`` (which of several compared agents, or which order of seats)
- ``number`` (of the game: with the seed it determines the dice)
- ``seat`` (from 1), ``player`` (from 1, as named on the command line), ``agent``
- ``points``, ``place``, ``rounds``, ``points_NAME`` for each part of the score, and other counts
"""

from __future__ import annotations

import csv
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from foxclover.core.game import Game
    from foxclover.core.setup import Setup
    from foxclover.simulation.batch import Outcome

Array = np.ndarray[Any, np.dtype[Any]]
Table = dict[str, Array]
KEY = ("seed", "run", "number", "seat")
WORDS = ("game", "agent")  # columns that hold no numbers
KINDS = (".csv", ".parquet", ".npz")
PIECE = 1 << 16  # rows written at once: no more are copied in memory


def standard_error(values: Array) -> float:
    """Return the standard error of a mean, 0 for a single value."""
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0


class TableError(ValueError):
    """A table that cannot be read, written or merged."""


def to_table(outcome: Outcome, run: int = 0, players: Sequence[int] | None = None) -> Table:
    """Return the table of some games; ``players`` are the players of the seats, from 0."""
    games, seats = outcome.scores.shape
    columns: Table = {
        "game": np.full(games * seats, outcome.game.key, object),
        "variant": np.full(games * seats, outcome.game.pack(outcome.setup), np.int64),
        "seed": np.full(games * seats, outcome.seed, np.int64),
        "run": np.full(games * seats, run, np.int32),
        "number": np.repeat(outcome.numbers, seats),
        "seat": np.tile(np.arange(1, seats + 1, dtype=np.int32), games),
        "player": np.tile(1 + np.asarray(players or range(seats), np.int32), games),
        "agent": np.tile(np.asarray(outcome.seats, object), games),
        "points": outcome.scores.ravel(),
        "place": outcome.places.ravel(),
        "rounds": np.repeat(outcome.rounds, seats),
    }
    columns |= {f"points_{name}": values.ravel() for name, values in outcome.parts.items()}
    return columns | {name: values.ravel() for name, values in outcome.tallies.items()}


def result_columns(game: Game, seats: int, setup: Setup) -> list[str]:
    """Return the names of the columns that depend on the game."""
    blank = game.start_with(seats, setup).state
    parts = game.scoring.breakdown(game.definition, blank, 0)
    return [*(f"points_{name}" for name in parts), *game.scoring.TALLIES]


def merge(tables: Sequence[Table]) -> Table:
    """Merge the tables of several files.

    Runs of the same agents on the same seats get the same number.
    """
    runs: dict[LineUp, int] = {}
    merged = []
    for table in tables:
        numbers = np.zeros(len(table["run"]), np.int32)
        for run in sorted(set(table["run"].tolist())):
            mine = table["run"] == run
            numbers[mine] = runs.setdefault(find_line_up(select(table, mine)), len(runs))
        merged.append({**table, "run": numbers})
    return join(merged)


class LineUp(NamedTuple):
    """The players of a run."""

    agents: tuple[str, ...]  # of each player, as named on the command line
    order: tuple[int, ...]  # the player on each seat


def find_line_up(run: Table) -> LineUp:
    """Return the players of a run; raises ``TableError`` if they change between games."""
    agents, order = dict[int, str](), []
    for seat in range(1, int(run["seat"].max()) + 1):
        here = run["seat"] == seat
        found = set(zip(run["player"][here].tolist(), run["agent"][here].tolist(), strict=True))
        if len(found) != 1:
            raise TableError(f"in run {int(run['run'][0])} not one agent has played on seat {seat}")
        player, agent = found.pop()
        order.append(player)
        agents[player] = str(agent)
    return LineUp(tuple(agents[player] for player in sorted(agents)), tuple(order))


def split_by_agents(table: Table) -> dict[tuple[str, ...], Table]:
    """Split a merged table by its players, in the order of the runs.

    Raises ``TableError`` for games without some of their seats.
    """
    found: dict[tuple[str, ...], list[int]] = {}
    for run in sorted(set(table["run"].tolist())):
        part = select(table, table["run"] == run)
        players = find_line_up(part)
        seats = len(players.order)
        if (
            len(part["seat"]) % seats
            or (part["seat"].reshape(-1, seats) != np.arange(1, seats + 1)).any()
        ):
            raise TableError(f"not all {seats} seats of every game are there")
        found.setdefault(players.agents, []).append(run)
    return {agents: select(table, np.isin(table["run"], runs)) for agents, runs in found.items()}


def select(table: Table, chosen: Any) -> Table:
    """Return some of the rows."""
    return {name: values[chosen] for name, values in table.items()}


def on_equal_dice(first: Table, second: Table) -> tuple[Table, Table]:
    """Return the games of two tables with the same dice, in the same order."""
    names = ("seed", "number", "seat")
    keys = [
        np.rec.fromarrays(
            [table[name] for name in names], dtype=[(name, np.int64) for name in names]
        )
        for table in (first, second)
    ]
    _, *rows = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    return select(first, rows[0]), select(second, rows[1])


def join(tables: Sequence[Table]) -> Table:
    """Join tables of one game and the same columns, sorted by game.

    Raises ``TableError`` if they do not fit together.
    """
    first = tables[0]
    for table in tables:
        if list(table) != list(first):
            raise TableError("they have different columns")
    joined = {name: np.concatenate([table[name] for table in tables]) for name in first}
    if len(set(joined["game"].tolist())) > 1:
        raise TableError("they are of different games")
    if len(set(joined.get("variant", np.zeros(1)).tolist())) > 1:
        raise TableError("they are of different variants")
    order = np.lexsort([joined[name] for name in reversed(KEY)])
    joined = {name: values[order] for name, values in joined.items()}
    same = np.logical_and.reduce([joined[name][1:] == joined[name][:-1] for name in KEY])
    if same.any():
        twice = int(joined["number"][1:][same][0])
        raise TableError(f"game {twice} of seed {int(joined['seed'][1:][same][0])} is there twice")
    return joined


def kind_of(path: Path) -> str:
    """Return the kind of a file by its name.

    Raises ``TableError`` for an unknown kind, ``ModuleNotFoundError`` if it needs another package.
    """
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise TableError(f"the name must end in {', '.join(KINDS)}")
    if kind == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401 - raises if it is missing
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                "for .parquet install pyarrow: pip install 'foxclover[data]'", name="pyarrow"
            ) from None
    return kind


def draft_of(path: Path) -> Path:
    """Return where the rows of a file are until all of them are written."""
    return path.with_name(f"{path.name}.part")


def read(path: Path) -> Table:
    """Read a table; raises ``TableError`` or ``OSError``."""
    return _read(path, kind_of(path), cut=False)


def read_left(path: Path, kind: str) -> Table:
    """Read the whole games of a file whose run broke off; raises ``TableError`` or ``OSError``.

    A broken last line and a last game without all its seats are left out.
    """
    table = _read(path, kind, cut=True)
    seats = int(table["seat"].max())
    last = len(table["seat"]) - int(table["seat"][-1])
    return table if table["seat"][-1] == seats else select(table, slice(last))


def _read(path: Path, kind: str, cut: bool) -> Table:
    try:
        table = _read_csv(path, cut) if kind == ".csv" else _read_binary(path, kind)
    except (TableError, OSError):
        raise
    except Exception:
        raise TableError("it holds no games") from None
    if not {*KEY, *WORDS, "player", "points", "place"} <= table.keys() or not table["points"].size:
        raise TableError("it holds no games")
    return table


def _read_binary(path: Path, kind: str) -> Table:
    if kind == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    from pyarrow import parquet

    table = parquet.read_table(path)
    return {
        name: np.asarray(table[name].to_pylist()) if name in WORDS else table[name].to_numpy()
        for name in table.column_names
    }


def _read_csv(path: Path, cut: bool) -> Table:
    with path.open(newline="", encoding="utf-8") as text:
        names, *lines = csv.reader(line for line in text if line.endswith("\n") or not cut)
    for number, line in enumerate(lines, start=2):
        if len(line) != len(names) and set(KEY) <= set(names):
            raise TableError(f"line {number} has {len(line)} entries instead of {len(names)}")
    columns = zip(*lines, strict=True)
    return {
        name: np.asarray(values) if name in WORDS else np.asarray(values).astype(np.int64)
        for name, values in zip(names, columns, strict=True)
    }


def seeds_of(table: Table) -> int | list[int]:
    """Return the seed of some games, or a list of seeds."""
    seeds = sorted(set(table["seed"].tolist()))
    return int(seeds[0]) if len(seeds) == 1 else [int(seed) for seed in seeds]


def summarise(table: Table) -> dict[str, Any]:
    """Return the share of wins (shared wins count in parts) and mean score of each player."""
    players = int(table["player"].max())
    first = (table["place"] == 1).reshape(-1, players)
    wins = (first / first.sum(axis=1, keepdims=True)).ravel()
    keys = np.stack([table["seed"], table["number"]], axis=1)
    _, deal = np.unique(keys, axis=0, return_inverse=True)
    deals = int(deal.max()) + 1
    seats = []
    for player in range(1, players + 1):
        mine = table["player"] == player
        played = np.bincount(deal[mine], minlength=deals)
        # The games of one deal share their dice, so the error is that of the deals.
        shares, points = (
            (np.bincount(deal[mine], values[mine], deals) / np.maximum(played, 1))[played > 0]
            for values in (wins, table["points"])
        )
        seats.append(
            {
                "agent": str(table["agent"][mine][0]),
                "wins": float(shares.mean()),
                "se": standard_error(shares),
                "mean": float(table["points"][mine].mean()),
                "mean_se": standard_error(points),
            }
        )
    return {
        "game": str(table["game"][0]),
        "players": players,
        "games": len(table["points"]) // players,
        "seed": seeds_of(table),
        "seats": seats,
    }


class CsvWriter:
    """Writes text; after a crash, all rows written so far are readable."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w", newline="", encoding="utf-8")
        self.csv = csv.writer(self.file)

    def write(self, table: Table) -> None:
        """Add rows."""
        if not self.file.tell():
            self.csv.writerow(table)
        self.csv.writerows(zip(*(values.tolist() for values in table.values()), strict=True))
        self.file.flush()

    def close(self) -> None:
        """Write what is left."""
        self.file.close()


class ParquetWriter:
    """Writes a row group for each piece."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: Any = None

    def write(self, table: Table) -> None:
        """Add rows."""
        import pyarrow as pa
        from pyarrow import parquet

        rows = pa.table(
            {name: values.tolist() if name in WORDS else values for name, values in table.items()}
        )
        self.file = self.file or parquet.ParquetWriter(self.path, rows.schema)
        self.file.write_table(rows)

    def close(self) -> None:
        """Write what is left."""
        if self.file:
            self.file.close()


class NpzWriter:
    """Collects columns in temporary files, since the header of an array contains its length."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns: dict[str, Column] = {}

    def write(self, table: Table) -> None:
        """Add rows."""
        for name, values in table.items():
            numbers = np.asarray(values.tolist(), str) if name in WORDS else values
            if name not in self.columns:
                self.columns[name] = Column(numbers.dtype)
            self.columns[name].add(numbers)

    def close(self) -> None:
        """Write the columns into one file, as ``numpy.savez_compressed`` does."""
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, column in self.columns.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    column.copy_to(entry)


class Column:
    """The values of one column."""

    def __init__(self, kind: np.dtype[Any]) -> None:
        self.kind, self.count = kind, 0
        self.file = _temporary_file()

    def add(self, values: Array) -> None:
        """Add values; longer words widen the column."""
        if values.dtype.itemsize > self.kind.itemsize:
            self._widen(values.dtype)
        self.file.write(values.astype(self.kind).tobytes())
        self.count += len(values)

    def _widen(self, kind: np.dtype[Any]) -> None:
        with self.file as old:
            self.file = _temporary_file()
            old.seek(0)
            while piece := old.read(PIECE * self.kind.itemsize):
                self.file.write(np.frombuffer(piece, self.kind).astype(kind).tobytes())
        self.kind = kind

    def copy_to(self, entry: IO[bytes]) -> None:
        """Write the column in numpy's format."""
        descr = np.lib.format.dtype_to_descr(self.kind)
        np.lib.format.write_array_header_1_0(
            entry, {"descr": descr, "fortran_order": False, "shape": (self.count,)}
        )
        with self.file as file:
            file.seek(0)
            shutil.copyfileobj(file, entry)


def _temporary_file() -> IO[bytes]:
    return tempfile.TemporaryFile()


Writer = CsvWriter | ParquetWriter | NpzWriter
WRITERS: dict[str, type[Writer]] = {
    ".csv": CsvWriter,
    ".parquet": ParquetWriter,
    ".npz": NpzWriter,
}


class TableFile:
    """A file written piece by piece, under another name until it is complete.

    An error, like a full disk, is raised by ``close``, so that games can be played to the end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.draft = draft_of(path)
        self.writer: Writer | None = None
        self.problem: OSError | None = None

    def write(self, table: Table) -> None:
        """Add rows, unless an earlier call failed."""
        if self.problem:
            return
        try:
            self.writer = self.writer or WRITERS[kind_of(self.path)](self.draft)
            for start in range(0, len(table["points"]), PIECE):
                self.writer.write(select(table, slice(start, start + PIECE)))
        except OSError as error:
            self.problem = error

    def close(self) -> None:
        """Finish the file and give it its name, if it has rows; raises ``OSError``."""
        try:
            if self.writer:
                self.writer.close()
        except OSError as error:
            self.problem = self.problem or error
        if self.problem:
            raise self.problem
        if self.writer:
            self.draft.replace(self.path)


def write(path: Path, table: Table) -> None:
    """Write a whole table; raises ``TableError`` or ``OSError``."""
    file = TableFile(path)
    file.write(table)
    file.close()
