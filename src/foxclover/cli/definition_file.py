"""Checks data files of one kind: says what is in a file and what is wrong with it."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path

from foxclover.cli.arguments import UNUSABLE, read_bytes, report
from foxclover.cli.parser import Commands
from foxclover.locale import Say
from foxclover.shelf import all_families, check_head


def add_checker(commands: Commands, say: Say, word: str) -> None:
    """Declare the command that checks what a family calls its books."""
    parser = commands.add(word, partial(run, word))
    parser.add_argument("file", type=Path, metavar="FILE", help=say(f"cli.{word}.file"))


def run(word: str, args: Namespace, say: Say) -> int:
    """List what the checker found; exit code 1 for a file that cannot be played with."""
    family = next(family for family in all_families() if family.book_word == word)
    file, told = family.books.check(
        read_bytes(args.file, say), partial(check_head, stem=args.file.stem), say
    )
    if not report(args.file, file, say):
        return UNUSABLE
    print(told)
    return 0
