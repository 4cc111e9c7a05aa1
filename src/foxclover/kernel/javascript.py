"""Run the built kernel in the WebAssembly of a browser, beside Python itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from foxclover_host import compile_kernel  # web/src/site/kernel.ts
from pyodide.ffi import JsException, to_js

from foxclover.core.records import Record, Shape
from foxclover.kernel import KernelError
from foxclover.kernel.memory import RecordInMemory, Row, plan, stride

ALIGNMENT = 64
ADDRESS, INTEGER, FLOAT = "aif"  # kinds of words in a call


class JavaScriptKernel:
    """A family's kernel."""

    built = True

    def __init__(self, wasm: bytes) -> None:
        self.module = compile_kernel(to_js(wasm))

    def instance(self) -> _Instance:
        """Return a fresh memory and the functions that work on it."""
        return _Instance(self.module.instance())


class _Instance:
    """A memory and the functions that work on it, as ``kernel.Instance`` describes them."""

    def __init__(self, host: Any) -> None:
        self.host = host
        self.top = int(host.heapBase)

    # -- memory

    def load(self, start: int, size: int) -> bytes:
        return bytes(self.host.view(start, size).to_bytes())

    def store(self, start: int, content: bytes) -> None:
        self.host.view(start, len(content)).assign(content)

    def _allocate(self, shape: Shape, count: int) -> int:
        start = math.ceil(self.top / ALIGNMENT) * ALIGNMENT
        size = stride(shape) * count
        try:
            self.host.reserve(start + size)
        except JsException:
            raise KernelError(
                f"there is no memory for {size:,} more bytes: do less at once"
            ) from None
        self.top = start + size
        return start

    def _buffer(self, shape: Shape) -> Row:
        return Row(self, shape, self._allocate(shape, shape.lengths[0]))

    def new(self, record: type[Record], count: int | None = None) -> Any:
        shape = Shape(record=record)
        return (
            RecordInMemory(self, record, self._allocate(shape, 1))
            if count is None
            else self._buffer(shape._replace(lengths=(count,)))
        )

    def ints(self, count: int) -> Any:
        return self._buffer(Shape("i8", (count,)))

    def floats(self, count: int) -> Any:
        return self._buffer(Shape("f8", (count,)))

    def set(self, memory: Any, record: Record) -> None:
        memory.write(record)

    def read(self, record: type[Record], memory: Any) -> Any:
        assert plan(record) is plan(memory.record)
        return memory.read()

    def fill(self, memory: Any, numbers: Any) -> None:
        memory.fill(numbers.numbers)

    # -- calls

    def call(self, entry: str, *arguments: Any) -> Any:
        return self.prepare(entry, *arguments)()

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        kinds = ""
        words: list[int | float] = []
        for argument in arguments:
            if isinstance(argument, RecordInMemory | Row):
                kinds, words = kinds + ADDRESS, [*words, argument.start]
            if isinstance(argument, Row):
                kinds, words = kinds + INTEGER, [*words, len(argument)]
            elif not isinstance(argument, RecordInMemory):
                kinds, words = (
                    kinds + (FLOAT if isinstance(argument, float) else INTEGER),
                    [*words, argument],
                )
        return partial(self._call, entry, kinds, to_js(words))

    def _call(self, entry: str, kinds: str, words: Any) -> Any:
        try:
            return self.host.call(entry, kinds, words)
        except JsException as error:
            raise KernelError(f"the kernel stopped in {entry} ({error})") from None
