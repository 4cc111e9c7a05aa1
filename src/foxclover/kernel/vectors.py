"""Loops over many numbers; the built kernel has vectorised versions of most in ``prelude.h``."""

from __future__ import annotations

BITS = 32  # numbers compared at once


def positive_bits(values: list[float], start: int) -> int:
    """Return a mask of the ``BITS`` numbers from an index on.

    Bit n is set if number n of them is positive.
    """
    bits = 0
    for n in range(BITS):
        if values[start + n] > 0:
            bits |= 1 << n
    return bits


def differing_bits(a: list[int], b: list[int], start: int) -> int:
    """Return a mask of the ``BITS`` numbers from an index on.

    Bit n is set if number n differs between two lists.
    """
    bits = 0
    for n in range(BITS):
        if a[start + n] != b[start + n]:
            bits |= 1 << n
    return bits


def exchange_rows(
    sums: list[float],
    rows: list[list[float]],
    added: list[int],
    removed: list[int],
    count: int,
    width: int,
) -> None:
    """Add ``count`` rows to sums, subtract as many others. The width is a multiple of 16."""
    for n in range(count):
        a = added[n]
        r = removed[n]
        for i in range(width):
            sums[i] += rows[a][i] - rows[r][i]


def weigh_rows(
    sums: list[float],
    rows: list[list[float]],
    chosen: list[int],
    factors: list[float],
    count: int,
    width: int,
) -> None:
    """Add ``count`` chosen rows to sums, each times the factor of its index, four at a time.

    The width is a multiple of 16.
    """
    n = 0
    while n + 4 <= count:
        a = chosen[n]
        b = chosen[n + 1]
        c = chosen[n + 2]
        d = chosen[n + 3]
        for i in range(width):
            sums[i] += (
                factors[a] * rows[a][i]
                + factors[b] * rows[b][i]
                + factors[c] * rows[c][i]
                + factors[d] * rows[d][i]
            )
        n += 4
    while n < count:
        a = chosen[n]
        for i in range(width):
            sums[i] += factors[a] * rows[a][i]
        n += 1


def lowest_bit(bits: int) -> int:
    """Return the number of the lowest bit set in a positive mask."""
    return ((bits & -bits) - 1).bit_count()
