"""The few loops over a hidden layer."""

from __future__ import annotations


def clear_row(row: list[float]) -> None:
    """Set a row to zero."""
    for j in range(len(row)):
        row[j] = 0.0


def copy_row(target: list[float], source: list[float]) -> None:
    """Copy a row."""
    for j in range(len(target)):
        target[j] = source[j]


def add_row(target: list[float], row: list[float], scale: float) -> None:
    """Add a multiple of a row."""
    for j in range(len(target)):
        target[j] += scale * row[j]


def fire(hidden: list[float], extra: list[float], out: list[float]) -> float:
    """Add one more row to the hidden layer and weigh what is positive of it."""
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    for j in range(0, len(hidden), 4):
        # Four sums side by side: no addition waits for the one before.
        a += max(hidden[j] + extra[j], 0.0) * out[j]
        b += max(hidden[j + 1] + extra[j + 1], 0.0) * out[j + 1]
        c += max(hidden[j + 2] + extra[j + 2], 0.0) * out[j + 2]
        d += max(hidden[j + 3] + extra[j + 3], 0.0) * out[j + 3]
    return (a + b) + (c + d)
