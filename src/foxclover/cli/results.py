"""Results of many games: figures, tables, histograms, a report."""

from __future__ import annotations

import html
import io
import math
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from foxclover.cli.arguments import print_json
from foxclover.cli.parser import Parser, UserError
from foxclover.core.game import Game
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    from foxclover.simulation.batch import Outcome
    from foxclover.simulation.table import Table

    Scores = np.ndarray[Any, np.dtype[Any]]

Lines = list[tuple[str, str]]
"""Names and values."""
PICTURES = (".png", ".svg", ".pdf")
BARS = 80  # of a histogram, at most
STYLE = """
body { font: 1rem/1.5 system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
td, th { padding: .2rem .8rem; text-align: left }
svg { max-width: 100%; height: auto }
"""


def add_out(parser: Parser, text: str) -> None:
    """Add the options of a file of results."""
    parser.add_argument("--out", type=Path, metavar="FILE", help=text)
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
    from foxclover.simulation.table import TableError, kind_of

    if args.out:
        try:
            kind_of(args.out)
        except TableError as error:
            raise UserError(translate("cli.error.write", file=args.out, why=error)) from None
        if args.out.exists() and not args.force:
            raise UserError(translate("cli.simulate.exists", file=args.out))
    if args.plot and args.plot.suffix.lower() not in PICTURES:
        raise UserError(translate("cli.error.picture", file=args.plot))
    for file in (args.out, args.plot, args.report):
        if file and not file.parent.is_dir():
            raise UserError(
                translate("cli.error.write", file=file, why=translate("cli.simulate.no_folder"))
            )
        if file:
            _try_writing(file, translate)
    if args.plot or args.report:
        import matplotlib  # noqa: F401 - raises if it is missing
    if getattr(args, "transcripts", None):
        try:
            args.transcripts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                translate("cli.error.write", file=args.transcripts, why=error.strerror)
            ) from None


def _try_writing(file: Path, translate: Translator) -> None:
    """Open a file for writing, and leave everything unchanged."""
    new = not file.exists()
    try:
        file.open("ab").close()
        if new:
            file.unlink()
    except OSError as error:
        raise UserError(translate("cli.error.write", file=file, why=error.strerror)) from None


class TableOut:
    """Writes results to a file, if there is one, while other games are played."""

    def __init__(self, path: Path | None, translate: Translator) -> None:
        from foxclover.simulation.table import TableFile

        self.path, self.translate = path, translate
        self.problem: OSError | None = None
        self.file = TableFile(path) if path else None

    def keeper(
        self, run: int, players: Sequence[int] | None = None
    ) -> Callable[[Outcome], None] | None:
        """Return a callback that writes the games of a run.

        An error, like a full disk, is kept for ``close``, so that the figures are not lost.
        """
        from foxclover.simulation.table import to_table

        def keep(outcome: Outcome) -> None:
            try:
                if self.file and not self.problem:
                    self.file.write(to_table(outcome, run, players))
            except OSError as error:
                self.problem = error

        return keep if self.file else None

    def close(self) -> None:
        """Finish the file, or raise one sentence with the reason."""
        try:
            if self.file and not self.problem:
                self.file.close()
        except OSError as error:
            self.problem = error
        if self.file and self.problem:
            self.file.give_up()
            raise UserError(
                self.translate("cli.error.write", file=self.path, why=self.problem.strerror)
            ) from None


def write_table(path: Path, table: Table, translate: Translator) -> None:
    """Write a table of games."""
    from foxclover.simulation.table import write

    try:
        write(path, table)
    except OSError as error:
        raise UserError(translate("cli.error.write", file=path, why=error.strerror)) from None


def show(
    game: Game,
    shown: Sequence[dict[str, Any]],
    differences: Sequence[dict[str, Any]],
    scores: dict[str, Scores],
    tables: Sequence[Table],
    args: Namespace,
    translate: Translator,
) -> None:
    """Print the figures of agents, their differences on the same dice, and of agents at a table."""
    if not shown and not tables:
        return
    told = [
        translate(
            "cli.simulate.difference",
            first=one["first"],
            second=one["second"],
            gain=_with_error(one["difference"], one["se"], "+.2f", translate),
        )
        for one in differences
    ]
    titles = {}
    for result in shown:
        players = translate("cli.simulate.players_title", count=result["players"])
        title = f"{title_of(game, result, translate)}, {players}"
        titles[title] = _lines(game, result, translate)
    played = [_of_table(game, table, translate) for table in tables]
    if args.json:
        print_json(_as_data(shown, differences, [one.result for one in played]))
    else:
        for title, lines in titles.items():
            width = max(len(name) for name, _ in lines)
            print(title, *(f"  {name:<{width}}  {value}" for name, value in lines), sep="\n")
        for one in played:
            print(one.title, *(f"  {agent}: {figures}" for agent, figures in one.lines), sep="\n")
        for line in told:
            print(line)
    title = f"{game.name}: {', '.join(scores)}" if len(played) != 1 or shown else played[0].title
    for one in played:
        titles[one.title] = one.lines
        scores = scores | one.scores
    _draw(scores, title, titles, told, args, translate)


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
    scores: dict[str, Scores]
    result: dict[str, Any]


