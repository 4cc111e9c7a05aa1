"""``foxclover backup`` and ``copy-data``: copy the data of a server."""

from __future__ import annotations

import sqlite3
from argparse import Namespace
from pathlib import Path

from foxclover.cli.parser import Commands, UserError
from foxclover.cli.saves import data_folder
from foxclover.locale import Translator
from foxclover.server.errors import StartError
from foxclover.server.stores.sqlite_files import FILE, expect_no_lost_log


def add_backup(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("backup", run_backup)
    parser.add_argument("target", metavar="FILE", type=Path, help=translate("cli.backup.file"))
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=translate("cli.serve.data")
    )


def run_backup(args: Namespace, translate: Translator) -> int:
    """Copy the SQLite file, also while the server runs."""
    source = args.data / FILE
    try:
        expect_no_lost_log(args.data)
    except StartError as error:
        raise UserError(error.words(translate)) from None
    if not source.is_file():
        raise UserError(translate("cli.backup.nothing", file=source))
    if args.target.exists():
        raise UserError(translate("cli.backup.exists", file=args.target))
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
        raise UserError(translate("cli.backup.failed", problem=error)) from None
    print(translate("cli.backup.done", file=args.target))
    return 0


def add_copy_data(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("copy-data", run_copy_data)
    parser.add_argument("source", metavar="FROM", help=translate("cli.copy-data.place"))
    parser.add_argument("target", metavar="TO", help=translate("cli.copy-data.place"))


def run_copy_data(args: Namespace, translate: Translator) -> int:
    """Copy all tables that the target lacks."""
    import asyncio

    from foxclover.server.errors import StartError
    from foxclover.server.stores import copy_tables, is_database, open_store
    from foxclover.server.stores.sqlite_files import FILE
    from foxclover.server.stores.store import StoreAway

    if not is_database(args.source) and not (Path(args.source) / FILE).is_file():
        raise UserError(translate("cli.backup.nothing", file=args.source))

    async def copy() -> tuple[int, int]:
        try:
            return await copy_tables(stores[0], stores[1])
        finally:
            for store in stores:
                await store.close()

    try:
        stores = [open_store(place) for place in (args.source, args.target)]
        copied, known = asyncio.run(copy())
    except StartError as error:
        raise UserError(error.words(translate)) from None
    except StoreAway as error:
        raise UserError(translate("cli.copy-data.lost", problem=error)) from None
    print(translate("cli.copy-data.done", count=copied, known=known))
    return 0
