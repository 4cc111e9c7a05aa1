"""``foxclover benchmark``: measure an agent, check results; ``foxclover decisions``: make sets."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.benchmark import DECISIONS, GAMES, SEEDS, Task, UnknownTask, budget, find_task, tasks
from foxclover.cli.arguments import add_json, file_errors, find_key, number, print_json
from foxclover.cli.output import Progress
from foxclover.cli.parser import BAD_FILE, USER_ERROR, Halted, Parser, UserError
from foxclover.core.game import Game, game, game_names
from foxclover.dice.sources import SEEDS as ALL_SEEDS
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    from foxclover.benchmark.results import Result

OBSERVATIONS = ("position", "features", "inputs", "text")
SECONDS = 60
WANTED = 10_000  # decisions of a set


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
        "--decisions", action="store_true", help=translate("cli.benchmark.decisions")
    )
    parser.add_argument(
        "--count", type=number(translate, 2), metavar="N", help=translate("cli.benchmark.count")
    )
    parser.add_argument("--file", type=Path, metavar="FILE", help=translate("cli.benchmark.file"))
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

    kind = "-decisions" if args.decisions else ""
    name = f"{task.name}{kind}-{re.sub(r'[^A-Za-z0-9._-]+', '-', args.agent)}.json"
    path = args.out or Path(name)
    if path.exists() and not args.force:
        raise UserError(translate("cli.simulate.exists", file=path))
    try:
        result = (_score if args.decisions else _play)(task, args, translate)
    except KeyboardInterrupt:
        raise Halted(translate("cli.benchmark.halted")) from None
    with file_errors("write", path, translate):
        results.write(result, path)
    _show(result, args, translate)
    if not args.json:
        text = "cli.benchmark.unfinished" if result.failure else "cli.benchmark.written"
        print(f"\n{translate(text, file=path)}")
    return USER_ERROR if result.failure else 0


def _play(task: Task, args: Namespace, translate: Translator) -> Result:
    from foxclover.benchmark import results

    with Progress(_total(task, args.games), translate("cli.simulate.playing")) as bar:
        return results.play(
            task,
            args.agent,
            games=args.games,
            chosen_set=args.set,
            workers=args.workers,
            seconds=args.seconds,
            declared=results.Declared(args.observation, args.steps),
            tick=bar.advance,
        )


def _score(task: Task, args: Namespace, translate: Translator) -> Result:
    """Score an agent on the decision set of the task's game."""
    from foxclover.benchmark import decisions, results

    with _decision_errors(task.key, translate):
        path = args.file or decisions.shipped(task.game)
        total = len(decisions.read_lines(path, task.game)[1])
        with Progress(min(args.count or total, total), translate("cli.benchmark.asking")) as bar:
            return decisions.score(
                task,
                args.agent,
                path,
                count=args.count,
                workers=args.workers,
                seconds=args.seconds,
                declared=results.Declared(args.observation, args.steps),
                tick=bar.advance,
            )


@contextmanager
def _decision_errors(key: str, translate: Translator) -> Iterator[None]:
    """Explain an unusable decision set, and how to get one."""
    from foxclover.benchmark.decisions import DecisionError

    try:
        yield
    except DecisionError as error:
        raise UserError(translate("cli.benchmark.no_set", why=error, game=key)) from None


def _total(task: Task, games: int) -> int:
    from foxclover.benchmark.results import parts

    return sum(part.games for part in parts(task, games))


def _check(args: Namespace, translate: Translator) -> int:
    """Play a result again and compare."""
    from foxclover.benchmark import results

    try:
        with file_errors("read", args.check, translate):
            result = results.read(args.check)
        task = find_task(result.task)
        if result.set == DECISIONS:
            _check_decisions(result, args, translate)
        else:
            with Progress(_total(task, result.games), translate("cli.simulate.playing")) as bar:
                results.check(result, args.workers, bar.advance)
    except results.BadResult as error:
        print(translate("cli.benchmark.wrong", file=args.check, why=error))
        return BAD_FILE
    _show(result, args, translate)
    if not args.json:
        print(f"\n{translate('cli.benchmark.right', file=args.check)}")
    return 0


def _check_decisions(result: Result, args: Namespace, translate: Translator) -> None:
    from foxclover.benchmark import decisions

    task = find_task(result.task)
    with (
        _decision_errors(task.key, translate),
        Progress(result.games, translate("cli.benchmark.asking")) as bar,
    ):
        decisions.check(
            result, args.file or decisions.shipped(task.game), args.workers, bar.advance
        )


def _show(result: Result, args: Namespace, translate: Translator) -> None:
    """Print the row of a table in Markdown, or JSON."""
    if args.json:
        print_json(result.row())
        return
    _print_table([row(result, translate)])
    if themes := result.figures.get("themes"):
        column = translate("cli.benchmark.column.theme")
        print()
        _print_table([{column: name} | losses(part, translate) for name, part in themes.items()])
    if result.failure:
        print(f"\n{translate('cli.benchmark.failed', why=result.failure)}")


