"""Run the functions of the kernel in CPython: the reference, and the fallback."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any

from foxclover.core.records import Record, assign
from foxclover.kernel.program import is_stub, is_stub_module, program


@cache
def link(family: str) -> types.SimpleNamespace:
    """Return all functions of a family's program, bound to each other, as a namespace."""
    names = {
        module: dict(vars(import_module(module)))
        for module in program(family).modules
        if not is_stub_module(module)
    }
    twins = {
        (module, value.__name__): types.FunctionType(value.__code__, bound, value.__name__)
        for module, bound in names.items()
        for value in bound.values()
        if isinstance(value, types.FunctionType) and value.__module__ == module
    }
    by_name = {name: twin for (_, name), twin in twins.items()}
    for bound in names.values():
        for key, value in bound.items():
            if isinstance(value, types.FunctionType):
                own = (
                    by_name.get(value.__name__)
                    if is_stub(value)
                    else twins.get((value.__module__, value.__name__))
                )
                bound[key] = own or value
    return types.SimpleNamespace(**by_name)


class PythonKernel:
    """The functions of a family in CPython."""

    built = False

    def __init__(self, family: str) -> None:
        self.functions = link(family)

    def instance(self) -> PythonInstance:
        """Return an instance."""
        return PythonInstance(self)


class PythonInstance:
    """Records and lists instead of the kernel's memory."""

    def __init__(self, kernel: PythonKernel) -> None:
        self.kernel = kernel

    def new(self, record: type[Record], count: int | None = None) -> Any:
        """Return a blank record, or a list of ``count`` of them."""
        return record() if count is None else [record() for _ in range(count)]

    def ints(self, count: int) -> Any:
        """Return a buffer of integers."""
        return [0] * count

    def floats(self, count: int) -> Any:
        """Return a buffer of floats."""
        return [0.0] * count

    def set(self, memory: Any, record: Record) -> None:
        """Copy a record into a record of this instance."""
        assign(memory, record)

    def read(self, record: type[Record], memory: Any) -> Any:
        """Return a copy of a record."""
        assert isinstance(memory, record)
        return memory.copy()

    def fill(self, memory: Any, numbers: Any) -> None:
        """Copy an array of numbers into a buffer, which may be longer."""
        for index, row in enumerate(numbers.tolist()):
            if isinstance(row, list):
                memory[index][: len(row)] = row
            else:
                memory[index] = row

    def call(self, entry: str, *arguments: Any) -> Any:
        """Call an entry."""
        return getattr(self.kernel.functions, entry)(*arguments)

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        """Return a function that makes this call again and again."""
        return partial(getattr(self.kernel.functions, entry), *arguments)
