"""Which functions make up the kernel of a family of games."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple


class Program(NamedTuple):
    """What is translated into one file: ``entries`` and all they need from ``modules``."""

    modules: tuple[str, ...]
    records: dict[str, str]  # a stand-in of a ``family`` module -> the family's own record
    entries: tuple[str, ...]  # what Python and the page may call


def program(family: str) -> Program:
    """The program of a family."""
    found: Program = import_module(f"foxclover.ai.{family}").PROGRAM
    return found
