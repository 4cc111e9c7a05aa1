"""Limits that all processes of a server count together, in its store."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256

from foxclover.server.errors import require
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Rows

LIMITS, KEY_BYTES = "limits", 32  # name and size of the secret that keys hashes of addresses


class SharedBuckets:
    """Token buckets in the store, so that all processes and a restarted one count together.

    As ``Buckets``: ``size`` at once, and one more every ``interval`` seconds. The store contains
    keyed hashes of names, which may be addresses of clients, until their buckets are full again.
    """

    def __init__(self, rows: Rows, kind: str, size: int, interval: float) -> None:
        self.rows = rows
        self.kind = kind
        self.size = size
        self.interval = interval
        self._key = b""

    async def take(self, name: str) -> bool:
        """Take a token if there is one, and return whether there was."""
        now, step = time.time_ns() // 1_000_000, round(self.interval * 1_000)
        if not self._key:
            new = partial(secrets.token_bytes, KEY_BYTES)
            self._key = await stored_secret(self.rows, LIMITS, new)
        hashed = hmac.digest(self._key, f"{self.kind} {name}".encode(), sha256).hex()
        return bool(
            await self.rows.query(
                "INSERT INTO notice_limits (name, full_at) VALUES (?, ?) ON CONFLICT (name) DO"
                " UPDATE SET full_at = CASE WHEN notice_limits.full_at < ? THEN ?"
                " ELSE notice_limits.full_at + ? END WHERE notice_limits.full_at <= ?"
                " RETURNING full_at",
                *(hashed, now + step, now, now + step, step, now + (self.size - 1) * step),
            )
        )

    async def expect(self, name: str) -> None:
        """Take a token, or refuse the client."""
        require(await self.take(name), "too_fast")


async def drop_full(rows: Rows) -> None:
    """Delete the shared buckets that are full again."""
    await rows.query("DELETE FROM notice_limits WHERE full_at <= ?", time.time_ns() // 1_000_000)


async def stored_secret(rows: Rows, name: str, new: Callable[[], bytes]) -> bytes:
    """Return a secret of the server, created on first use, once for all processes."""
    while not (found := await rows.query("SELECT value FROM secrets WHERE name = ?", name)):
        await rows.query(insert("secrets", "name, value"), name, new())
    return bytes(found[0][0])
