"""Run the kernel: rules and computer players, built from one source for Python and the browser.

>>> from foxclover.kernel import open_kernel
>>> instance = open_kernel("clever").instance()
>>> numbers = instance.ints(4)
>>> instance.call("seed_rng", numbers, 7, 0)
>>> instance.call("below", numbers, 6) in range(6)
True
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from foxclover.core.records import Record
from foxclover.core.registry import GAMES
from foxclover.kernel.program import SECTION, digest, program
from foxclover.kernel.python_backend import PythonKernel

__all__ = ["Instance", "Kernel", "KernelError", "KernelWarning", "kernel_file", "open_kernel"]

COMMAND = "tools/kernel"  # builds the files
MAGIC = b"\0asm"


class KernelError(RuntimeError):
    """The kernel has stopped or refuses a call; the message explains why."""


class KernelWarning(UserWarning):
    """The built kernel is not usable: CPython runs the same functions, slowly."""


class Instance(Protocol):
    """Memory and functions of a kernel, for one thread at a time."""

    def new(self, record: type[Record], count: int | None = None) -> Any:
        """Return a blank record, or a buffer of ``count`` of them."""

    def ints(self, count: int) -> Any:
        """Return a buffer of integers."""

    def floats(self, count: int) -> Any:
        """Return a buffer of floats."""

    def set(self, memory: Any, record: Record) -> None:
        """Copy a record into a record of this instance."""

    def read(self, record: type[Record], memory: Any) -> Any:
        """Return a copy of a record."""

    def fill(self, memory: Any, numbers: Any) -> None:
        """Copy an array of numbers into a buffer, which may be longer."""

    def call(self, entry: str, *arguments: Any) -> Any:
        """Call an entry; raise ``KernelError`` if the kernel traps."""

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        """Return a function that makes this call quickly, again and again."""


class Kernel(Protocol):
    """The functions of a family of games."""

    built: bool  # False: CPython runs them

    def instance(self) -> Instance:
        """Return an instance; every thread needs its own."""


def kernel_file(family: str) -> Path:
    """Return the path of the built kernel of a family."""
    return GAMES / family / f"{family}.wasm"


@cache
def open_kernel(family: str) -> Kernel:
    """Return the built kernel of a family.

    If it is not usable, warn with a ``KernelWarning`` and return the Python backend.
    """
    try:
        wasm = kernel_file(family).read_bytes()
        if sys.platform == "emscripten":  # the build of the site checked it
            from foxclover.kernel.javascript import JavaScriptKernel

            return JavaScriptKernel(wasm)
        problem = _problem(family, wasm)
        if not problem:
            from foxclover.kernel.wasm import WasmKernel

            return WasmKernel(family, wasm)
    except OSError as error:
        file = kernel_file(family).name
        problem = f"the kernel file {file} cannot be read ({error.strerror}); {COMMAND} builds it"
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "wasmtime"
        problem = "wasmtime is not installed" if missing else f"wasmtime cannot run it ({error})"
    warnings.warn(
        KernelWarning(f"CPython runs the rules, many times slower: {problem}."), stacklevel=2
    )
    return PythonKernel(family)


def _problem(family: str, wasm: bytes) -> str:
    """Return why a kernel file is not usable; empty if it is."""
    file, found = kernel_file(family).name, label(wasm)
    if found is None:
        return f"the kernel file {file} is damaged; {COMMAND} builds it again"
    if found["digest"] != digest(program(family)):
        return f"the kernel file {file} was built from other sources; {COMMAND} builds it again"
    return ""


def label(wasm: bytes) -> dict[str, Any] | None:
    """Return the label in the last section of a kernel file.

    Return None if there is no label or the file is not as it was built.
    """
    start = wasm.rfind(SECTION.encode() + b"{")
    if not wasm.startswith(MAGIC) or start < 0:
        return None
    try:
        found: dict[str, Any] = json.loads(wasm[start + len(SECTION) :])
        whole = hashlib.sha256(wasm[: found["size"]]).hexdigest() == found["sha256"]
    except (ValueError, KeyError, TypeError):
        return None
    return found if whole else None
