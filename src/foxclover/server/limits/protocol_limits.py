"""What a client may do before the application sees it: how many connections, how slowly, and how much that is no message.

The server does this itself rather than leave it to a proxy: it is often started on a laptop or in a local network, where there is none.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from foxclover.server.limits import Bucket, Buckets, Limits, client_of, is_loopback
from foxclover.server.siblings import Siblings

FORWARDED_FOR = b"x-forwarded-for"
ABORT = "foxclover.abort"
WRITE = "foxclover.write"
SEND_ALL = "foxclover.send_all"
"""Keys of the websocket's scope under which functions stand: one ends the connection without waiting for anything, the others send several
messages with one call of the system, at once if that is possible, or when it is."""

WAITING = 8  # messages of a connection at which no more are read
TEXT = 0x81  # a whole message


class Guard:
    """What all connections of a process share. A proxy on this machine speaks for many, so its connections are not counted."""

    def __init__(self, limits: Limits, siblings: Siblings | None = None) -> None:
        self.limits = limits
        self.siblings = siblings
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
        if not is_loopback(address) and (
            self.open[client] >= self.limits.http_per_client or self.requests.empty(client)
        ):
            return None
        self.open[client] += 1
        return client

    def may_upgrade(self, address: str, headers: list[tuple[bytes, bytes]]) -> bool:
        """Count a websocket as a request: opening one costs more than most. A proxy on this machine says for whom it asks."""
        if is_loopback(address):
            named = dict(headers).get(
                FORWARDED_FOR, address.encode()
            )  # of several the last one, which the proxy wrote itself
            address = named.decode("latin-1").rpartition(",")[2].strip()
        return is_loopback(address) or self.requests.take(client_of(address))

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
    leaving: asyncio.Task[None] | None = None

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
        siblings = self.shared.siblings
        if not self.shared.may_upgrade(self.client[0] if self.client else "", self.headers):
            self.transport.abort()
        elif siblings is None or siblings.home(event.target) == siblings.place:
            super().handle_websocket_upgrade(event)
        else:
            self.transport.pause_reading()  # what comes now is for whoever takes the socket
            handle = os.dup(self.transport.get_extra_info("socket").fileno())
            self.leaving = self.loop.create_task(self._hand_over(siblings, event, handle))

    async def _hand_over(self, siblings: Siblings, event: Any, handle: int) -> None:
        """Let another process serve this connection, or do it after all."""
        lines = [
            b" ".join((event.method, event.target, b"HTTP/1.1")),
            *(b": ".join(header) for header in self.headers),
        ]
        try:
            given = await siblings.give(
                siblings.home(event.target), handle, b"\r\n".join(lines) + b"\r\n\r\n"
            )
        finally:
            os.close(handle)
        if given:
            self.transport.abort()  # closes our end of it alone
        elif not self.transport.is_closing():
            self.transport.resume_reading()
            super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _start_clock(self) -> None:
        self.deadline = self.loop.call_later(
            self.shared.limits.request_seconds, self.transport.abort
        )

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
    heard = False  # since it was last asked whether it is there

    def handle_connect(self, event: Any) -> None:
        self.small = Bucket(self.limits.pings, self.limits.ping_interval)
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"] |= {
                ABORT: self.transport.abort,
                WRITE: self.write,
                SEND_ALL: self.send_all,
            }  # type: ignore[dict-item]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if hasattr(self, "scope"):
            self.scope[
                "extensions"
            ].clear()  # else they and this hold each other for ever: see run.py

    def write(self, texts: list[bytes]) -> bool:
        """Send messages, unless the last ones are still on their way."""
        if not self.writable.is_set() or self.disconnected or self.conn.state is not State.OPEN:
            return False
        self.transport.write(
            b"".join([part for text in texts for part in (_head(len(text)), text)])
        )
        return True

    async def send_all(self, texts: list[bytes]) -> None:
        """Send messages when the last ones are on their way."""
        await self.writable.wait()
        if not self.write(texts):
            raise ClientDisconnected

    def data_received(self, data: bytes) -> None:
        self.heard = True
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """Hand a message over. Reading pauses when several wait, not at each one: that would be two calls of the system."""
        paused, few = self.read_paused, self.queue.qsize() < WAITING
        self.read_paused = paused or few
        super().send_receive_event_to_app()
        if few:
            self.read_paused = paused

    def schedule_ping(self) -> None:
        self.heard = False
        super().schedule_ping()

    def send_keepalive_ping(self) -> None:
        """Ask whether anybody is there, unless something was heard meanwhile."""
        if self.heard:
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

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


def _head(length: int) -> bytes:
    """What stands before a message of so many bytes."""
    if length < 126:
        return bytes((TEXT, length))
    if length < 1 << 16:
        return bytes((TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((TEXT, 127)) + length.to_bytes(8, "big")
