"""Replace people who exceed the time limit of their table by computer players.

The seat stays theirs: they can return to it at any time, as from any other stand-in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError
from foxclover.server.logs import log_event, log_exception
from foxclover.server.stores.store import StoreAway
from foxclover.server.tables import computers
from foxclover.server.tables.table import Table

LOOK_EVERY = 30.0
RETURN_SECONDS = 900  # until another look: for those who return after the limit to act
NEVER_LOADED = 0


class StandIns:
    """Watch the tables with a time limit."""

    def __init__(
        self, context: ServerContext, find_table: Callable[[str], Awaitable[Table]]
    ) -> None:
        self.context = context
        self.find_table = find_table
        self.looks: dict[str, int] = {}  # when to look at a table again; a deadline only moves on

    async def run(self) -> None:
        """Look again and again."""
        while True:
            with suppress(StoreAway):
                await self.look()
            await asyncio.sleep(LOOK_EVERY)

    async def look(self) -> None:
        """Look at the tables whose limit may be over."""
        rows = await self.context.store.query(
            "SELECT code FROM tables WHERE days > 0 AND NOT finished"
        )
        now = int(time.time())
        self.looks = {code: self.looks.get(code, NEVER_LOADED) for (code,) in rows}
        for code in [code for code, at in self.looks.items() if at <= now]:
            try:
                self.looks[code] = await self._look_at(code, now)
            except RefusalError as refusal:
                log_event("limit_not_checked", table=code, reason=refusal.reason)
                self.looks[code] = now + RETURN_SECONDS
            except StoreAway:
                raise
            except Exception:
                log_exception("limit_not_checked", table=code)
                self.looks[code] = now + RETURN_SECONDS

    async def _look_at(self, code: str, now: int) -> int:
        """Replace those who are late; return when to look at the table again."""
        table = await self.find_table(code)
        strengths = self.context.computers.strengths
        async with table.lock:
            await table.be_certain()
            deadline = table.master.deadline()
            if deadline is None:  # nobody has rolled yet, or it waits for a computer player
                return now + RETURN_SECONDS
            if now < deadline:
                return deadline
            strength = strengths[len(strengths) // 2]  # as the page suggests
            self.context.computers.prepare(strength, table.record.game)
            for seat in table.master.waits_for():
                after = replace(table.record.seats[seat], strength=strength)
                if await table.set_seat(seat, after):
                    log_event("time_limit", table=code, seat=seat)
        computers.wake(table)
        return now + RETURN_SECONDS
