"""``foxclover backup``: a copy of the server's SQLite file, also while the server runs."""

from __future__ import annotations

import sqlite3
from argparse import Namespace
from pathlib import Path

from foxclover.cli.errors import UserError
from foxclover.cli.folders import data_folder
from foxclover.cli.parser import Commands
from foxclover.locale import Say
from foxclover.server.sqlite import FILE


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("backup", run)
    parser.add_argument("target", metavar="FILE", type=Path, help=say("cli.backup.file"))
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=say("cli.serve.data")
    )


def run(args: Namespace, say: Say) -> int:
    """Copy the file as it is at one moment."""
    source = args.data / FILE
    if not source.is_file():
        raise UserError(say("cli.backup.nothing", file=source))
    if args.target.exists():
        raise UserError(say("cli.backup.exists", file=args.target))
    try:
        left, right = (
            sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True),
            sqlite3.connect(args.target),
        )
        try:
            left.backup(right)
            args.target.chmod(0o600)
        finally:
            left.close()
            right.close()
    except (sqlite3.Error, OSError) as error:
        args.target.unlink(missing_ok=True)
        raise UserError(say("cli.backup.failed", problem=error)) from None
    print(say("cli.backup.done", file=args.target))
    return 0
