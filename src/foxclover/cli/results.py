"""Results of many games: figures, tables, histograms, a report."""

from __future__ import annotations

import html
import io
import shlex
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxclover import __version__
from foxclover.cli.arguments import file_errors, print_json
from foxclover.cli.parser import Parser, UserError
from foxclover.core.game import Game
from foxclover.locale import Translator, format_number
from foxclover.simulation.table import (
    Array,
    Table,
    TableError,
    draft_of,
    kind_of,
    standard_error,
    summarise,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Lines = list[tuple[str, str]]  # names and values
PICTURES = (".png", ".svg", ".pdf")
INTERVAL = 1.96  # standard errors on each side, for 95 %
BARS = 80  # of a histogram, at most
STYLE = """
body { font: 1rem/1.5 system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
td, th { padding: .2rem .8rem; text-align: left }
svg { max-width: 100%; height: auto }
"""


def add_results(parser: Parser, text: str) -> None:
    """Add the options of a file of results."""
    parser.add_argument("--results", type=Path, metavar="FILE", help=text)
    parser.add_argument("--force", action="store_true", help=parser.translate("cli.simulate.force"))


def add_pictures(parser: Parser) -> None:
    """Add the options of a histogram and a report."""
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help=parser.translate("cli.simulate.plot")
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help=parser.translate("cli.simulate.report")
    )


def check_files(args: Namespace, translate: Translator) -> None:
    """Raise before a long run if its files cannot be written."""
    if args.results:
        try:
            kind_of(args.results)
        except TableError as error:
            raise UserError(translate("cli.error.write", file=args.results, why=error)) from None
        _check_existing(args, translate)
    if args.plot and args.plot.suffix.lower() not in PICTURES:
        raise UserError(translate("cli.error.picture", file=args.plot))
    for file in filter(None, (args.results, args.plot, args.report)):
        if not file.parent.is_dir():
            raise UserError(
                translate("cli.error.write", file=file, why=translate("cli.simulate.no_folder"))
            )
        new = not file.exists()
        with file_errors("write", file, translate):
            file.open("ab").close()
            if new:
                file.unlink()
    if args.plot or args.report:
        import matplotlib  # noqa: F401 - raises if it is missing
    if getattr(args, "transcripts", None):
        with file_errors("write", args.transcripts, translate):
            args.transcripts.mkdir(parents=True, exist_ok=True)


def _check_existing(args: Namespace, translate: Translator) -> None:
    """Raise if games would be overwritten that nobody gave up."""
    resumes = getattr(args, "resume", None)
    text = "cli.simulate.exists" if resumes is None else "cli.simulate.left"
    for file in (args.results, draft_of(args.results)):
        if file.exists() and not args.force and not resumes:
            raise UserError(translate(text, file=file))


def show(
    game: Game,
    shown: Sequence[dict[str, Any]],
    differences: Sequence[dict[str, Any]],
    scores: dict[str, Array],
    tables: Sequence[Table],
    args: Namespace,
    translate: Translator,
) -> None:
    """Print the figures of agents, their differences on the same dice, and of agents at a table."""
    if not shown and not tables:
        return
    titles = {}
    for result in shown:
        players = translate("cli.simulate.players_title", count=result["players"])
        title = f"{title_of(game, result, translate)}, {players}"
        titles[title] = _lines(game, result, translate)
    played = [_of_table(game, table, translate) for table in tables]
    sentences = [
        translate(
            "cli.simulate.difference",
            first=found["first"],
            second=found["second"],
            gain=_with_error(found["difference"], found["se"], "+.2f", translate),
        )
        for found in differences
    ]
    if args.json:
        print_json(_as_data(shown, differences, [table.result for table in played]))
    else:
        for title, lines in titles.items():
            width = max(len(name) for name, _ in lines)
            print(title, *(f"  {name:<{width}}  {value}" for name, value in lines), sep="\n")
        for table in played:
            print(table.title, *(f"  {name}: {value}" for name, value in table.lines), sep="\n")
        print(*sentences, sep="\n", end="\n" if sentences else "")
    title = f"{game.name}: {', '.join(scores)}" if len(played) != 1 or shown else played[0].title
    for table in played:
        titles[table.title] = table.lines
        scores = scores | table.scores
    if args.plot:
        with file_errors("write", args.plot, translate):
            histogram(scores, title, translate).savefig(args.plot, dpi=150)
    if args.report:
        figures = [histogram(scores, title, translate)]
        if differences:
            figures.append(difference_chart(differences, translate))
        pictures = "\n".join(map(_as_svg, figures))
        pictures += f"\n<footer>{html.escape(_origin(args))}</footer>\n"
        page = _page(title, titles, sentences, pictures)
        with file_errors("write", args.report, translate):
            args.report.write_text(page, encoding="utf-8")


def _as_svg(figure: Figure) -> str:
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg")
    return drawn.getvalue()[drawn.getvalue().index("<svg") :]


