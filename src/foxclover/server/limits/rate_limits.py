"""How much one client and all of them together may ask of the server."""

from __future__ import annotations

import ipaddress
import time
from dataclasses import dataclass

IPV6_SITE = 64  # bits; whoever has one IPv6 address has all that begin like it


@dataclass(frozen=True)
class Limits:
    """Generous for people, small for machines that run wild. Each process counts for itself."""

    message: int = 4_096  # bytes of a websocket message
    body: int = 8_192  # bytes of an HTTP request
    transcript: int = 131_072  # of one that brings a transcript
    request_seconds: float = 10.0  # until a request with its headers and its body must be there
    idle_seconds: float = 15.0  # that a connection may wait for its next request
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
    work_per_client: int = 5_000  # milliseconds of what is dear at once, then a fifth of the time
    work_interval: float = 0.005
    pings: int = 30  # of a connection at once, then one a second
    ping_interval: float = 1.0
    hints_per_client: int = 4  # waiting or being thought about at a time
    reviews_per_client: int = 2  # being computed at a time
    outbox: int = 512_000  # bytes that may wait for a slow connection
    silence: float = 15.0  # seconds until hello must have been said
    refusals: int = 100  # messages refused as too fast until the connection is ended
    undos: int = 60  # of a table between two rolls


# Milliseconds of work that are charged for what is dear, measured on a slow machine and rounded up.
COST_OF_LOADING = 20
COST_OF_TRANSCRIPT = 30
COST_OF_ODDS = 10
COST_OF_PREVIEW = 10
COST_OF_HINT = 100
COST_OF_REPLAY = 100
COST_OF_REVIEW = 1_500
COST_OF_VERDICT = 100
COST_OF_MOMENT = 2
COST_OF_HELLO = 2
LINES_A_MILLISECOND = 50  # of a log that is told anew


def client_of(address: str) -> str:
    """Return what stands for everybody who could use this address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, IPV6_SITE), strict=False))


def is_loopback(address: str) -> bool:
    """Whether somebody on this machine, or a proxy on it, is asking."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class Bucket:
    """Allows ``size`` at once and one more every ``interval`` seconds."""

    def __init__(self, size: int, interval: float) -> None:
        self.size = size
        self.interval = interval
        self.filled_at = time.monotonic() - size * interval

    def take(self, cost: float = 1) -> bool:
        """Take something if there is enough."""
        now = time.monotonic()
        self.filled_at = max(self.filled_at, now - self.size * self.interval)
        if self.filled_at + cost * self.interval > now:
            return False
        self.filled_at += cost * self.interval
        return True

    @property
    def full(self) -> bool:
        """Whether nothing was taken lately, so that the bucket may be forgotten."""
        return self.filled_at + self.size * self.interval <= time.monotonic()

    @property
    def empty(self) -> bool:
        """Whether nothing can be taken now."""
        return self.filled_at + self.interval > time.monotonic()


class Buckets:
    """One bucket for each client; those that are full again are forgotten."""

    def __init__(self, size: int, interval: float) -> None:
        self.size = size
        self.interval = interval
        self.buckets: dict[str, Bucket] = {}

    def take(self, client: str, cost: float = 1) -> bool:
        """Take something from the client's bucket if there is enough."""
        if len(self.buckets) > 10_000:
            self.buckets = {
                name: bucket for name, bucket in self.buckets.items() if not bucket.full
            }
        if client not in self.buckets:
            self.buckets[client] = Bucket(self.size, self.interval)
        return self.buckets[client].take(cost)

    def empty(self, client: str) -> bool:
        """Whether a client can take nothing now."""
        return client in self.buckets and self.buckets[client].empty
