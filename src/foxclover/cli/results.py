"""Results of many games: printed, drawn, written to files, as one page."""

from __future__ import annotations

import html
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.cli import statistics
from foxclover.cli.arguments import print_json
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Parser
from foxclover.game import Game
from foxclover.locale import Say, say_number

if TYPE_CHECKING:
    from foxclover.cli.statistics import Scores
    from foxclover.simulation.rows import Rows

Table = list[tuple[str, str]]
PICTURES = (".png", ".svg", ".pdf")
STYLE = """
body { font: 1rem/1.5 system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
td, th { padding: .2rem .8rem; text-align: left }
svg { max-width: 100%; height: auto }
"""


def add_pictures(parser: Parser) -> None:
    """Let a command draw a histogram and write a report."""
    parser.add_argument("--plot", type=Path, metavar="FILE", help=parser.say("cli.simulate.plot"))
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help=parser.say("cli.simulate.report")
    )


def check_files(args: Namespace, say: Say) -> None:
    """Find out before a long run what could not be written after it."""
    from foxclover.simulation import rows

    if args.out:
        try:
            rows.kind_of(args.out)
        except rows.RowsError as error:
            raise UserError(say("cli.error.write", file=args.out, why=error)) from None
    if args.plot and args.plot.suffix.lower() not in PICTURES:
        raise UserError(say("cli.error.picture", file=args.plot))
    for file in (args.out, args.plot, args.report):
        if file and not file.parent.is_dir():
            raise UserError(say("cli.error.write", file=file, why=say("cli.simulate.no_folder")))
        if file:
            _try_writing(file, say)
    if args.plot or args.report:
        import matplotlib  # noqa: F401 - only asked whether it is there
    if getattr(args, "transcripts", None):
        try:
            args.transcripts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                say("cli.error.write", file=args.transcripts, why=error.strerror)
            ) from None


def _try_writing(file: Path, say: Say) -> None:
    """Open a file as if to write to it, and leave everything as it was."""
    new = not file.exists()
    try:
        file.open("ab").close()
        if new:
            file.unlink()
    except OSError as error:
        raise UserError(say("cli.error.write", file=file, why=error.strerror)) from None


def write_rows(path: Path, tables: Sequence[Rows], say: Say) -> None:
    """Write the table of all games."""
    from foxclover.simulation import rows

    try:
        rows.write(path, rows.join(tables))
    except (OSError, rows.RowsError) as error:
        raise UserError(
            say("cli.error.write", file=path, why=getattr(error, "strerror", None) or error)
        ) from None


def show(
    game: Game,
    shown: Sequence[dict[str, Any]],
    differences: Sequence[dict[str, Any]],
    scores: dict[str, Scores],
    args: Namespace,
    say: Say,
) -> None:
    """Show the figures of agents, and by how much they differ on the same dice."""
    if not shown:
        return
    told = [
        say(
            "cli.simulate.difference",
            first=one["first"],
            second=one["second"],
            gain=_with_error(one["difference"], one["se"], "+.2f", say),
        )
        for one in differences
    ]
    titles = {
        f"{title_of(game, one, say)}, {say('cli.simulate.players_title', count=one['players'])}": _lines(
            game, one, say
        )
        for one in shown
    }
    if args.json:
        print_json({"agents": shown, "differences": differences} if len(shown) > 1 else shown[0])
    else:
        for title, lines in titles.items():
            print(title)
            width = max(len(name) for name, _ in lines)
            for name, value in lines:
                print(f"  {name:<{width}}  {value}")
        for line in told:
            print(line)
    _draw(scores, f"{game.name}: {', '.join(scores)}", titles, told, args, say)


def show_table(game: Game, rows: Rows, args: Namespace, say: Say) -> None:
    """Show what came of agents at one table."""
    from foxclover.simulation import tournament

    result = tournament.summary(rows)
    told = [
        (
            seat["agent"],
            say(
                "cli.simulate.wins",
                wins=say_number(seat["wins"], ".1%", say),
                se=say_number(seat["se"], ".1%", say),
                mean=say_number(seat["mean"], ".1f", say),
            ),
        )
        for seat in result["seats"]
    ]
    title = title_of(
        game, {**result, "agent": ", ".join(seat["agent"] for seat in result["seats"])}, say
    )
    scores = {
        f"{player}. {seat['agent']}": rows["points"][rows["player"] == player]
        for player, seat in enumerate(result["seats"], start=1)
    }
    if args.json:
        print_json(result)
    else:
        print(title, *(f"  {agent}: {figures}" for agent, figures in told), sep="\n")
    _draw(scores, title, {title: told}, [], args, say)


def title_of(game: Game, result: dict[str, Any], say: Say) -> str:
    """What was played."""
    return say(
        "cli.simulate.title",
        game=game.name,
        agent=result["agent"],
        games=result["games"],
        seed=result["seed"],
    )


def _lines(game: Game, result: dict[str, Any], say: Say) -> Table:
    """The figures of one agent, line by line."""
    lines = [
        (say("cli.simulate.mean"), _with_error(result["mean"], result["se"], ".2f", say)),
        (say("cli.simulate.std"), say_number(result["std"], ".2f", say)),
        (
            say("cli.simulate.range"),
            "  ".join(
                say_number(result[key], "g", say) for key in ("min", "p10", "median", "p90", "max")
            ),
        ),
        (
            say("cli.simulate.areas"),
            "  ".join(
                f"{game.words.part_words(game.book, name, say)} {say_number(value, '.1f', say)}"
                for name, value in result["areas"].items()
            ),
        ),
    ]
    if "foxes" in result:
        lines.append(
            (
                game.words.part_words(game.book, "foxes", say),
                say_number(result["foxes"], ".2f", say),
            )
        )
    if "ms_per_game" in result:
        lines.append((say("cli.simulate.ms"), say_number(result["ms_per_game"], ".4f", say)))
    return lines


def _with_error(value: float, error: float, form: str, say: Say) -> str:
    return f"{say_number(value, form, say)} ± {say_number(error, '.2f', say)}"


def _draw(
    scores: dict[str, Scores],
    title: str,
    tables: dict[str, Table],
    told: Sequence[str],
    args: Namespace,
    say: Say,
) -> None:
    """Write the picture and the page that were asked for."""
    file = args.plot
    try:
        if args.plot:
            statistics.draw_histogram(scores, title, args.plot, say)
        if args.report:
            file = args.report
            args.report.write_text(
                _page(title, tables, told, statistics.histogram_svg(scores, title, say)),
                encoding="utf-8",
            )
    except OSError as error:
        raise UserError(say("cli.error.write", file=file, why=error.strerror)) from None


def _page(title: str, tables: dict[str, Table], told: Sequence[str], picture: str) -> str:
    """One page that needs no other file."""
    blocks = [
        "<!doctype html>",
        '<meta charset="utf-8">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{STYLE}</style>",
    ]
    for heading, lines in tables.items():
        blocks.append(f"<h2>{html.escape(heading)}</h2>")
        cells = [
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in lines
        ]
        blocks += ["<table>", *cells, "</table>"]
    blocks += [f"<p>{html.escape(line)}</p>" for line in told]
    return "\n".join([*blocks, picture])
