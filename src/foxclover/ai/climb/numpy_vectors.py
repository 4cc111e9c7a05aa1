"""The functions of ``vectors`` for CPython, where a whole row at a time is quicker than a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Row


def clear_row(row: Row) -> None:
    """Set a row to zero."""
    row.fill(0.0)


def copy_row(target: Row, source: Row) -> None:
    """Copy a row."""
    target[:] = source


def add_row(target: Row, row: Row, scale: float) -> None:
    """Add a multiple of a row."""
    target += row if scale == 1.0 else scale * row


def fire(hidden: Row, extra: Row, out: Row) -> float:
    """Add one more row to the hidden layer and weigh what is positive of it."""
    return float(np.maximum(hidden + extra, 0.0).dot(out))
