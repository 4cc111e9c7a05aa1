"""Kernels for tests, compiled once for all runs and workers and found by their digest."""

from __future__ import annotations

import hashlib
import os
import time
from importlib.metadata import version

from foxclover.kernel import build as compiler
from foxclover.kernel.program import Program, digest
from foxclover.kernel.translate import translate
from foxclover.kernel.wasm import cache_directory

FOLDER = cache_directory() / "tests"
KEPT = 14 * 86_400  # seconds after its last use


def build(source: Program, *, checking: bool = False) -> bytes:
    """Return the WebAssembly file of a program, as ``foxclover.kernel.build.build`` does."""
    flags = (compiler.COMPILER[1:], compiler.SEMANTICS, compiler.LINKED)
    variant = compiler.CHECKING if checking else compiler.FAST
    parts = (translate(source), digest(source), flags, variant, version("ziglang"))
    file = FOLDER / f"{hashlib.sha256(repr(parts).encode()).hexdigest()}.wasm"
    if file.is_file():
        os.utime(file)
        return file.read_bytes()
    made = compiler.build(source, checking=checking)
    FOLDER.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(f".{os.getpid()}")
    draft.write_bytes(made)
    draft.replace(file)
    for old in FOLDER.glob("*.wasm"):
        if old.stat().st_mtime < time.time() - KEPT:
            old.unlink(missing_ok=True)
    return made
