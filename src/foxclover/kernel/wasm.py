"""Run the built kernel with wasmtime; every instance has a memory that numpy sees as records.

``prepare`` calls private interfaces of wasmtime: the public call takes 10 to 30 times as long. So
``pyproject.toml`` pins the version, and ``tests/kernel/test_wasmtime_pin.py`` checks the pin.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import math
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import wasmtime
from wasmtime import _ffi as ffi

from foxclover.core.records import Record
from foxclover.kernel import KernelError
from foxclover.kernel.memory import dtype, pack, plan, unpack

ALIGNMENT = 64
PAGE = 1 << 16
MOST_PAGES = 1 << 15  # 2 GiB
OLD_CACHE = re.compile("[0-9a-f]{16}")
KEPT = 8  # compiled modules of a family, of all versions: those used last
STAMP = 32  # bytes of the digest in front of a cached module


@cache
def engine() -> wasmtime.Engine:
    """Return the engine that compiles and runs all kernels of this process."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    made = wasmtime.Engine(config)
    atexit.register(made.close)  # before Python unloads wasmtime itself
    return made


class WasmKernel:
    """The compiled kernel of a family, with an instance for every thread."""

    built = True

    def __init__(self, family: str, wasm: bytes) -> None:
        self.family = family
        self.engine = engine()  # racing threads may each create an engine
        self.module = _load(self.engine, family, wasm)
        weakref.finalize(self, self.module.close)  # before Python unloads wasmtime

    def instance(self) -> WasmInstance:
        """Return a fresh memory and the functions that work on it."""
        return WasmInstance(self)


def _load(using: wasmtime.Engine, family: str, wasm: bytes) -> wasmtime.Module:
    """Return the compiled module from the cache, or compile and cache it."""
    name = hashlib.sha256(wasm + version("wasmtime").encode()).hexdigest()[:16]
    kept = cache_directory() / f"{family}-{name}.module"
    with suppress(OSError, wasmtime.WasmtimeError):
        stamp, code = (content := kept.read_bytes())[:STAMP], content[STAMP:]
        if hashlib.sha256(code).digest() == stamp:  # a damaged module could do anything
            module = wasmtime.Module.deserialize(using, code)
            with suppress(OSError):
                kept.touch()
            return module
    module = wasmtime.Module(using, wasm)
    with suppress(OSError):
        code = bytes(module.serialize())
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            file.write(hashlib.sha256(code).digest() + code)
        Path(file.name).replace(kept)
        _remove_old_caches(family)
    return module


def _remove_old_caches(family: str) -> None:
    """Remove modules of earlier versions that were not used lately, and folders of old caches."""
    for folder in cache_directory().glob(f"{family}-*"):
        if folder.is_dir() and OLD_CACHE.fullmatch(folder.name.removeprefix(f"{family}-")):
            shutil.rmtree(folder, ignore_errors=True)
    for module in sorted(
        cache_directory().glob(f"{family}-*.module"), key=lambda file: file.stat().st_mtime
    )[:-KEPT]:
        module.unlink(missing_ok=True)


def cache_directory() -> Path:
    """Return the user's folder for compiled modules."""
    from platformdirs import user_cache_path

    return user_cache_path("foxclover", appauthor=False)


