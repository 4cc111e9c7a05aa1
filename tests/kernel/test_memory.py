"""Records in a kernel's memory as a browser sees them, without numpy.

The same addresses, the same numbers.
"""

from __future__ import annotations

import ctypes
import random

import numpy as np
import pytest

from foxclover.core.records import Record, Shape, floats, ints, one, rows, shorts, singles, tinies
from foxclover.games.clever.ai.network import Workspace as CleverWorkspace
from foxclover.games.clever.rules.state import State as CleverState
from foxclover.games.climb.ai.workspace import Workspace as ClimbWorkspace
from foxclover.games.climb.rules.state import State as ClimbState
from foxclover.kernel.memory import RecordInMemory, Row, dtype, plan


class Inner(Record):
    small: list[int] = tinies(3)
    share: float


class Mixed(Record):
    number: int
    marks: list[int] = tinies(5)
    words: list[list[int]] = shorts(2, 3)
    inner: Inner = one(Inner)
    inners: list[Inner] = rows(Inner, 2)
    halves: list[float] = singles(3)
    last: list[float] = floats(2)
    numbers: list[int] = ints(4)


class Bytes:
    """A memory of plain bytes."""

    def __init__(self, size: int) -> None:
        self.content = bytearray(size)

    def load(self, start: int, size: int) -> bytes:
        assert start + size <= len(self.content)
        return bytes(self.content[start : start + size])

    def store(self, start: int, content: bytes) -> None:
        assert start + len(content) <= len(self.content)
        self.content[start : start + len(content)] = content


@pytest.mark.parametrize(
    "record", [Mixed, CleverWorkspace, ClimbWorkspace, CleverState, ClimbState]
)
def test_fields_have_the_offsets_of_c(record: type[Record]) -> None:
    in_c = in_ctypes(record)
    assert plan(record).size == ctypes.sizeof(in_c) == dtype(record).itemsize
    assert plan(record).offsets == {name: getattr(in_c, name).offset for name in record.shapes}


NUMBERS = {
    "i8": ctypes.c_int64,
    "i4": ctypes.c_int32,
    "i2": ctypes.c_int16,
    "i1": ctypes.c_int8,
    "f8": ctypes.c_double,
    "f4": ctypes.c_float,
}


def in_ctypes(record: type[Record]) -> type[ctypes.Structure]:
    """The same record, laid out by ctypes."""
    fields = []
    for name, shape in record.shapes.items():
        kind = in_ctypes(shape.record) if shape.record else NUMBERS[shape.kind]
        for length in reversed(shape.lengths):
            kind *= length
        fields.append((name, kind))
    return type(record.__name__, (ctypes.Structure,), {"_fields_": fields})


def filled() -> Mixed:
    chance = random.Random(5)
    mixed = Mixed()
    mixed.number, mixed.marks, mixed.words = -(2**60), [1, -2, 3, -4, 5], [[1, 2, 3], [-300, 5, 6]]
    for inner in (mixed.inner, *mixed.inners):
        inner.small, inner.share = [chance.randrange(-128, 128) for _ in range(3)], chance.random()
    mixed.halves, mixed.last, mixed.numbers = (
        [0.5, -0.25, 3.0],
        [chance.random(), chance.random()],
        [7, 8, 9, -10],
    )
    return mixed


def test_a_record_is_written_as_numpy_would_and_read_back() -> None:
    memory = Bytes(1000)
    seen = RecordInMemory(memory, Mixed, 64)
    seen.write(filled())
    assert seen.read() == filled()
    seen = np.frombuffer(bytes(memory.content), dtype(Mixed), 1, 64)[0]
    assert (int(seen["number"]), seen["words"].tolist(), float(seen["inners"][1]["share"])) == (
        -(2**60),
        [[1, 2, 3], [-300, 5, 6]],
        filled().inners[1].share,
    )


def test_fields_are_read_and_written_in_place() -> None:
    seen = RecordInMemory(Bytes(1000), Mixed, 0)
    seen.write(filled())
    assert (seen.number, list(seen.words[1]), seen.inners[1].small[2]) == (
        -(2**60),
        [-300, 5, 6],
        filled().inners[1].small[2],
    )
    seen.number = 12
    seen.inner.share = 0.75
    seen.numbers[1:3] = [20, 30]
    seen.words[0][2] = -9
    now = seen.read()
    assert (now.number, now.inner.share, now.numbers, now.words[0]) == (
        12,
        0.75,
        [7, 20, 30, -10],
        [1, 2, -9],
    )
    assert [inner.share for inner in seen.inners] == [inner.share for inner in filled().inners]


def test_part_of_a_buffer_is_the_same_memory() -> None:
    whole = Row(Bytes(100), Shape("i8", (5,)), 8)
    part = whole[1:3]
    assert (len(part), part.start) == (2, 16)
    part[0] = 4
    assert list(whole) == [0, 4, 0, 0, 0]
    with pytest.raises(IndexError):
        part[2]
