"""What many games tell: the figures of ``simulate``, its table and its picture."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.locale import Say

if TYPE_CHECKING:
    import numpy as np

    Scores = np.ndarray[Any, np.dtype[np.int64]]


BARS = 60


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


def draw_histogram(scores: dict[str, Scores], title: str, path: Path, say: Say) -> None:
    """Write a picture of how each agent's points are spread; raises OSError or ValueError if it cannot be written."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    every = np.concatenate([points.ravel() for points in scores.values()])
    bins = np.linspace(every.min() - 0.5, every.max() + 0.5, BARS + 1).tolist()
    for agent, points in scores.items():
        label = f"{agent}: {say('cli.simulate.mean')} {points.mean():.1f}"
        axes.hist(points.ravel(), bins=bins, alpha=1 if len(scores) == 1 else 0.6, label=label)
    axes.set_title(title)
    axes.set_xlabel(say("cli.simulate.axis_points"))
    axes.set_ylabel(say("cli.simulate.axis_games"))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
