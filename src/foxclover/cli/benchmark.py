"""``foxclover benchmark``: measure an agent by the protocol, and check results of others."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.benchmark import GAMES, SEEDS, Task, UnknownTask, budget, find_task, tasks
from foxclover.cli.arguments import add_json, file_errors, number, print_json
from foxclover.cli.output import Progress
from foxclover.cli.parser import BAD_FILE, USER_ERROR, Halted, Parser, UserError
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    from foxclover.benchmark.results import Result

OBSERVATIONS = ("position", "features", "inputs", "text")
SECONDS = 60


def add_benchmark(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("agent", metavar="AGENT", nargs="?", help=translate("cli.benchmark.agent"))
    parser.add_argument(
        "--task",
        metavar="T",
        default=tasks()[0].name,
        help=translate("cli.benchmark.task", tasks=", ".join(task.name for task in tasks())),
    )
    parser.add_argument(
        "--games",
        type=number(translate, 1, GAMES),
        default=GAMES,
        metavar="N",
        help=translate("cli.benchmark.games"),
    )
    parser.add_argument(
        "--set", choices=SEEDS, default="report", help=translate("cli.benchmark.set")
    )
    parser.add_argument(
        "--seconds",
        type=number(translate, 1),
        default=SECONDS,
        metavar="S",
        help=translate("cli.benchmark.seconds"),
    )
    parser.add_argument(
        "--observation",
        choices=OBSERVATIONS,
        default=OBSERVATIONS[0],
        help=translate("cli.benchmark.observation"),
    )
    parser.add_argument(
        "--steps", type=number(translate, 0), metavar="N", help=translate("cli.benchmark.steps")
    )
    parser.add_argument(
        "--workers",
        type=number(translate, 1),
        default=1,
        metavar="W",
        help=translate("cli.benchmark.workers"),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=translate("cli.benchmark.out"))
    parser.add_argument("--force", action="store_true", help=translate("cli.benchmark.force"))
    parser.add_argument("--check", type=Path, metavar="FILE", help=translate("cli.benchmark.check"))
    add_json(parser)


def run_benchmark(args: Namespace, translate: Translator) -> int:
    """Play a task and write the result, or check one."""
    if args.check:
        return _check(args, translate)
    if not args.agent:
        raise UserError(translate("cli.benchmark.no_agent"))
    try:
        task = find_task(args.task)
    except UnknownTask:
        names = ", ".join(task.name for task in tasks())
        raise UserError(translate("cli.benchmark.no_task", text=args.task, tasks=names)) from None
    from foxclover.benchmark import results

    path = args.out or Path(f"{task.name}-{re.sub(r'[^A-Za-z0-9._-]+', '-', args.agent)}.json")
    if path.exists() and not args.force:
        raise UserError(translate("cli.simulate.exists", file=path))
    with Progress(_total(task, args.games), translate("cli.simulate.playing")) as bar:
        try:
            result = results.play(
                task,
                args.agent,
                games=args.games,
                chosen_set=args.set,
                workers=args.workers,
                seconds=args.seconds,
                declared=results.Declared(args.observation, args.steps),
                tick=bar.advance,
            )
        except KeyboardInterrupt:
            raise Halted(translate("cli.benchmark.halted")) from None
    with file_errors("write", path, translate):
        results.write(result, path)
    _show(result, args, translate)
    if not args.json:
        print(f"\n{translate('cli.benchmark.written', file=path)}")
    return USER_ERROR if result.failure else 0


def _total(task: Task, games: int) -> int:
    from foxclover.benchmark.results import parts

    return sum(part.games for part in parts(task, games))


def _check(args: Namespace, translate: Translator) -> int:
    """Play a result again and compare."""
    from foxclover.benchmark import results

    try:
        with file_errors("read", args.check, translate):
            result = results.read(args.check)
        total = _total(find_task(result.task), result.games)
        with Progress(total, translate("cli.simulate.playing")) as bar:
            results.check(result, args.workers, bar.advance)
    except results.BadResult as error:
        print(translate("cli.benchmark.wrong", file=args.check, why=error))
        return BAD_FILE
    _show(result, args, translate)
    if not args.json:
        print(f"\n{translate('cli.benchmark.right', file=args.check)}")
    return 0


def _show(result: Result, args: Namespace, translate: Translator) -> None:
    """Print the row of a table in Markdown, or JSON."""
    if args.json:
        print_json(result.row())
        return
    cells = row(result, translate)
    print(f"| {' | '.join(cells)} |\n| {' | '.join('--' for _ in cells)} |")
    print(f"| {' | '.join(cells.values())} |")
    if result.failure:
        print(f"\n{translate('cli.benchmark.failed', agent=result.agent, why=result.failure)}")


def row(result: Result, translate: Translator) -> dict[str, str]:
    """Return the cells of a result by their headings."""
    figures = result.figures

    def with_error(value: float, error: float, kind: str) -> str:
        return " ± ".join(format_number(number, kind, translate) for number in (value, error))

    cells: dict[str, Any] = {
        "task": result.task,
        "agent": result.agent,
        "budget": budget(result.declared["steps"]),
        "games": figures.get("games", 0),
        "points": with_error(figures["mean"], figures["se"], ".1f") if figures else "–",
        "p10": format_number(figures["p10"], ".0f", translate) if figures else "–",
    }
    for opponent, wins in figures.get("wins", {}).items():
        cells[opponent] = with_error(100 * wins["share"], 100 * wins["se"], ".1f")
    cells["ms"] = format_number(result.ms_per_game, ".1f", translate)
    if result.failure:
        cells["failed"] = "×"
    wins_in = translate("cli.benchmark.column.wins", opponent="{}")
    return {
        wins_in.format(name)
        if name in figures.get("wins", {})
        else translate(f"cli.benchmark.column.{name}"): str(value)
        for name, value in cells.items()
    }
