"""What all tables of a process share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from uuid import uuid4

from foxclover.beginning import BEGINS
from foxclover.seal import new_last
from foxclover.server import codes
from foxclover.server.addresses import Reach
from foxclover.server.doors import Doors
from foxclover.server.encoding import encode
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Buckets, Limits
from foxclover.server.logs import note
from foxclover.server.metrics import Metrics
from foxclover.server.network import Network
from foxclover.server.reviews import Reviews
from foxclover.server.store import Event, Store, TableRecord
from foxclover.server.thinking import Computers


class SlowLane:
    """Lets work that takes milliseconds happen one after the other, and everything that waits for the event loop in between."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await asyncio.sleep(0)
        finally:
            self._lock.release()


class House:
    """The store, the limits, the computer players, and what is told to other processes."""

    def __init__(
        self,
        store: Store,
        computers: Computers,
        limits: Limits,
        reach: Reach,
        metrics: Metrics,
        network: Network | None = None,
    ) -> None:
        self.store = store
        self.computers = computers
        self.limits = limits
        self.reach = reach
        self.metrics = metrics
        self.network = network  # where it can be let in and shut out
        self.process = uuid4().hex[:12]
        self.doors = Doors(limits)
        self.slow_lane = SlowLane()
        self.work = Buckets(limits.work_per_client, limits.work_interval)
        self.reviews = Reviews(self)

    def charge(self, client: str, milliseconds: float) -> None:
        """Let a client pay for what is dear; refuse it to one who has had enough."""
        if not self.work.take(client, milliseconds):
            raise RefusalError("too_fast")

    def announce_events(self, code: str, seq: int, events: Sequence[Event]) -> None:
        """Tell other processes what has happened at a table behind its first ``seq`` events."""
        self._announce(
            {
                "table": code,
                "seq": seq,
                "events": [(event.seat, event.text, event.at, event.number) for event in events],
            }
        )

    def announce_record(self, code: str) -> None:
        """Tell other processes that seats, pace or successor of a table have changed."""
        self._announce({"table": code})

    def announce_presence(self, code: str, seq: int, seats: list[int], spectators: int) -> None:
        """Tell other processes whom this one serves at a table, and how many events it knows of."""
        self._announce({"table": code, "seq": seq, "seats": seats, "spectators": spectators})

    def _announce(self, message: dict[str, object]) -> None:
        if self.store.shared:
            self.store.announce(encode({"from": self.process, **message}).decode())

    async def open(self, record: TableRecord) -> TableRecord:
        """Keep a new table under a code of its own."""
        while True:
            named = replace(record, code=codes.new_code(), invitation=codes.new_invitation())
            if await self.store.create(named):
                return named

    async def open_rematch(self, record: TableRecord, first: int) -> str:
        """The same people and options, who sits next to the ``first`` begins; a practice seed is not used twice, its dice are known."""
        seats = record.seats[first + 1 :] + record.seats[: first + 1]
        fresh = replace(
            record,
            seats=seats,
            variant=record.variant % BEGINS,
            seed=None,
            seal=None if record.dice and not record.day else new_last(),
            dice="" if record.day else record.dice,
            created=int(time.time()),
            rematch=None,
            finished=False,
            origin="",
            script="",
        )
        while True:
            named = replace(fresh, code=codes.new_code(), invitation=codes.new_invitation())
            code = await self.store.open_rematch(record.code, named)
            if code is not None:
                note("rematch", table=record.code, successor=code)
                return code
