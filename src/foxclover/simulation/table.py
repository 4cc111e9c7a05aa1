"""What came of games as a table: a row for each game and seat, written to and read from data files.

Columns: ``game``, ``seed``, ``run`` (which of several compared agents, or which order of seats), ``number`` (of the game: with the seed it
fixes the dice), ``seat`` (from 1), ``player`` (from 1, as named on the command line), ``agent``, ``points``, ``place``, ``rounds``, then
``points_NAME`` for each part of the score and what else is counted.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from foxclover.simulation.outcome import Outcome

    Rows = dict[str, np.ndarray[Any, Any]]

KEY = ("seed", "run", "number", "seat")
WORDS = ("game", "agent")  # columns that hold no numbers
KINDS = (".csv", ".parquet", ".npz")


class RowsError(ValueError):
    """A file of rows that cannot be read, written or merged."""


def to_rows(outcome: Outcome, run: int = 0, players: Sequence[int] | None = None) -> Rows:
    """The table of some games; ``players`` tells who sat where, counted from 0."""
    games, seats = outcome.scores.shape
    columns: Rows = {
        "game": np.full(games * seats, outcome.game.key),
        "seed": np.full(games * seats, outcome.seed, np.int64),
        "run": np.full(games * seats, run, np.int32),
        "number": np.repeat(outcome.numbers, seats),
        "seat": np.tile(np.arange(1, seats + 1, dtype=np.int32), games),
        "player": np.tile(1 + np.asarray(players or range(seats), np.int32), games),
        "agent": np.tile(outcome.seats, games),
        "points": outcome.scores.ravel(),
        "place": outcome.places.ravel(),
        "rounds": np.repeat(outcome.rounds, seats),
    }
    columns |= {f"points_{name}": values.ravel() for name, values in outcome.parts.items()}
    return columns | {name: values.ravel() for name, values in outcome.tallies.items()}


def join(tables: Sequence[Rows]) -> Rows:
    """Tables of the same games and columns as one, in the order of the games; raises ``RowsError`` for what does not fit together."""
    first = tables[0]
    for table in tables:
        if list(table) != list(first):
            raise RowsError("they have different columns")
    joined = {name: np.concatenate([table[name] for table in tables]) for name in first}
    if len(set(joined["game"].tolist())) > 1:
        raise RowsError("they are of different games")
    order = np.lexsort([joined[name] for name in reversed(KEY)])
    joined = {name: values[order] for name, values in joined.items()}
    same = np.logical_and.reduce([joined[name][1:] == joined[name][:-1] for name in KEY])
    if same.any():
        twice = int(joined["number"][1:][same][0])
        raise RowsError(f"game {twice} of seed {int(joined['seed'][1:][same][0])} is there twice")
    return joined


def kind_of(path: Path) -> str:
    """What kind of file a name asks for; raises ``RowsError`` for another one, or where what writes it is not installed."""
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise RowsError(f"the name must end in {', '.join(KINDS)}")
    if kind == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401 - only asked whether it is there
        except ImportError:
            raise RowsError("for .parquet install pyarrow: pip install 'foxclover[data]'") from None
    return kind


def write(path: Path, rows: Rows) -> None:
    """Write a table; raises ``RowsError`` or ``OSError``."""
    kind = kind_of(path)
    if kind == ".npz":
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **rows)
    elif kind == ".parquet":
        import pyarrow as pa
        from pyarrow import parquet

        parquet.write_table(
            pa.table(
                {
                    name: values.tolist() if name in WORDS else values
                    for name, values in rows.items()
                }
            ),
            path,
        )
    else:
        with path.open("w", newline="", encoding="utf-8") as text:
            table = csv.writer(text)
            table.writerow(rows)
            table.writerows(zip(*(values.tolist() for values in rows.values()), strict=True))


def read(path: Path) -> Rows:
    """Read a table; raises ``RowsError`` or ``OSError``."""
    try:
        rows = _read(path, kind_of(path))
    except (RowsError, OSError):
        raise
    except Exception:
        raise RowsError("it holds no games") from None
    if not {*KEY, *WORDS, "player", "points", "place"} <= rows.keys() or not rows["points"].size:
        raise RowsError("it holds no games")
    return rows


def _read(path: Path, kind: str) -> Rows:
    if kind == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    if kind == ".parquet":
        from pyarrow import parquet

        table = parquet.read_table(path)
        return {name: np.asarray(table[name].to_pylist()) for name in table.column_names}
    with path.open(newline="", encoding="utf-8") as text:
        names, *lines = csv.reader(text)
        columns = zip(*lines, strict=True)
        return {
            name: np.asarray(values) if name in WORDS else np.asarray(values).astype(np.int64)
            for name, values in zip(names, columns, strict=True)
        }
