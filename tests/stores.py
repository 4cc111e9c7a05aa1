"""Stores for tests, and a table to put into them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import Event, SeatRecord, Store, TableRecord

SEATS = [SeatRecord("Ada", key=b"k"), SeatRecord(""), SeatRecord("", "greedy")]
TABLE = TableRecord(
    "bcdfgh", "ganz-schoen-clever", 3, 2**53 - 1, 900, 1, SEATS, "secret", host=b"k"
)

Work = Callable[[Store], Awaitable[None]]


def with_store(make: Callable[[], Store], work: Work) -> None:
    async def run() -> None:
        store = make()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def in_files(directory: Path, work: Work) -> None:
    with_store(lambda: SqliteStore(directory), work)


async def one_move(store: Store, seq: int) -> None:
    await store.append(TABLE.code, seq, [Event(0, "x", 1)])
