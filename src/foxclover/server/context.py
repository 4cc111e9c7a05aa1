"""The context that all tables of a process share."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

from foxclover.server.limits.rate_limits import Buckets, ConnectionLimits, Limits
from foxclover.server.logs import Metrics
from foxclover.server.network import Network, PublicUrls
from foxclover.server.protocol import encode, identifiers
from foxclover.server.stores.store import Event, Store, TableRecord
from foxclover.server.thinking.tasks import Computers


class SlowLane:
    """Run work of some milliseconds one at a time, and let the event loop run in between."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        try:
            await asyncio.sleep(0)
        finally:
            self._lock.release()


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
        self.network = network  # if players can open the server to it
        self.process = uuid4().hex[:12]
        self.connections = ConnectionLimits(limits)
        self.slow_lane = SlowLane()
        self.work = Buckets(limits.work_per_client, limits.work_interval)

    def charge(self, client: str, milliseconds: float) -> None:
        """Charge a client for expensive work, or refuse it."""
        self.work.expect(client, milliseconds)

    def announce_events(self, code: str, seq: int, events: Sequence[Event]) -> None:
        """Announce the events of a table after its first ``seq`` events."""
        self._announce({"table": code, "seq": seq, "events": [tuple(event) for event in events]})

    def announce_record(self, code: str) -> None:
        """Announce that the seats, pace or rematch of a table have changed."""
        self._announce({"table": code})

    def announce_presence(self, code: str, seq: int, seats: list[int], spectators: int) -> None:
        """Announce who is connected to a table here, and how many events we know."""
        self._announce({"table": code, "seq": seq, "seats": seats, "spectators": spectators})

    def _announce(self, message: dict[str, object]) -> None:
        if self.store.shared:
            self.store.announce(encode({"from": self.process, **message}).decode())

    async def open(self, record: TableRecord) -> TableRecord:
        """Store a new table under a new code."""
        while True:
            named = replace(
                record, code=identifiers.new_code(), invitation=identifiers.new_invitation()
            )
            if await self.store.create(named):
                return named
