"""Storage: the store interface, SQLite and PostgreSQL.

The stores are imported when they are opened: a browser has no ``sqlite3``, PostgreSQL is optional.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from foxclover.server.stores.sql import COPIED_TABLES, insert
from foxclover.server.stores.store import Store

POSTGRES = ("postgresql://", "postgres://")


def is_database(place: str) -> bool:
    """Return whether a place is the URL of a database, not a folder."""
    return place.startswith(POSTGRES)


def open_store(place: str) -> Store:
    """Open the store at a place and migrate it to the newest format.

    Raises ``StartError`` if the store cannot be used, ``ModuleNotFoundError`` if PostgreSQL needs
    another package.
    """
    if not is_database(place):
        from foxclover.server.stores.sqlite import SqliteStore

        return SqliteStore(Path(place))
    from foxclover.server.stores.postgres import PostgresStore, prepare

    asyncio.run(prepare(place))
    return PostgresStore(place)


async def copy_tables(source: Store, target: Store) -> tuple[int, int]:
    """Copy everything that the target does not have.

    Return the number of tables copied, and of tables that the target had.
    """
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
    for table, columns in COPIED_TABLES.items():
        for row in await source.query(f"SELECT {columns} FROM {table}"):
            await target.query(insert(table, columns), *row)
            await asyncio.sleep(0)
    return copied, known
