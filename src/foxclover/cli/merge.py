"""``foxclover merge``: files that ``simulate --out`` has written, put together and told as one."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.cli import results, statistics
from foxclover.cli.arguments import add_json
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.game import UnknownGame, game
from foxclover.locale import Say

if TYPE_CHECKING:
    from foxclover.simulation.rows import Rows


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("merge", run)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=say("cli.merge.files"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=say("cli.merge.out"))
    results.add_pictures(parser)
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Put the files together."""
    from foxclover.simulation import rows

    results.check_files(args, say)
    tables = []
    for file in args.files:
        try:
            tables.append(rows.read(file))
        except (OSError, rows.RowsError) as error:
            raise UserError(
                say("cli.error.read", file=file, why=getattr(error, "strerror", None) or error)
            ) from None
    try:
        joined = rows.join(tables)
        played = game(str(joined["game"][0]))
    except (rows.RowsError, UnknownGame) as error:
        raise UserError(say("cli.merge.unlike", problem=error)) from None
    if args.out:
        results.write_rows(args.out, [joined], say)
    runs = [_of_run(joined, number) for number in sorted(set(joined["run"].tolist()))]
    if any(len(set(one["agent"].tolist())) > 1 for one in runs):
        results.show_table(played, joined, args, say)
    else:
        scores = {
            str(one["agent"][0]): one["points"].reshape(-1, int(one["seat"].max())) for one in runs
        }
        results.show(
            played,
            [_figures(one, scores[str(one["agent"][0])]) for one in runs],
            [],
            scores,
            args,
            say,
        )
    return 0


def _of_run(rows: Rows, number: int) -> Rows:
    return {name: values[rows["run"] == number] for name, values in rows.items()}


def _figures(rows: Rows, scores: Any) -> dict[str, Any]:
    """The figures of one agent, as ``simulate`` tells them."""
    head = {
        "game": str(rows["game"][0]),
        "agent": str(rows["agent"][0]),
        "players": scores.shape[1],
        "games": len(scores),
    }
    areas = {
        name.removeprefix("points_"): float(values.mean())
        for name, values in rows.items()
        if name.startswith("points_")
    }
    areas.pop("foxes", None)
    foxes = {"foxes": float(rows["foxes"].mean())} if "foxes" in rows else {}
    return {
        **head,
        "seed": int(rows["seed"][0]),
        **statistics.describe(scores),
        "areas": areas,
        **foxes,
    }
