"""Remove old unfinished tables, even if the system clock is wrong once.

A table is removed only if two checks, a day apart on the monotonic clock, both find it old. Only a
share of all unfinished tables is removed in one day. A day before, the log contains their number.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress

from foxclover.server.confirmed_time import DAY, elapsed
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError
from foxclover.server.logs import log_event
from foxclover.server.stores.store import StoreAway
from foxclover.server.tables.master import Master

LOOK_EVERY = 6 * 3_600.0
SHARE = 20  # one in so many unfinished tables may be removed in a day


class Expiry:
    """Find and remove old tables; ``in_use`` returns whether a table is open in this process."""

    def __init__(self, context: ServerContext, in_use: Callable[[str], bool]) -> None:
        self.context = context
        self.in_use = in_use
        self._found: dict[str, float] = {}  # ``elapsed()`` when a table was first found
        self._removed_at = -math.inf

    async def run(self, days: int) -> None:
        """Remove tables without an event for so many days, again and again; keep finished ones."""
        while True:
            with suppress(StoreAway):
                await self.look(days)
            await asyncio.sleep(LOOK_EVERY)

    async def look(self, days: int) -> None:
        """Find old tables, and remove those that were old a day ago."""
        store, now = self.context.store, elapsed()
        old = await store.untouched(int(time.time()) - days * DAY)
        if new := set(old) - set(self._found):
            log_event("old_tables_found", tables=len(new), days=days)
        self._found = {code: self._found.get(code, now) for code in old}
        due = [code for code, since in self._found.items() if now - since >= DAY]
        if not due or now - self._removed_at < DAY:
            return
        self._removed_at = now
        ((unfinished,),) = await store.query("SELECT count(*) FROM tables WHERE NOT finished")
        removed = due[: max(1, unfinished // SHARE)]
        for code in removed:
            await self._remove_if_unfinished(code)
        log_event(
            "old_tables_looked_at",
            tables=len(removed),
            left=len(due) - len(removed),
            unfinished=unfinished,
        )

    async def _remove_if_unfinished(self, code: str) -> None:
        record = None if self.in_use(code) else await self.context.store.load(code)
        if record is None:
            return
        try:
            async with self.context.slow_lane():
                over = Master(record).over
        except RefusalError:  # a later version may be able to replay it
            return
        if over:  # finished before such games were marked
            await self.context.store.append(code, len(record.events), [], finished=True)
        else:
            await self.context.store.remove(code)
            log_event("table_removed", table=code)
