"""``foxclover sheet``: checks a sheet of a Clever game and says what is in it and what is wrong with it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from foxclover.clever.sheet_file import FOX, read_sheet
from foxclover.cli.arguments import UNUSABLE, read_bytes, report
from foxclover.cli.parser import Commands
from foxclover.locale import Say
from foxclover.shelf import check_head


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("sheet", run)
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.sheet.file"))


def run(args: Namespace, say: Say) -> int:
    """List what the checker found; exit code 1 for a sheet that cannot be played with."""
    sheet = read_sheet(read_bytes(args.file, say))
    if sheet.file.data:
        head = check_head(sheet.file, args.file.stem)
    if not report(args.file, sheet.file, say):
        return UNUSABLE
    fields = sum(len(area.cells) for area in sheet.areas)
    letters = " ".join(f"{letter}={name}" for letter, name in zip(sheet.letters, sheet.dice, strict=True))
    print(say("cli.sheet.fine", title=head.title, letters=letters, fields=fields, foxes=sheet.bonuses.count(FOX)))
    return 0
