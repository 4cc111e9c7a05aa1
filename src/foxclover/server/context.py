"""The context that all tables of a process share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from foxclover.server.limits.name_filter import NameFilter
from foxclover.server.limits.rate_limits import Buckets, ConnectionLimits, Limits
from foxclover.server.logs import Metrics
from foxclover.server.network import Network, PublicUrls
from foxclover.server.protocol import encode, identifiers
from foxclover.server.stores.store import Store, TableRecord
from foxclover.server.thinking.tasks import Computers

if TYPE_CHECKING:
    from foxclover.server.outgoing import Outgoing


class ServerContext:
    """The store, the limits, the computer players, and announcements to other processes."""

    def __init__(
        self,
        store: Store,
        computers: Computers,
        limits: Limits,
        public_urls: PublicUrls,
        metrics: Metrics,
        network: Network | None = None,
    ) -> None:
        self.store = store
        self.computers = computers
        self.limits = limits
        self.public_urls = public_urls
        self.metrics = metrics
        self.names = NameFilter()
        self.network = network  # if players can open the server to it
        self.outgoing: Outgoing | None = None  # if the operator allows calls to other servers
        self.moved: Callable[[str], None] = lambda _: None  # notes a table with new events
        self.process = uuid4().hex[:12]
        self.connections = ConnectionLimits(limits)
        self._slow_lane = asyncio.Lock()
        self.work = Buckets(limits.work_per_client, limits.work_interval)

    def charge(self, client: str, milliseconds: float) -> None:
        """Charge a client for expensive work, or refuse it."""
        self.work.expect(client, milliseconds)

    @asynccontextmanager
    async def slow_lane(self) -> AsyncIterator[None]:
        """Run work of some milliseconds one at a time, and yield to the event loop in between."""
        async with self._slow_lane:
            try:
                yield
            finally:
                await asyncio.sleep(0)

    def announce(self, code: str, **facts: object) -> None:
        """Announce to other processes that a table has changed.

        ``seq`` with ``events``: what happened after the first ``seq`` events. ``seq`` with
        ``seats``, ``spectators`` and ``watchers``: who is connected here, and how many events we
        know. ``reaction`` of a ``seat``: to show, not to keep.
        Nothing: the seats, the pace or the rematch have changed.
        """
        if self.store.shared:
            message = {"from": self.process, "table": code, **facts}
            self.store.announce(encode(message).decode())

    async def open(self, record: TableRecord) -> TableRecord:
        """Store a new table under a new code."""
        while True:
            named = replace(
                record, code=identifiers.new_code(), invitation=identifiers.new_invitation()
            )
            if await self.store.create(named):
                return named