def _origin(args: Namespace) -> str:
    """Return the command, the version and the time of a report."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{shlex.join(['foxclover', *args.words])} · foxclover {__version__} · {now}"


def difference_chart(differences: Sequence[dict[str, Any]], translate: Translator) -> Figure:
    """Draw the differences on the same dice, with their 95 % intervals."""
    points = f"{translate('cli.simulate.axis_points')} − {differences[0]['first']}"
    figure, axes = new_axes("", points, "")
    names = [found["second"] for found in differences]
    values = [found["difference"] for found in differences]
    errors = [INTERVAL * found["se"] for found in differences]
    axes.errorbar(values, range(len(names)), xerr=errors, fmt="o", capsize=4)
    axes.axvline(0, color="grey", linewidth=1)
    axes.set_yticks(range(len(names)), names)
    axes.margins(y=0.4)
    return figure


def _as_data(
    shown: Sequence[dict[str, Any]],
    differences: Sequence[dict[str, Any]],
    tables: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """Return the results as data: of one agent or table alone, or of all of them."""
    if len(shown) + len(tables) == 1:
        return [*shown, *tables][0]
    return {"agents": shown, "differences": differences} | ({"tables": tables} if tables else {})


class TableResult(NamedTuple):
    """The results of agents at one table, as text and as data."""

    title: str
    lines: Lines
    scores: dict[str, Array]
    result: dict[str, Any]


def _of_table(game: Game, table: Table, translate: Translator) -> TableResult:
    result = summarise(table)
    lines = [
        (
            seat["agent"],
            translate(
                "cli.simulate.wins",
                wins=format_number(seat["wins"], ".1%", translate),
                se=format_number(seat["se"], ".1%", translate),
                mean=_with_error(seat["mean"], seat["mean_se"], ".1f", translate),
            ),
        )
        for seat in result["seats"]
    ]
    title = title_of(
        game, {**result, "agent": ", ".join(seat["agent"] for seat in result["seats"])}, translate
    )
    scores = {
        f"{player}. {seat['agent']}": table["points"][table["player"] == player]
        for player, seat in enumerate(result["seats"], start=1)
    }
    return TableResult(title, lines, scores, result)


def title_of(game: Game, result: dict[str, Any], translate: Translator) -> str:
    """Return the title of some games."""
    seeds = result["seed"] if isinstance(result["seed"], list) else [result["seed"]]
    return translate(
        "cli.simulate.title",
        game=game.name,
        agent=result["agent"],
        games=result["games"],
        seed=", ".join(map(str, seeds)),
    )


def _lines(game: Game, result: dict[str, Any], translate: Translator) -> Lines:
    """Return the figures of one agent, line by line."""

    def formatted(form: str, *names: str) -> str:
        return "  ".join(format_number(result[name], form, translate) for name in names)

    def part(name: str) -> str:
        return game.words.part_words(game.definition, name, translate)

    areas = (
        f"{part(name)} {format_number(value, '.1f', translate)}"
        for name, value in result["areas"].items()
    )
    lines = [
        ("mean", _with_error(result["mean"], result["se"], ".2f", translate)),
        ("std", formatted(".2f", "std")),
        ("range", formatted("g", "min", "p10", "median", "p90", "max")),
        ("areas", "  ".join(areas)),
    ]
    timed = [("ms", formatted(".4f", "ms_per_game"))] if "ms_per_game" in result else []
    return [
        *((translate(f"cli.simulate.{key}"), text) for key, text in lines),
        *((part(name), formatted(".2f", name)) for name in game.scoring.TALLIES if name in result),
        *((translate(f"cli.simulate.{key}"), text) for key, text in timed),
    ]


def _with_error(value: float, error: float, form: str, translate: Translator) -> str:
    return f"{format_number(value, form, translate)} ± {format_number(error, '.2f', translate)}"


def _page(title: str, tables: dict[str, Lines], sentences: Sequence[str], picture: str) -> str:
    """Return a page that needs no other file."""
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
    blocks += [f"<p>{html.escape(line)}</p>" for line in sentences]
    return "\n".join([*blocks, picture])


def describe(scores: Array) -> dict[str, float]:
    """Return the figures of a batch, ``scores[game][seat]``.

    Seats of one game share dice, so the error is that of the games' means.
    """
    p10, median, p90 = (float(value) for value in np.quantile(scores, (0.1, 0.5, 0.9)))
    return {
        "mean": float(scores.mean()),
        "std": float(scores.std(ddof=1)) if scores.size > 1 else 0.0,
        "se": standard_error(scores.mean(axis=1)),
        "p10": p10,
        "median": median,
        "p90": p90,
        "min": int(scores.min()),
        "max": int(scores.max()),
    }


def bin_edges(least: int, most: int) -> list[float]:
    """Return the edges of bars that each contain the same whole number of points."""
    width = -(-(most - least + 1) // BARS)
    bars = -(-(most - least + 1) // width)
    return [least - 0.5 + width * bar for bar in range(bars + 1)]


def new_axes(title: str, xlabel: str, ylabel: str) -> tuple[Figure, Axes]:
    """Return a figure and its axes, with a title and the names of the axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def histogram(scores: dict[str, Array], title: str, translate: Translator) -> Figure:
    """Draw the distribution of each agent's points."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_axes(
        title, translate("cli.simulate.axis_points"), translate("cli.simulate.axis_games")
    )
    bins = bin_edges(
        min(int(points.min()) for points in scores.values()),
        max(int(points.max()) for points in scores.values()),
    )
    for agent, points in scores.items():
        mean = format_number(points.mean(), ".1f", translate)
        label = f"{agent}: {translate('cli.simulate.mean')} {mean}"
        axes.hist(points.ravel(), bins=bins, alpha=1 if len(scores) == 1 else 0.6, label=label)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)
    return figure
