"""The curve of a review, drawn with characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.core.display import BOLD, FAINT, RED, TextGrid, coloured
from foxclover.locale import Translator

if TYPE_CHECKING:
    from foxclover.review import Review

SIGNS = "●■▲◆○□△◇"  # a shape for each player, for everybody who does not see the colours
COLOURS = (  # of the seats on the page
    *("#d9622b", "#3a74c4", "#2f8049", "#7d52bd"),
    *("#b0346b", "#16808a", "#94711a", "#5b6472"),
)
MISTAKE = "✕"
LEFT = 6  # columns of the axis


def draw_curve(review: Review, width: int, height: int, translate: Translator) -> TextGrid:
    """Draw the expected final points of the reviewed seats over the game; mark mistakes."""
    grid = TextGrid()
    points = [expected for seat in review.seats for _, expected, _ in seat.curve]
    times = [time for seat in review.seats for time, _, _ in seat.curve]
    if not points:
        return grid
    low, high = min(points), max(points)
    first, last = min(times), max(times)
    columns = width - LEFT - 1

    def place(time: float, value: float) -> tuple[int, int]:
        across = (time - first) / (last - first or 1)
        up = (value - low) / (high - low or 1)
        return 1 + round((height - 1) * (1 - up)), LEFT + round((columns - 1) * across)

    grid.add(translate("review.axis.points"), BOLD)
    for row in range(height):
        value = high - (high - low) * row / max(height - 1, 1)
        label = f"{value:>4.0f} │" if row % 3 == 0 or row == height - 1 else "     │"
        grid.put(1 + row, 0, label, FAINT)
    grid.put(1 + height, 0, "     └" + "─" * columns, FAINT)
    grid.put(2 + height, LEFT, translate("review.axis.moves"), FAINT)
    for seat in review.seats:
        sign, style = SIGNS[seat.seat % len(SIGNS)], coloured(COLOURS[seat.seat % len(COLOURS)])
        for time, expected, _ in seat.curve:
            grid.put(*place(time, expected), sign, style)
        for decision in seat.mistakes():
            grid.put(*place(decision.at + 1, decision.expected), MISTAKE, coloured(RED))
    grid.add()
    for seat in review.seats:
        row = grid.height
        style = coloured(COLOURS[seat.seat % len(COLOURS)])
        grid.put(row, LEFT, f"{SIGNS[seat.seat % len(SIGNS)]} {seat.name}", style)
    grid.put(grid.height, LEFT, f"{MISTAKE} {translate('cli.screen.mistake')}", coloured(RED))
    return grid
