"""The games that an earlier run of ``foxclover simulate`` left, and the rest to play."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from foxclover.cli.arguments import file_errors
from foxclover.cli.parser import UserError
from foxclover.core.game import Game
from foxclover.core.setup import Setup
from foxclover.locale import Translator
from foxclover.simulation import table
from foxclover.simulation.table import LineUp, Table


class Plan(NamedTuple):
    """The games of a run: all numbers for each line-up, whose players count from 0."""

    game: Game
    line_ups: Sequence[LineUp]
    setup: Setup
    numbers: range


def find_left(plan: Plan, args: Namespace, translate: Translator) -> Table | None:
    """Return the games of the file of results, or of its draft if that has more.

    Raises before any file changes unless all of them are games of the plan. The draft then gets the
    name of the file, because the run writes a new one.
    """
    files = (args.results, table.draft_of(args.results))
    found = [(file, rows) for file in files if (rows := _read(file, args, translate))]
    for file, rows in found:
        _check(file, rows, plan, args, translate)
    if not found:
        return None
    file, rows = max(found, key=lambda one: games_of(one[1]))
    if file != args.results:
        with file_errors("write", args.results, translate):
            file.replace(args.results)
    return rows


def _read(file: Path, args: Namespace, translate: Translator) -> Table | None:
    if not file.exists():
        return None
    try:
        with file_errors("read", file, translate):
            return table.read_left(file, table.kind_of(args.results))
    except table.TableError as error:
        if file != args.results:
            return None  # no whole game yet, or a kind that is not readable without its end
        raise UserError(translate("cli.error.read", file=file, why=error)) from None


def _check(file: Path, rows: Table, plan: Plan, args: Namespace, translate: Translator) -> None:
    """Raise unless all games of a file belong to a plan; use its seed if no other is named."""

    def refuse(found: object, wanted: object) -> NoReturn:
        raise UserError(translate("cli.simulate.other", file=file, found=found, wanted=wanted))

    seeds = table.seeds_of(rows)
    args.seed = seeds if args.seed is None else args.seed
    columns = table.result_columns(plan.game, len(plan.line_ups[0].order), plan.setup)
    for name, wanted, found in (
        ("game", plan.game.key, _values(rows, "game")),
        ("variant", plan.game.pack(plan.setup), _values(rows, "variant")),
        ("seed", args.seed, seeds),
        ("columns", ", ".join(columns), ", ".join(list(rows)[-len(columns) :])),
    ):
        if found != wanted:
            refuse(f"{name} {found}", wanted)
    try:
        table.split_by_agents(table.join([rows]))
        line_ups = {
            run: table.find_line_up(table.select(rows, rows["run"] == run))
            for run in sorted(set(rows["run"].tolist()))
        }
    except table.TableError as error:
        raise UserError(translate("cli.error.read", file=file, why=error)) from None
    for run, (agents, order) in line_ups.items():
        planned = plan.line_ups[min(run, len(plan.line_ups) - 1)]
        if (agents, order) != (planned.agents, tuple(player + 1 for player in planned.order)):
            refuse(",".join(agents), ",".join(planned.agents))
    first, last = int(rows["number"].min()), int(rows["number"].max())
    if first not in plan.numbers or last not in plan.numbers:
        wanted = f"{plan.numbers[0]}–{plan.numbers[-1]} (--start, --games)"
        refuse(f"{first}–{last}", wanted)


def _values(rows: Table, name: str) -> object:
    values = sorted(set(rows[name].tolist()))
    return values[0] if len(values) == 1 else values


def games_of(rows: Table | None) -> int:
    """Return how many games a table has."""
    return int((rows["seat"] == 1).sum()) if rows else 0


def missing(rows: Table | None, run: int, numbers: range) -> Iterator[range]:
    """Yield the numbers of the games of a run that a table lacks, without gaps."""
    if not rows:
        yield numbers
        return
    lacking = np.setdiff1d(np.asarray(numbers), rows["number"][rows["run"] == run])
    for part in np.split(lacking, np.flatnonzero(np.diff(lacking) != 1) + 1):
        if len(part):
            yield range(int(part[0]), int(part[-1]) + 1)