def _of_table(game: Game, table: Table, translate: Translator) -> TableResult:
    from foxclover.simulation.table import summarise

    result = summarise(table)
    lines = [
        (
            seat["agent"],
            translate(
                "cli.simulate.wins",
                wins=format_number(seat["wins"], ".1%", translate),
                se=format_number(seat["se"], ".1%", translate),
                mean=format_number(seat["mean"], ".1f", translate),
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
    lines = [
        (
            translate("cli.simulate.mean"),
            _with_error(result["mean"], result["se"], ".2f", translate),
        ),
        (translate("cli.simulate.std"), format_number(result["std"], ".2f", translate)),
        (
            translate("cli.simulate.range"),
            "  ".join(
                format_number(result[key], "g", translate)
                for key in ("min", "p10", "median", "p90", "max")
            ),
        ),
        (
            translate("cli.simulate.areas"),
            "  ".join(
                f"{game.words.part_words(game.definition, name, translate)}"
                f" {format_number(value, '.1f', translate)}"
                for name, value in result["areas"].items()
            ),
        ),
    ]
    lines += [
        (
            game.words.part_words(game.definition, name, translate),
            format_number(result[name], ".2f", translate),
        )
        for name in game.scoring.TALLIES
        if name in result
    ]
    if "ms_per_game" in result:
        lines.append(
            (translate("cli.simulate.ms"), format_number(result["ms_per_game"], ".4f", translate))
        )
    return lines


def _with_error(value: float, error: float, form: str, translate: Translator) -> str:
    return f"{format_number(value, form, translate)} ± {format_number(error, '.2f', translate)}"


def _draw(
    scores: dict[str, Scores],
    title: str,
    tables: dict[str, Lines],
    told: Sequence[str],
    args: Namespace,
    translate: Translator,
) -> None:
    """Write the histogram and the report, as far as requested."""
    file = args.plot
    try:
        if args.plot:
            draw_histogram(scores, title, args.plot, translate)
        if args.report:
            file = args.report
            args.report.write_text(
                _page(title, tables, told, histogram_svg(scores, title, translate)),
                encoding="utf-8",
            )
    except OSError as error:
        raise UserError(translate("cli.error.write", file=file, why=error.strerror)) from None


def _page(title: str, tables: dict[str, Lines], told: Sequence[str], picture: str) -> str:
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
    blocks += [f"<p>{html.escape(line)}</p>" for line in told]
    return "\n".join([*blocks, picture])


def describe(scores: Scores) -> dict[str, float]:
    """Return the figures of a batch, ``scores[game][seat]``.

    Seats of one game share dice, so the error is that of the games' means.
    """
    import numpy as np

    games = len(scores)
    error = float(scores.mean(axis=1).std(ddof=1)) / math.sqrt(games) if games > 1 else 0.0
    p10, median, p90 = (float(value) for value in np.quantile(scores, (0.1, 0.5, 0.9)))
    return {
        "mean": float(scores.mean()),
        "std": float(scores.std(ddof=1)) if scores.size > 1 else 0.0,
        "se": error,
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


def histogram(scores: dict[str, Scores], title: str, translate: Translator) -> Figure:
    """Draw the distribution of each agent's points."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    bins = bin_edges(
        min(int(points.min()) for points in scores.values()),
        max(int(points.max()) for points in scores.values()),
    )
    for agent, points in scores.items():
        mean = format_number(points.mean(), ".1f", translate)
        label = f"{agent}: {translate('cli.simulate.mean')} {mean}"
        axes.hist(points.ravel(), bins=bins, alpha=1 if len(scores) == 1 else 0.6, label=label)
    axes.set_title(title)
    axes.set_xlabel(translate("cli.simulate.axis_points"))
    axes.set_ylabel(translate("cli.simulate.axis_games"))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure


def draw_histogram(
    scores: dict[str, Scores], title: str, path: Path, translate: Translator
) -> None:
    """Write a picture of the distribution of each agent's points.

    Raises OSError or ValueError if it cannot be written.
    """
    histogram(scores, title, translate).savefig(path, dpi=150)


def histogram_svg(scores: dict[str, Scores], title: str, translate: Translator) -> str:
    """Return the picture as SVG, to include in a page."""
    drawn = io.StringIO()
    histogram(scores, title, translate).savefig(drawn, format="svg")
    return drawn.getvalue()[drawn.getvalue().index("<svg") :]
