"""Which functions make up the kernel of a family of games."""

from __future__ import annotations

import hashlib
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

SECTION = "foxclover"  # of a kernel file: tells what it was made from


class Program(NamedTuple):
    """What is translated into one file: ``entries`` and all they need from ``modules``."""

    modules: tuple[
        str, ...
    ]  # all that these import of this package must be among them, so that the digest knows every source
    records: dict[str, str]  # a stand-in of a ``family`` module -> the family's own record
    entries: tuple[str, ...]  # what Python and the page may call


def families() -> list[str]:
    """All families of games."""
    package: Any = import_module("foxclover.ai")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def program(family: str) -> Program:
    """The program of a family."""
    found: Program = import_module(f"foxclover.ai.{family}").PROGRAM
    return found


def is_stand_in(value: Any) -> bool:
    """Does something of a ``family`` module stand for a family's own?"""
    return is_stand_in_module(value.__module__)


def is_stand_in_module(name: str) -> bool:
    """Does a module only declare stand-ins?"""
    return name.rpartition(".")[2] == "family"


def source_files(program: Program) -> Iterator[Path]:
    """Everything that a kernel is made from: the program's modules and what translates them."""
    root = Path(__file__).parent
    yield root.parent / "records.py"
    for name in (
        "prelude.h",
        "program.py",
        "sources.py",
        "types.py",
        "expressions.py",
        "translate.py",
        "build.py",
    ):
        yield root / name
    for name in sorted(program.modules):
        package, *path = name.split(
            "."
        )  # of the package alone: its parts need not be imported to be read
        spec = find_spec(package)
        assert spec is not None
        yield (
            Path(str(spec.origin)).parent.joinpath(*path).with_suffix(".py")
            if path
            else Path(str(spec.origin))
        )


def digest(program: Program) -> str:
    """A name for exactly these sources and entries."""
    found = hashlib.sha256(
        repr((sorted(program.records.items()), sorted(program.entries))).encode()
    )
    for file in source_files(program):
        found.update(hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).digest())
    return found.hexdigest()
