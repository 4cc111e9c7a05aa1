"""What many games tell: the figures of ``simulate`` and its pictures."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.locale import Say, say_number

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    Scores = np.ndarray[Any, np.dtype[Any]]


BARS = 80  # at most


def describe(scores: Scores) -> dict[str, float]:
    """Figures of a batch, ``scores[game][seat]``. Seats of one game share dice, so the error comes from the games' means."""
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
    """Edges of bars that each hold the same whole number of points."""
    width = -(-(most - least + 1) // BARS)
    bars = -(-(most - least + 1) // width)
    return [least - 0.5 + width * bar for bar in range(bars + 1)]


def histogram(scores: dict[str, Scores], title: str, say: Say) -> Figure:
    """How each agent's points are spread."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    bins = bin_edges(
        min(int(points.min()) for points in scores.values()),
        max(int(points.max()) for points in scores.values()),
    )
    for agent, points in scores.items():
        label = f"{agent}: {say('cli.simulate.mean')} {say_number(points.mean(), '.1f', say)}"
        axes.hist(points.ravel(), bins=bins, alpha=1 if len(scores) == 1 else 0.6, label=label)
    axes.set_title(title)
    axes.set_xlabel(say("cli.simulate.axis_points"))
    axes.set_ylabel(say("cli.simulate.axis_games"))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure


def draw_histogram(scores: dict[str, Scores], title: str, path: Path, say: Say) -> None:
    """Write a picture of how each agent's points are spread; raises OSError or ValueError if it cannot be written."""
    histogram(scores, title, say).savefig(path, dpi=150)


def histogram_svg(scores: dict[str, Scores], title: str, say: Say) -> str:
    """The same picture as a piece of a page."""
    drawn = io.StringIO()
    histogram(scores, title, say).savefig(drawn, format="svg")
    return drawn.getvalue()[drawn.getvalue().index("<svg") :]
