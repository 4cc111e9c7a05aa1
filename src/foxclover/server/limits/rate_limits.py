"""Limits on requests, messages, work and connections, per client and for all together."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Protocol

from foxclover.server.errors import RefusalError, require
from foxclover.server.network import parse_address

IPV6_SITE = 64  # bits; the owner of one IPv6 address has all that start like it
MANY_BUCKETS = 10_000  # above which full ones are dropped


@dataclass(frozen=True)
class Limits:
    """Limits of a process, generous for people and small for programs that run wild."""

    message: int = 4_096  # bytes of a websocket message
    body: int = 8_192  # bytes of an HTTP request
    transcript: int = 131_072  # bytes of a request with a transcript
    request_seconds: float = 10.0  # until a request must have arrived, with headers and body
    idle_seconds: float = 15.0  # between the requests of a connection
    http_per_client: int = 100  # connections over HTTP at a time
    connections: int = 4_000  # sockets at a time
    connections_per_client: int = 200  # a family or a school behind one address
    connections_per_seat: int = 8
    watchers_per_table: int = 32
    tables_per_client: int = 30  # at once, then one more every 20 seconds
    table_interval: float = 20.0
    requests_per_client: int = 300  # at once, then ten a second
    request_interval: float = 0.1
    messages: int = 60  # of a connection at once, then twenty a second
    message_interval: float = 0.05
    messages_per_client: int = 1_000  # at once, then two hundred a second
    client_message_interval: float = 0.005
    work_per_client: int = 5_000  # milliseconds of expensive work at once, then a fifth of the time
    work_interval: float = 0.005
    import_bytes_per_client: int = 60_000_000  # of imported games at once, then 43 MB a day
    import_byte_interval: float = 0.002
    pings: int = 30  # of a connection at once, then one a second
    ping_interval: float = 1.0
    reactions: int = 5  # of a connection at once, then one every two seconds
    reaction_interval: float = 2.0
    hints_per_client: int = 4  # waiting or computed at a time
    reviews_per_client: int = 2  # computed at a time
    outbox: int = 512_000  # bytes that wait for a slow connection
    silence: float = 15.0  # seconds until the first message, hello
    refusals: int = 100  # messages refused as too fast until the connection is closed
    refusals_per_client: int = 100  # answered refusals at once, then one a second
    refusal_interval: float = 1.0
    undos: int = 60  # of a table between two rolls


# Milliseconds that are charged for expensive work, measured on a slow machine and rounded up.
COST_OF_LOADING = 20
COST_OF_TRANSCRIPT = 30
COST_OF_IMPORT = 10  # of each game
COST_OF_MEGABYTE = 20  # of text taken out or brought in
COST_OF_ODDS = 10
COST_OF_PREVIEW = 10
COST_OF_HINT = 100
COST_OF_REPLAY = 100
COST_OF_REVIEW = 1_500
COST_OF_VERDICT = 100
COST_OF_LINE = 100
COST_OF_MOMENT = 2
COST_OF_HELLO = 2
LINES_A_MILLISECOND = 50  # of a log that is sent again
BYTES_A_MILLISECOND = 10_000  # of a body that is decoded and checked


def client_of(address: str) -> str:
    """Return the name under which all users of an address are counted."""
    found = parse_address(address.partition("%")[0])
    if found is None:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, IPV6_SITE), strict=False))


def is_loopback(address: str) -> bool:
    """Return whether an address is of this machine, or of a proxy on it."""
    found = parse_address(address)
    return found is not None and found.is_loopback


class Bucket:
    """Token bucket: ``size`` at once, and one more every ``interval`` seconds."""

    def __init__(self, size: int, interval: float) -> None:
        self.size = size
        self.interval = interval
        self.filled_at = time.monotonic() - size * interval

    def take(self, cost: float = 1) -> bool:
        """Take tokens if there are enough, and return whether there were."""
        now = time.monotonic()
        self.filled_at = max(self.filled_at, now - self.size * self.interval)
        if self.filled_at + cost * self.interval > now:
            return False
        self.filled_at += cost * self.interval
        return True

    @property
    def full(self) -> bool:
        """Return whether the bucket is full, so that it can be dropped."""
        return self.filled_at + self.size * self.interval <= time.monotonic()

    @property
    def empty(self) -> bool:
        """Return whether there is no token."""
        return self.filled_at + self.interval > time.monotonic()


class Buckets:
    """One bucket per client; full ones are dropped."""

    def __init__(self, size: int, interval: float) -> None:
        self.size = size
        self.interval = interval
        self.buckets: dict[str, Bucket] = {}

    def take(self, client: str, cost: float = 1) -> bool:
        """Take tokens from the client's bucket if there are enough."""
        if len(self.buckets) > MANY_BUCKETS:
            self.buckets = {
                name: bucket for name, bucket in self.buckets.items() if not bucket.full
            }
        if client not in self.buckets:
            self.buckets[client] = Bucket(self.size, self.interval)
        return self.buckets[client].take(cost)

    def expect(self, client: str, cost: float = 1) -> None:
        """Take tokens from the client's bucket, or refuse the client."""
        require(self.take(client, cost), "too_fast")

    def empty(self, client: str) -> bool:
        """Return whether the client's bucket has no token."""
        return client in self.buckets and self.buckets[client].empty


def count_down(counts: Counter[str], name: str) -> None:
    """Subtract one, and forget a name that counts nothing any more."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]


class LimitedConnection(Protocol):
    """A connection as the limits see it."""

    client: str
    inside: bool

    def close(self, refusal: RefusalError) -> None:
        """Close the connection with a reason."""


class ConnectionLimits:
    """Limits on the open sockets of a process.

    Players who hold a seat are never closed for others. Visitors, who only watch or have not sent
    hello, are closed to make room, the oldest first.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.total = 0
        self.by_client = Counter[str]()
        self.visitors: defaultdict[str, dict[LimitedConnection, None]] = defaultdict(dict)

    def enter(self, connection: LimitedConnection) -> None:
        """Count a connection as a visitor's; refuse it if no other can make room."""
        client, limits = connection.client, self.limits
        if self.by_client[client] >= limits.connections_per_client:
            self._make_room(client)
        elif self.total >= limits.connections:
            counts = {name: len(visitors) for name, visitors in self.visitors.items()}
            busiest = max(counts, key=counts.__getitem__, default=client)
            self._make_room(max(client, busiest, key=lambda name: counts.get(name, 0)))
        self.total += 1
        self.by_client[client] += 1
        self.visitors[client][connection] = None

    def seated(self, connection: LimitedConnection) -> None:
        """Keep a connection that has sent the token of a seat."""
        visitors = self.visitors[connection.client]
        visitors.pop(connection, None)
        if not visitors:
            del self.visitors[connection.client]

    def leave(self, connection: LimitedConnection) -> None:
        """Forget a closed connection."""
        if connection.inside:
            connection.inside = False
            self.total -= 1
            count_down(self.by_client, connection.client)
            self.seated(connection)

    def _make_room(self, client: str) -> None:
        require(client in self.visitors, "too_many")
        oldest = next(iter(self.visitors[client]))
        oldest.close(RefusalError("too_many"))
        self.leave(oldest)