def _print_table(rows: list[dict[str, str]]) -> None:
    print(f"| {' | '.join(rows[0])} |\n| {' | '.join('--' for _ in rows[0])} |")
    for cells in rows:
        print(f"| {' | '.join(cells.values())} |")


def with_error(value: float, error: float, kind: str, translate: Translator) -> str:
    """Return a number with its standard error."""
    return " ± ".join(format_number(each, kind, translate) for each in (value, error))


def losses(part: dict[str, Any], translate: Translator) -> dict[str, str]:
    """Return the cells of the losses in some decisions by their headings."""
    cells = {
        "decisions": str(part["decisions"]),
        "loss": with_error(part["loss"], part["se"], ".2f", translate),
        "best": format_number(100 * part["best"], ".1f", translate),
    }
    return {translate(f"cli.benchmark.column.{name}"): value for name, value in cells.items()}


def row(result: Result, translate: Translator) -> dict[str, str]:
    """Return the cells of a result by their headings."""
    figures = result.figures
    cells: dict[str, Any] = {
        "task": result.task,
        "agent": result.agent,
        "budget": budget(result.declared["steps"]),
    }
    wins, scored = dict[str, str](), result.set == DECISIONS
    if not scored:
        cells["games"] = figures.get("games", 0)
        points = (figures["mean"], figures["se"]) if figures else None
        cells["points"] = with_error(*points, ".1f", translate) if points else "–"
        cells["p10"] = format_number(figures["p10"], ".0f", translate) if figures else "–"
        for opponent, share in figures.get("wins", {}).items():
            heading = translate("cli.benchmark.column.wins", opponent=opponent)
            wins[heading] = with_error(100 * share["share"], 100 * share["se"], ".1f", translate)
    elif figures:
        wins = losses(figures, translate)
    time = format_number(result.ms_per_game, ".1f", translate)
    last = {"ms_decision" if scored else "ms": time}
    if result.failure:
        last["failed"] = "×"

    def named(part: dict[str, Any]) -> dict[str, str]:
        return {
            translate(f"cli.benchmark.column.{name}"): str(value) for name, value in part.items()
        }

    return named(cells) | wins | named(last)


@contextmanager
def _build_errors() -> Iterator[None]:
    from foxclover.benchmark.decisions import DecisionError

    try:
        yield
    except DecisionError as error:
        raise UserError(f"{error}.") from None


def add_decisions(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument(
        "action", choices=("build", "export"), help=translate("cli.decisions.action")
    )
    parser.add_argument(
        "game", metavar="GAME", help=translate("cli.help.game", games=", ".join(game_names()))
    )
    parser.add_argument(
        "--count",
        type=number(translate, 2, 1_000_000),
        default=WANTED,
        metavar="N",
        help=translate("cli.decisions.count"),
    )
    parser.add_argument(
        "--seed",
        type=number(translate, 0, ALL_SEEDS - 1),
        default=1,
        metavar="S",
        help=translate("cli.help.seed"),
    )
    parser.add_argument(
        "--workers",
        type=number(translate, 1),
        default=1,
        metavar="W",
        help=translate("cli.decisions.workers"),
    )
    parser.add_argument("--file", type=Path, metavar="FILE", help=translate("cli.benchmark.file"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=translate("cli.decisions.out"))


def run_decisions(args: Namespace, translate: Translator) -> int:
    """Build a decision set, continue an interrupted build, or write a set in another format."""
    from foxclover.benchmark import decisions

    chosen = game(find_key(args.game, translate))
    if args.action == "export":
        path = args.out or Path(f"decisions-{chosen.key}.parquet")
        with _decision_errors(chosen.key, translate):
            found = decisions.read(args.file or decisions.shipped(chosen), chosen)
        with _build_errors(), file_errors("write", path, translate):
            decisions.export(path, found)
        made = len(found.decisions)
    else:
        path = args.out or Path(f"decisions-{chosen.key}.jsonl.gz")
        with _build_errors():
            made = _build(chosen, path, args, translate)
    print(translate("cli.decisions.done", count=made, file=path))
    return 0


def _build(chosen: Game, path: Path, args: Namespace, translate: Translator) -> int:
    from foxclover.benchmark.rollouts import build

    shown = 0
    with Progress(args.count, translate("cli.decisions.building", game=chosen.name)) as bar:

        def tick(ready: int) -> None:
            nonlocal shown
            bar.advance(min(ready, args.count) - shown)
            shown = min(ready, args.count)

        with file_errors("write", path, translate):
            return build(chosen, args.seed, args.count, path, args.workers, tick)
