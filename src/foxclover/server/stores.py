"""Which store is meant: a folder for SQLite, or the address of a PostgreSQL database; and tables carried from one to another."""

from __future__ import annotations

import asyncio
from pathlib import Path

from foxclover.server import daily_rows, people
from foxclover.server.errors import StartError
from foxclover.server.people import copy_rows
from foxclover.server.sqlite import SqliteStore
from foxclover.server.store import Store

POSTGRES = ("postgresql://", "postgres://")


def is_database(place: str) -> bool:
    """Whether this is the address of a database, and no folder."""
    return place.startswith(POSTGRES)


def open_store(place: str) -> Store:
    """Open the store at a place and bring it to the newest format; raises ``StartError`` with a sentence if that cannot be."""
    if not is_database(place):
        return SqliteStore(Path(place))
    try:
        from foxclover.server.postgres import PostgresStore, prepare
    except ImportError as error:
        raise StartError("server.problem.no_driver") from error
    asyncio.run(prepare(place))
    return PostgresStore(place)


async def copy_tables(source: Store, target: Store) -> tuple[int, int]:
    """Copy all tables that the target does not have, with their reviews; return how many, and how many it had."""
    copied = known = 0
    async for code in source.codes():
        record = await source.load(code)
        if record is not None:
            if await target.create(record):
                copied += 1
                review = await source.review(code)
                if review is not None:
                    await target.keep_review(code, review)
            else:
                known += 1
    await copy_rows(people.TABLES | daily_rows.TABLES, source, target)
    return copied, known
