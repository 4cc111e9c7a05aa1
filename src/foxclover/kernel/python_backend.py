"""The kernel's functions run by CPython: the referee, and what is left where the built kernel cannot be used."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

from foxclover.kernel.link import link
from foxclover.records import Record, assign


class PlainKernel:
    """A family's functions in CPython."""

    built = False

    def __init__(self, family: str) -> None:
        self.functions = link(family)

    def instance(self) -> PlainInstance:
        """Room to work in."""
        return PlainInstance(self)


class PlainInstance:
    """Records and lists instead of the kernel's memory."""

    def __init__(self, kernel: PlainKernel) -> None:
        self.kernel = kernel

    def new(self, record: type[Record], count: int | None = None) -> Any:
        """A blank record, or a list of them."""
        return record() if count is None else [record() for _ in range(count)]

    def ints(self, count: int) -> Any:
        """A buffer of integers."""
        return [0] * count

    def floats(self, count: int) -> Any:
        """A buffer of floats."""
        return [0.0] * count

    def set(self, memory: Any, record: Record) -> None:
        """Copy a record into one that was made here."""
        assign(memory, record)

    def read(self, record: type[Record], memory: Any) -> Any:
        """A copy of a record."""
        assert isinstance(memory, record)
        return memory.copy()

    def fill(self, memory: Any, numbers: Any) -> None:
        """Copy an array of numbers into a buffer; it may be shorter than that."""
        rows = numbers.tolist()
        for index, row in zip(itertools.count(), rows, strict=False):
            if isinstance(row, list):
                memory[index][: len(row)] = row
            else:
                memory[index] = row

    def call(self, entry: str, *arguments: Any) -> Any:
        """Call an entry."""
        return getattr(self.kernel.functions, entry)(*arguments)

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        """A call with these arguments that can be made again and again."""
        return partial(getattr(self.kernel.functions, entry), *arguments)
