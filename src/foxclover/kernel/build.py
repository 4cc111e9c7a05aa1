"""Build the kernel: C to WebAssembly, with the pinned compiler. Only developers need this."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from foxclover.core.registry import families
from foxclover.kernel import COMMAND, kernel_file
from foxclover.kernel.program import SECTION, Program, digest, program
from foxclover.kernel.translate import translate
from foxclover.kernel.wasm import cache_directory

COMPILER = (
    sys.executable,
    "-m",
    "ziglang",
    "cc",
    "--target=wasm32-freestanding",
    "-mcpu=generic+simd128+bulk_memory+atomics",
)
LINKED = (
    "-Wl,--no-entry",
    "-Wl,--export=__heap_base",
    f"-Wl,-z,stack-size={1 << 18}",
    "-fvisibility=hidden",
)
# No fused multiply-add: every platform computes the same numbers.
SEMANTICS = ("-ffp-contract=off", "-w")
FAST = ("-O3", "-fwrapv", "-fno-sanitize=undefined", "-g0")
CHECKING = ("-O1", "-DCHECKING", "-fsanitize=undefined", "-fsanitize-trap=undefined")
HEADER = 8  # bytes of a WebAssembly file before its first section
CUSTOM = 0  # a section that runtimes skip


def build(source: Program, *, checking: bool = False) -> bytes:
    """Return the WebAssembly file of a program.

    A checking build traps at every index, overflow or shift that Python refuses.
    """
    with tempfile.TemporaryDirectory() as folder:
        code, target = Path(folder) / "kernel.c", Path(folder) / "kernel.wasm"
        code.write_text(translate(source), encoding="utf-8")
        command = [
            *COMPILER,
            *SEMANTICS,
            *(CHECKING if checking else FAST),
            *LINKED,
            "-o",
            target.name,
            code.name,
        ]
        caches = {
            "ZIG_GLOBAL_CACHE_DIR": str(cache_directory() / "compiler"),
            "ZIG_LOCAL_CACHE_DIR": f"{folder}/cache",
        }
        subprocess.run(command, check=True, cwd=folder, env={**os.environ, **caches})
        return _labelled(_stripped(target.read_bytes()), digest(source))


def _stripped(wasm: bytes) -> bytes:
    """Return only the code, and the names of functions for messages."""
    kept, at = wasm[:HEADER], HEADER
    while at < len(wasm):
        size, start = _number(wasm, at + 1)
        length, name = _number(wasm, start)
        if wasm[at] != CUSTOM or wasm[name : name + length] == b"name":
            kept += wasm[at : start + size]
        at = start + size
    return kept


def _number(wasm: bytes, at: int) -> tuple[int, int]:
    """Return a number in LEB128, as WebAssembly writes it, and its end."""
    number = shift = 0
    while True:
        number |= (wasm[at] & 0x7F) << shift
        shift += 7
        at += 1
        if wasm[at - 1] < 0x80:
            return number, at


def _labelled(wasm: bytes, sources: str) -> bytes:
    """Append a custom section with the digests of the sources and of the file."""
    label = {"digest": sources, "size": len(wasm), "sha256": hashlib.sha256(wasm).hexdigest()}
    content = _counted(SECTION.encode()) + json.dumps(label).encode()
    return wasm + bytes((CUSTOM,)) + _counted(content)


def _counted(content: bytes) -> bytes:
    length, number = b"", len(content)
    while number >= 0x80:
        length += bytes((number & 0x7F | 0x80,))
        number >>= 7
    return length + bytes((number,)) + content


def main(arguments: list[str]) -> int:
    """Build the kernels of all families, or only compare (``--check``)."""
    outdated = []
    for family in families():
        built, file = build(program(family)), kernel_file(family)
        if not file.exists() or file.read_bytes() != built:
            outdated.append(file.name)
            if "--check" not in arguments:
                file.write_bytes(built)
        print(f"{file.name}: {len(built):,} bytes, sha256 {hashlib.sha256(built).hexdigest()}")
    if outdated and "--check" in arguments:
        print(f"Built from other sources: {', '.join(outdated)}. Run {COMMAND}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
