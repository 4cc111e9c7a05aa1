"""``foxclover deck`` and ``sheet``: print the content and the errors of a definition file."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path

from foxclover.cli.arguments import read_bytes, report
from foxclover.cli.parser import BAD_FILE, Commands, UserError
from foxclover.core.contract import AnyFamily, Head
from foxclover.core.data_file import DataFile
from foxclover.core.registry import all_families, check_head, families, find_family
from foxclover.locale import Translator


def add_deck(commands: Commands, translate: Translator) -> None:
    """Declare the command that checks a deck."""
    _add(commands, translate, "deck")


def add_sheet(commands: Commands, translate: Translator) -> None:
    """Declare the command that checks a sheet."""
    _add(commands, translate, "sheet")


def _add(commands: Commands, translate: Translator, word: str) -> None:
    parser = commands.add(word, partial(run, word))
    parser.add_argument("file", type=Path, metavar="FILE", help=translate(f"cli.{word}.file"))


def run(word: str, args: Namespace, translate: Translator) -> int:
    """Print the findings of the checker."""
    source, head = read_bytes(args.file, translate), partial(check_head, stem=args.file.stem)
    family = next(family for family in all_families() if family.kind == word)
    file, told = family.definitions.check(source, head, translate)
    if file.errors and (
        other := next(
            (
                one
                for one in all_families()
                if one is not family and is_of(one, source, head, translate)
            ),
            None,
        )
    ):
        raise UserError(translate(f"cli.data.is_{other.kind}", file=args.file))
    if not report(args.file, file, translate):
        return BAD_FILE
    print(told)
    return 0


def is_of(
    family: AnyFamily, source: bytes, head: Callable[[DataFile], Head], translate: Translator
) -> bool:
    """Return whether a file names a family, or is a definition of it without any error."""
    named = DataFile(source).data.get("family")
    return (
        find_family(named) is family
        if named in families()
        else not family.definitions.check(source, head, translate)[0].errors
    )
