"""States from lists of numbers, which may come from anywhere."""

from __future__ import annotations

from math import prod

from foxclover.contract import AnyState
from foxclover.records import Record


def load_state(kind: type[AnyState], values: object) -> AnyState:
    """Rebuild a state from the numbers that ``values`` gave; raises ``ValueError`` for what it cannot have given."""
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise ValueError("this is no position: a state is a list of whole numbers")
    numbers = iter(values)
    try:
        state = kind.from_values(numbers)
    except StopIteration:
        raise ValueError("this is no position: numbers are missing") from None
    if next(numbers, None) is not None:
        raise ValueError("this is no position: there are too many numbers")
    for value, largest in zip(values, _largest(kind), strict=True):
        if not -largest - 1 <= value <= largest:
            raise ValueError(f"this is no position: no state can hold the number {value}")
    return state


def _largest(record: type[Record]) -> list[int]:
    """The largest number that each place of a record's ``values`` can hold."""
    found: list[int] = []
    for shape in record.shapes.values():
        once = _largest(shape.record) if shape.record else [(1 << 8 * int(shape.kind[1:]) - 1) - 1]
        found += once * prod(shape.lengths)
    return found
