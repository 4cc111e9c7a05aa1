"""The curve of a game as a picture."""

from __future__ import annotations

from pathlib import Path

from foxclover.locale import Say
from foxclover.review.account import Review


def draw_curve(review: Review, title: str, path: Path, say: Say) -> None:
    """Write expected final points over the game, and with several players the chance to win; raises OSError or ValueError.

    Mistakes are marked with dots, large ones with larger dots.
    """
    from matplotlib.figure import Figure

    several = review.players > 1
    figure = Figure(figsize=(9, 7 if several else 4.5), layout="constrained")
    panels = figure.subplots(2 if several else 1, 1, squeeze=False)[:, 0]
    for seat in review.seats:
        (line,) = panels[0].plot(
            [point.at for point in seat.curve],
            [point.expected for point in seat.curve],
            label=seat.name,
        )
        wrong = seat.mistakes()
        sizes = [10 + 6 * decision.loss for decision in wrong]
        panels[0].scatter(
            [decision.at + 1 for decision in wrong],
            [decision.played for decision in wrong],
            sizes,
            color=line.get_color(),
        )
        if several:
            panels[1].plot(
                [point.at for point in seat.curve],
                [100 * point.winning for point in seat.curve],
                color=line.get_color(),
            )
    panels[0].set_title(title)
    panels[0].set_ylabel(say("review.axis.points"))
    panels[0].legend(frameon=False)
    if several:
        panels[1].set_ylabel(say("review.axis.winning"))
        panels[1].set_ylim(0, 100)
    panels[-1].set_xlabel(say("review.axis.moves"))
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
