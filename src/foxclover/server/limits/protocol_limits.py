"""Limits below the application: connections, slow requests, small pieces, and frames.

The server has them itself because it often runs without a proxy, on a laptop or in a local network.
The base classes are not documented by uvicorn: pyproject.toml pins its version exactly, and
tests/server/test_uvicorn.py checks their names.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from foxclover.server.limits.rate_limits import (
    Bucket,
    Buckets,
    Limits,
    client_of,
    count_down,
    is_loopback,
)
from foxclover.server.network import Proxies

FORWARDED_FOR = b"x-forwarded-for"

# Keys of functions in the extensions of a websocket's scope.
ABORT = "foxclover.abort"  # cuts the connection off at once
WRITE = "foxclover.write"  # sends several messages with one system call if the socket is ready
SEND_ALL = "foxclover.send_all"  # waits for that

QUEUED = 8  # messages of a connection at which reading pauses
TEXT = 0x81  # first byte of the frame of a whole message
SLICE = 1_024  # bytes that are parsed before frames are counted: at most 170 of the smallest ones
REQUEST_HEAD = 65_536  # bytes of a request line with its headers
PIECES = 32  # of a request's body, and one more per PIECE bytes
PIECE = 256


class ProtocolLimits:
    """The counters that all connections of a process share.

    Connections of trusted proxies are not counted: each one carries requests of many clients.
    """

    def __init__(self, limits: Limits, proxies: Proxies | None = None) -> None:
        self.limits = limits
        self.proxies = proxies or Proxies()
        self.open = Counter[str]()
        self.requests = Buckets(limits.requests_per_client, limits.request_interval)
        self.refused = Buckets(limits.refusals_per_client, limits.refusal_interval)

    def protocols(self) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
        """Return the protocols of HTTP and websockets that keep these limits."""
        shared = self

        class Http(_LimitedHttp):
            counters = shared

        class Websocket(_LimitedWebsocket):
            limits = shared.limits

        return Http, Websocket

    def enter(self, address: str) -> str | None:
        """Count a connection and return its client, or ``None`` if the client has too many."""
        client = client_of(address)
        if address not in self.proxies and (
            self.open[client] >= self.limits.http_per_client or self.requests.empty(client)
        ):
            return None
        self.open[client] += 1
        return client

    def leave(self, client: str) -> None:
        """Forget a connection that is closed, or has become a websocket."""
        count_down(self.open, client)

    def may_upgrade(self, address: str, headers: list[tuple[bytes, bytes]]) -> bool:
        """Count a websocket as a request, because opening one is expensive."""
        sender = self._sender(address, headers)
        return is_loopback(sender) or self.requests.take(client_of(sender))

    def may_ask(self, address: str, headers: list[tuple[bytes, bytes]]) -> bool:
        """Return whether to parse a request.

        Clients with too many requests get some refusals, and then no answer.
        """
        sender = self._sender(address, headers)
        if is_loopback(sender):
            return True
        client = client_of(sender)
        return not self.requests.empty(client) or self.refused.take(client)

    def _sender(self, address: str, headers: list[tuple[bytes, bytes]]) -> str:
        """Return the address of the sender, which a trusted proxy names."""
        named = b",".join(value for name, value in headers if name == FORWARDED_FOR)
        return self.proxies.client_of(address, named.decode("latin-1"))


class _LimitedRequests(h11.Connection):
    """Parser that aborts too many requests, and bodies in tiny pieces.

    Parsing costs the same for a piece of any size.
    """

    def __init__(
        self, counters: ProtocolLimits, address: str, transport: asyncio.Transport
    ) -> None:
        super().__init__(h11.SERVER, REQUEST_HEAD)
        self.counters = counters
        self.address = address
        self.transport = transport
        self.pieces = 0
        self.size = 0

    def next_event(self) -> Any:
        """Return the next event, or ``NEED_DATA`` after an abort."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.pieces = self.size = 0
            allowed = self.counters.may_ask(self.address, list(event.headers))
        elif isinstance(event, h11.Data):
            self.pieces += 1
            self.size += len(event.data)
            allowed = self.pieces <= PIECES + self.size // PIECE
        else:
            return event
        if allowed:
            return event
        self.transport.abort()
        return h11.NEED_DATA