class WasmInstance:
    """A memory and the functions that work on it, for one thread at a time."""

    def __init__(self, kernel: WasmKernel) -> None:
        self.kernel = kernel
        self.store = wasmtime.Store(kernel.engine)
        weakref.finalize(self, self.store.close)
        self.exports: dict[str, Any] = {
            **wasmtime.Instance(self.store, kernel.module, []).exports(self.store)
        }
        self.memory = self.exports["memory"]
        self.base = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        self.top = int(self.exports["__heap_base"].value(self.store))

    # -- memory

    def _allocate(self, kind: np.dtype[Any], count: int) -> Any:
        """Return ``count`` zeroed elements, which live as long as the instance or a view."""
        start = math.ceil(self.top / ALIGNMENT) * ALIGNMENT
        size = kind.itemsize * count
        missing = math.ceil((start + size) / PAGE) - self.memory.size(self.store)
        if missing > 0:
            self._grow(missing, size)
        self.top = start + size
        raw: Any = (ctypes.c_char * size).from_address(self.base + start)
        raw.owner = self
        return np.frombuffer(raw, kind)

    def _grow(self, pages: int, size: int) -> None:
        try:
            if self.memory.size(self.store) + pages > MOST_PAGES:
                raise KernelError(
                    f"the kernel has no room for {size:,} more bytes: do less at once"
                )
            self.memory.grow(self.store, pages)
        except wasmtime.WasmtimeError:
            raise KernelError(
                f"there is no memory for {size:,} more bytes: do less at once, or on fewer threads"
            ) from None
        if ctypes.addressof(self.memory.data_ptr(self.store).contents) != self.base:
            raise KernelError("the kernel's memory has moved: this platform cannot run it")

    def new(self, record: type[Record], count: int | None = None) -> Any:
        """Return a blank record, or an array of ``count`` of them, in the kernel's memory."""
        array = self._allocate(dtype(record), 1 if count is None else count).view(np.recarray)
        # An array without dimensions: the address of an element would be slow to find.
        return array.reshape(()) if count is None else array

    def ints(self, count: int) -> Any:
        """Return a buffer of integers."""
        return self._allocate(np.dtype(np.int64), count)

    def floats(self, count: int) -> Any:
        """Return a buffer of floats."""
        return self._allocate(np.dtype(np.float64), count)

    def set(self, memory: Any, record: Record) -> None:
        """Copy a record into a record of this instance."""
        content = pack(record)
        ctypes.memmove(_address(memory), content, len(content))

    def read(self, record: type[Record], memory: Any) -> Any:
        """Return a copy of a record."""
        return unpack(record, ctypes.string_at(_address(memory), plan(record).size))

    def fill(self, memory: Any, numbers: Any) -> None:
        """Copy an array of numbers into a buffer, which may be longer."""
        memory[tuple(slice(length) for length in numbers.shape)] = numbers

    # -- calls

    def call(self, entry: str, *arguments: Any) -> Any:
        """Call an entry; a trap becomes a ``KernelError`` that names the function."""
        try:
            return self.exports[entry](self.store, *self._words(arguments))
        except wasmtime.Trap as trap:
            raise KernelError(self._message(entry, trap)) from None

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        """Return a function that makes this call again and again.

        The conversion of arguments takes longer than a step of a game.
        """
        function, words = self.exports[entry], self._words(arguments)
        types = function.type(self.store)
        given = (ffi.wasmtime_val_t * len(words))()
        for n, (kind, word) in enumerate(zip(types.params, words, strict=True)):
            given[n] = wasmtime.Val._convert_to_raw(self.store, kind, word)
        results = (ffi.wasmtime_val_t * len(types.results))()
        whole = [kind == wasmtime.ValType.i64() for kind in types.results]
        trap = ctypes.POINTER(ffi.wasm_trap_t)()
        context, called = self.store._context(), ctypes.byref(function._func)
        rest = (given, len(words), results, len(results), ctypes.byref(trap))

        def call() -> Any:
            error = ffi.wasmtime_func_call(context, called, *rest)
            if bool(error):  # not a null pointer
                raise KernelError(
                    f"the kernel cannot call {entry}: {wasmtime.WasmtimeError._from_ptr(error)}"
                )
            if bool(trap):
                message = self._message(entry, wasmtime.Trap._from_ptr(trap))
                ctypes.memset(ctypes.byref(trap), 0, ctypes.sizeof(trap))
                raise KernelError(message)
            return (results[0].of.i64 if whole[0] else results[0].of.f64) if whole else None

        return call

    def _words(self, arguments: tuple[Any, ...]) -> list[int | float]:
        """Convert arguments to words: addresses, lengths, numbers."""
        words: list[int | float] = []
        for argument in arguments:
            if isinstance(argument, np.ndarray | np.void):
                words += [self._offset(_address(argument)), *argument.shape[:1]]
            else:
                words.append(argument if isinstance(argument, float) else int(argument))
        return words

    def _offset(self, address: int) -> int:
        offset = address - self.base
        if not 0 <= offset < self.top:
            raise KernelError("what is passed to the kernel must be in its memory")
        return offset

    def _message(self, entry: str, trap: wasmtime.Trap) -> str:
        reason = trap.message.splitlines()[-1].strip().removeprefix("wasm trap: ")
        inner = next((frame.func_name for frame in trap.frames if frame.func_name), None) or entry
        line = self.exports["fault_line"](self.store) if "fault_line" in self.exports else 0
        where = f"{reason}, line {line}" if line else reason
        name = inner.removeprefix("k_").removeprefix("export_")
        return f"the kernel stopped in {name} ({where}), called by {entry}"


def _address(memory: Any) -> int:
    if isinstance(memory, np.ndarray):
        return memory.ctypes.data
    return int(memory.__array_interface__["data"][0])
