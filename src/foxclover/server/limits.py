"""How much one client and all of them together may ask of the server."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Generous for people, small for machines that run wild."""

    message: int = 4_096  # bytes of a websocket message
    body: int = 8_192  # bytes of an HTTP request
    connections: int = 1_000
    connections_per_client: int = 100  # a family or a school behind one address
    connections_per_table: int = 32
    tables_per_client: int = 30  # at once, then one more every 20 seconds
    table_interval: float = 20.0
    requests_per_client: int = 300  # at once, then ten a second
    request_interval: float = 0.1
    messages: int = 60  # of a connection at once, then twenty a second
    message_interval: float = 0.05
    outbox: int = 256  # messages that may wait for a slow connection
    silence: float = 15.0  # seconds until hello must have been said


class Bucket:
    """Allows ``size`` at once and one more every ``interval`` seconds."""

    def __init__(self, size: int, interval: float) -> None:
        self.size = size
        self.interval = interval
        self.filled_at = time.monotonic() - size * interval

    def take(self) -> bool:
        """Take one if there is one."""
        now = time.monotonic()
        self.filled_at = max(self.filled_at, now - self.size * self.interval)
        if self.filled_at + self.interval > now:
            return False
        self.filled_at += self.interval
        return True

    @property
    def full(self) -> bool:
        """Whether nothing was taken lately, so that the bucket may be forgotten."""
        return self.filled_at + self.size * self.interval <= time.monotonic()


class Buckets:
    """One bucket for each client; those that are full again are forgotten."""

    def __init__(self, size: int, interval: float) -> None:
        self.size = size
        self.interval = interval
        self.buckets: dict[str, Bucket] = {}

    def take(self, client: str) -> bool:
        """Take one from the client's bucket if there is one."""
        if len(self.buckets) > 10_000:
            self.buckets = {name: bucket for name, bucket in self.buckets.items() if not bucket.full}
        return self.buckets.setdefault(client, Bucket(self.size, self.interval)).take()
