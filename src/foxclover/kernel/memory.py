"""Records in the kernel's memory, read and written in place: with numpy, or without in a browser.

``pack`` and ``unpack`` copy whole records in both.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple, Protocol

from foxclover.core.records import Record, Shape

if sys.platform != "emscripten":
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

# the codes of ``struct`` for kinds of numbers
CODES = {"i8": "q", "i4": "i", "i2": "h", "i1": "b", "f8": "d", "f4": "f"}
SIZES = {kind: struct.calcsize(code) for kind, code in CODES.items()}


class Memory(Protocol):
    """The memory of a kernel as bytes."""

    def load(self, start: int, size: int) -> bytes:
        """Return bytes of the memory."""

    def store(self, start: int, content: bytes) -> None:
        """Write bytes."""


class Plan(NamedTuple):
    """The layout of a record, as in C, and the packing of all its numbers."""

    size: int
    alignment: int
    offsets: dict[str, int]
    packed: struct.Struct


@cache
def plan(record: type[Record]) -> Plan:
    """Return the layout of a record."""
    offsets: dict[str, int] = {}
    code, end, widest = "<", 0, 1
    for name, shape in record.shapes.items():
        alignment = plan(shape.record).alignment if shape.record else SIZES[shape.kind]
        start = -(-end // alignment) * alignment
        code += f"{start - end}x" + _code(shape, prod(shape.lengths))
        offsets[name], end = start, start + stride(shape) * prod(shape.lengths)
        widest = max(widest, alignment)
    size = -(-end // widest) * widest
    return Plan(size, widest, offsets, struct.Struct(code + f"{size - end}x"))


def _code(shape: Shape, count: int) -> str:
    return (
        plan(shape.record).packed.format.removeprefix("<") * count
        if shape.record
        else f"{count}{CODES[shape.kind]}"
    )


def stride(shape: Shape) -> int:
    """Return the bytes between two innermost elements of a field."""
    return plan(shape.record).size if shape.record else SIZES[shape.kind]


def pack(record: Record) -> bytes:
    """Return a record as bytes, laid out as in C."""
    return plan(type(record)).packed.pack(*record.values())


def unpack(record: type[Record], content: bytes) -> Any:
    """Return the record of a class from such bytes."""
    return record.from_values(iter(plan(record).packed.unpack(content)))


class RecordInMemory:
    """One record in a memory."""

    __slots__ = ("memory", "record", "start")

    def __init__(self, memory: Memory, record: type[Record], start: int) -> None:
        object.__setattr__(self, "memory", memory)
        object.__setattr__(self, "record", record)
        object.__setattr__(self, "start", start)

    def __getattr__(self, name: str) -> Any:
        start = self.start + plan(self.record).offsets[name]
        return see(self.memory, self.record.shapes[name], start)

    def __setattr__(self, name: str, value: float) -> None:
        start = self.start + plan(self.record).offsets[name]
        self.memory.store(start, struct.pack("<" + CODES[self.record.shapes[name].kind], value))

    def write(self, record: Record) -> None:
        """Copy a record here."""
        self.memory.store(self.start, pack(record))

    def read(self) -> Any:
        """Return a copy of the record."""
        return unpack(self.record, self.memory.load(self.start, plan(self.record).size))


class Row:
    """A buffer of numbers or records in a memory, or a part of one."""

    __slots__ = ("memory", "shape", "start")

    def __init__(self, memory: Memory, shape: Shape, start: int) -> None:
        self.memory, self.shape, self.start = memory, shape, start

    def __len__(self) -> int:
        return self.shape.lengths[0]

    def __iter__(self) -> Iterator[Any]:
        inner = self._inner
        if inner.lengths or inner.record:
            return (see(self.memory, inner, self._at(number)) for number in range(len(self)))
        content = self.memory.load(self.start, len(self) * stride(inner))
        return iter(struct.unpack(f"<{len(self)}{CODES[inner.kind]}", content))

    def __getitem__(self, index: int | slice) -> Any:
        """Return an element, or a part of the buffer."""
        if isinstance(index, slice):
            chosen = range(len(self))[index]
            return Row(
                self.memory,
                self.shape._replace(lengths=(len(chosen), *self.shape.lengths[1:])),
                self._at(chosen.start),
            )
        return see(self.memory, self._inner, self._at(range(len(self))[index]))

    def __setitem__(self, index: int | slice, value: Any) -> None:
        """Write a number, or as many as the slice is long."""
        if isinstance(index, slice):
            self[index].fill(value)
        else:
            self[index : index + 1].fill([value])

    def fill(self, numbers: Sequence[float]) -> None:
        """Write the first numbers of a buffer, all its dimensions one after another."""
        self.memory.store(
            self.start, struct.pack(f"<{len(numbers)}{CODES[self.shape.kind]}", *numbers)
        )

    @property
    def _inner(self) -> Shape:
        return self.shape._replace(lengths=self.shape.lengths[1:])

    def _at(self, number: int) -> int:
        return self.start + number * stride(self.shape) * prod(self.shape.lengths[1:])


def see(memory: Memory, shape: Shape, start: int) -> Any:
    """Return the buffer, record or number at an address."""
    if shape.lengths:
        return Row(memory, shape, start)
    if shape.record:
        return RecordInMemory(memory, shape.record, start)
    return struct.unpack("<" + CODES[shape.kind], memory.load(start, SIZES[shape.kind]))[0]


# -- as numpy arrays


@cache
def dtype(record: type[Record]) -> np.dtype[Any]:
    """Return the numpy record type of a record class, laid out as in C."""
    planned = plan(record)
    fields: Any = {
        "names": list(record.shapes),
        "formats": [
            np.dtype((dtype(shape.record) if shape.record else shape.kind, shape.lengths))
            for shape in record.shapes.values()
        ],
        "offsets": list(planned.offsets.values()),
        "itemsize": planned.size,
    }
    return np.dtype((np.record, fields))


def to_array(kind: type[Record], *records: Record) -> Array:
    """Return records of a class as a numpy array."""
    content = bytearray().join(map(pack, records))
    return np.frombuffer(content, dtype(kind)).view(np.recarray)
