"""The kernel: the rules and what thinks on top of them, built ahead from the one source and run by Python and by the browser.

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

from foxclover.kernel.errors import KernelError, KernelWarning
from foxclover.kernel.plain import PlainKernel
from foxclover.kernel.program import SECTION, digest, program
from foxclover.records import Record

__all__ = ["Instance", "Kernel", "KernelError", "KernelWarning", "kernel_file", "open_kernel"]

COMMAND = "tools/kernel"  # builds the files anew
MAGIC = b"\0asm"


class Instance(Protocol):
    """Room that a kernel's functions work in, for one thread at a time."""

    def new(self, record: type[Record], count: int | None = None) -> Any:
        """A blank record, or a row of them."""

    def ints(self, count: int) -> Any:
        """A buffer of integers."""

    def floats(self, count: int) -> Any:
        """A buffer of floats."""

    def set(self, memory: Any, record: Record) -> None:
        """Copy a record into one that was made here."""

    def read(self, record: type[Record], memory: Any) -> Any:
        """A copy of a record."""

    def fill(self, memory: Any, numbers: Any) -> None:
        """Copy an array of numbers into a buffer, which may be longer."""

    def call(self, entry: str, *arguments: Any) -> Any:
        """Call an entry; raises ``KernelError`` if the kernel stops in the middle."""

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        """A call with these arguments that can be made again and again, quickly."""


class Kernel(Protocol):
    """The functions of a family of games."""

    built: bool  # False: CPython runs them

    def instance(self) -> Instance:
        """Room to work in, one for each thread."""


def kernel_file(family: str) -> Path:
    """Where the built kernel of a family lies."""
    return Path(__file__).parent / f"{family}.wasm"


@cache
def open_kernel(family: str) -> Kernel:
    """The built kernel of a family; where it cannot be used, CPython, with a ``KernelWarning`` that says why."""
    try:
        wasm = kernel_file(family).read_bytes()
        if sys.platform == "emscripten":  # what a site is made from was checked when it was built
            from foxclover.kernel.javascript import JavaScriptKernel

            return JavaScriptKernel(wasm)
        problem = _problem(family, wasm)
        if not problem:
            from foxclover.kernel.wasm import WasmKernel

            return WasmKernel(family, wasm)
    except OSError as error:
        problem = f"the kernel file {kernel_file(family).name} cannot be read ({error.strerror}); {COMMAND} builds it"
    except ImportError:
        problem = "wasmtime is not installed"
    warnings.warn(
        KernelWarning(f"CPython runs the rules, many times slower: {problem}."), stacklevel=2
    )
    return PlainKernel(family)


def _problem(family: str, wasm: bytes) -> str:
    """Why a kernel file cannot be used; nothing if it can."""
    file = kernel_file(family).name
    told = label(wasm)
    if told is None:
        return f"the kernel file {file} is damaged; {COMMAND} builds it anew"
    if told["digest"] != digest(program(family)):
        return f"the kernel file {file} was built from other sources; {COMMAND} builds it anew"
    return ""


def label(wasm: bytes) -> dict[str, Any] | None:
    """What a kernel file says about itself in its last section; None if it says nothing or is not as it was built."""
    start = wasm.rfind(SECTION.encode() + b"{")
    if not wasm.startswith(MAGIC) or start < 0:
        return None
    try:
        told: dict[str, Any] = json.loads(wasm[start + len(SECTION) :])
        whole = hashlib.sha256(wasm[: told["size"]]).hexdigest() == told["sha256"]
    except (ValueError, KeyError, TypeError):
        return None
    return told if whole else None
