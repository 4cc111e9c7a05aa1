"""The few loops over a hidden layer, written for the compiler; ``numpy_vectors`` says the same for CPython."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Floats, Number, Row


def clear_row(row: Row) -> None:
    """Set a row to zero."""
    for j in range(row.shape[0]):
        row[j] = 0.0


def copy_row(target: Row, source: Row) -> None:
    """Copy a row."""
    for j in range(target.shape[0]):
        target[j] = source[j]


def add_row(target: Row, row: Row, scale: float) -> None:
    """Add a multiple of a row."""
    for j in range(target.shape[0]):
        target[j] += scale * row[j]


def fire(hidden: Row, extra: Row, out: Row) -> float:
    """Add one more row to the hidden layer and weigh what is positive of it."""
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    for j in range(0, hidden.shape[0], 4):
        # Four sums side by side: no addition waits for the one before.
        a += max(hidden[j] + extra[j], 0.0) * out[j]
        b += max(hidden[j + 1] + extra[j + 1], 0.0) * out[j + 1]
        c += max(hidden[j + 2] + extra[j + 2], 0.0) * out[j + 2]
        d += max(hidden[j + 3] + extra[j + 3], 0.0) * out[j + 3]
    return (a + b) + (c + d)


def look_up(table: Floats, at: Number) -> Number:
    """The entry of a table at a whole number."""
    return table[int(at)]