class _LimitedHttp(H11Protocol):
    """HTTP with a deadline per request, from its first byte or from the connection's opening."""

    counters: ProtocolLimits
    counted: str | None = None  # the client under which the connection is counted
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.conn = _LimitedRequests(self.counters, address, transport)
        self.counted = self.counters.enter(address)
        if self.counted is None:
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
        if self.counters.may_upgrade(self.client[0] if self.client else "", self.headers):
            super().handle_websocket_upgrade(event)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _start_clock(self) -> None:
        self.deadline = self.loop.call_later(
            self.counters.limits.request_seconds, self.transport.abort
        )

    def _stop_clock(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _leave(self) -> None:
        self._stop_clock()
        if self.counted is not None:
            self.counters.leave(self.counted)
            self.counted = None


class _LimitedWebsocket(WebSocketsSansIOProtocol):
    """Websocket that counts frames, and aborts senders of too many and clients that do not read."""

    limits: Limits
    small: Bucket | None = None  # for pings, pongs and pieces of messages
    messages: Bucket | None = None  # for all others; the application refuses smaller excesses
    heard = False  # since the last keepalive ping was scheduled

    def handle_connect(self, event: Any) -> None:
        limits = self.limits
        allowed = limits.messages + limits.refusals + limits.pings
        self.small = Bucket(limits.pings, limits.ping_interval)
        self.messages = Bucket(allowed, limits.message_interval)
        super().handle_connect(event)
        if hasattr(self, "scope"):
            added: Any = {ABORT: self.transport.abort, WRITE: self.write, SEND_ALL: self.send_all}
            self.scope["extensions"] |= added

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if hasattr(self, "scope"):
            self.scope["extensions"].clear()  # break the reference cycle: the GC runs rarely

    def write(self, texts: list[bytes]) -> bool:
        """Send messages unless earlier ones are still waiting; return whether they were sent."""
        if not self.writable.is_set() or self.disconnected or self.conn.state is not State.OPEN:
            return False
        parts = [part for text in texts for part in (_frame_head(len(text)), text)]
        self.transport.write(b"".join(parts))
        return True

    async def send_all(self, texts: list[bytes]) -> None:
        """Send messages as soon as earlier ones are sent."""
        await self.writable.wait()
        if not self.write(texts):
            raise ClientDisconnected

    def data_received(self, data: bytes) -> None:
        self.heard = True
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])

    def send_receive_event_to_app(self) -> None:
        """Queue a message; pause reading when several wait, since a pause is two system calls."""
        paused, few = self.read_paused, self.queue.qsize() < QUEUED
        self.read_paused = paused or few
        super().send_receive_event_to_app()
        if few:
            self.read_paused = paused

    def schedule_ping(self) -> None:
        self.heard = False
        super().schedule_ping()

    def send_keepalive_ping(self) -> None:
        """Send a ping unless data arrived in the meantime."""
        if self.heard:
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def handle_ping(self) -> None:
        if self._take(self.small):
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._take(self.small):
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._take(self.small):
            super().handle_cont(event)

    def handle_text(self, event: Frame) -> None:
        if self._take(self.messages):
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._take(self.messages):
            super().handle_bytes(event)

    def handle_parser_exception(self) -> None:
        """End the connection with the reason, or without one before the handshake."""
        if self.conn.close_sent is None:
            self.transport.abort()
        else:
            super().handle_parser_exception()

    def _take(self, bucket: Bucket | None) -> bool:
        """Count a frame, and abort the connection after too many."""
        if bucket is None or bucket.take():
            return True
        self.transport.abort()
        while not self.queue.empty():
            self.queue.get_nowait()  # the client does not wait for answers
        return False


def _frame_head(length: int) -> bytes:
    if length < 126:
        return bytes((TEXT, length))
    if length < 1 << 16:
        return bytes((TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((TEXT, 127)) + length.to_bytes(8, "big")
