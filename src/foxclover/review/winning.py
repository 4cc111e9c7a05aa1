"""Chances to win over a game: what is expected of everybody, and how much luck is still to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[np.float64]]

STEPS = 161
REACH = 4.0  # deviations looked at, both ways
LEAST = 0.5  # points of uncertainty that are left to the end: they break ties


def chances_to_win(expected: Sequence[float], variances: Sequence[float]) -> list[float]:
    """Everybody's chance to have the most points, if final points are spread like bells, independently, around what is expected."""
    import numpy as np

    means = np.asarray(expected, float)
    deviations = np.maximum(np.sqrt(np.asarray(variances, float)), LEAST)
    steps = np.linspace(-REACH, REACH, STEPS)
    weights = np.exp(-(steps**2) / 2)
    shares = np.empty(len(means))
    for seat in range(len(means)):
        points = means[seat] + deviations[seat] * steps
        below = np.ones(STEPS)
        for other in range(len(means)):
            if other != seat:
                below *= _bell_below((points - means[other]) / deviations[other])
        shares[seat] = (weights * below).sum()
    return [float(share) for share in shares / shares.sum()]


def _bell_below(deviations: Numbers) -> Numbers:
    """The share of a bell curve below so many deviations (Abramowitz and Stegun 7.1.26; off by less than 2e-7)."""
    import numpy as np

    x = np.abs(deviations) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * x)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * np.exp(-x * x)
    below: Numbers = np.where(deviations < 0, tail / 2, 1 - tail / 2)
    return below
