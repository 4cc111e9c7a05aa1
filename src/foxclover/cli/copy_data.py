"""``foxclover copy-data``: all tables from one store to another."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.locale import Say


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("copy-data", run)
    parser.add_argument("source", metavar="FROM", help=say("cli.copy-data.place"))
    parser.add_argument("target", metavar="TO", help=say("cli.copy-data.place"))


def run(args: Namespace, say: Say) -> int:
    """Copy what is not there yet."""
    import asyncio

    from foxclover.server.errors import StartError
    from foxclover.server.sqlite import FILE
    from foxclover.server.store import StoreAway
    from foxclover.server.stores import copy_tables, is_database, open_store

    if not is_database(args.source) and not (Path(args.source) / FILE).is_file():
        raise UserError(say("cli.backup.nothing", file=args.source))

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
        raise UserError(error.words(say)) from None
    except StoreAway as error:
        raise UserError(say("cli.copy-data.lost", problem=error)) from None
    print(say("cli.copy-data.done", count=copied, known=known))
    return 0
