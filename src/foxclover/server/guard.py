"""What a client may do before the application sees it: how many connections, how slowly, and how much that is no message.

The server does this itself rather than leave it to a proxy: it is often started on a laptop or in a local network, where there is none.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame

from foxclover.server.limits import Bucket, Buckets, Limits, client_of, is_loopback

ABORT = "foxclover.abort"
SEND_ALL = "foxclover.send_all"
"""Keys of the websocket's scope under which functions stand that end the connection without waiting for anything, and send several messages
with one call of the system."""


class Guard:
    """What all connections of a process share. A proxy on this machine speaks for many, so its connections are not counted."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open = Counter[str]()
        self.requests = Buckets(limits.requests_per_client, limits.request_interval)

    def protocols(self) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
        """Return the protocols of HTTP and websockets that keep these limits."""
        guard = self

        class GuardedHttp(_GuardedHttp):
            shared = guard

        class GuardedWebsocket(_GuardedWebsocket):
            limits = guard.limits

        return GuardedHttp, GuardedWebsocket

    def enter(self, address: str) -> str | None:
        """Count a connection; ``None`` if there are too many of its client already, or it asks too much."""
        client = client_of(address)
        if not is_loopback(address) and (self.open[client] >= self.limits.http_per_client or self.requests.empty(client)):
            return None
        self.open[client] += 1
        return client

    def leave(self, client: str) -> None:
        """A connection is closed, or has become a websocket."""
        self.open[client] -= 1
        if self.open[client] <= 0:
            del self.open[client]


class _GuardedHttp(H11Protocol):
    """A request must have arrived whole in time, from its first byte or from the opening of the connection."""

    shared: Guard
    inside: str | None = None
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.inside = self.shared.enter(self.client[0] if self.client else "")
        if self.inside is None:
            transport.abort()
        else:
            self._start_clock()

    def data_received(self, data: bytes) -> None:
        if self.deadline is None:
            self._start_clock()
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle  # none before the first request
        if cycle is not None and not cycle.more_body:
            self._stop_clock()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _start_clock(self) -> None:
        self.deadline = self.loop.call_later(self.shared.limits.request_seconds, self.transport.abort)

    def _stop_clock(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _leave(self) -> None:
        self._stop_clock()
        if self.inside is not None:
            self.shared.leave(self.inside)
            self.inside = None


class _GuardedWebsocket(WebSocketsSansIOProtocol):
    """Pings and pieces of messages cost nothing to send, so they are counted; who does not read the answers is cut off."""

    limits: Limits
    small: Bucket | None = None

    def handle_connect(self, event: Any) -> None:
        self.small = Bucket(self.limits.pings, self.limits.ping_interval)
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"] |= {ABORT: self.transport.abort, SEND_ALL: self.send_all}  # type: ignore[dict-item]

    async def send_all(self, texts: list[bytes]) -> None:
        """Send several messages at once, when the last ones are on their way."""
        await self.writable.wait()
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        try:
            for text in texts:
                self.conn.send_text(text)
        except InvalidState:
            raise ClientDisconnected from None
        self.transport.write(b"".join(self.conn.data_to_send()))

    def handle_ping(self) -> None:
        if self._counted():
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if self._counted():
            super().handle_cont(event)

    def _counted(self) -> bool:
        if self.small is None or self.small.take():
            return True
        self.transport.abort()
        return False
