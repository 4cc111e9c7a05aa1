"""One open websocket as a table sees it: who is there, in which language, and a queue of what is to be sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from foxclover.locale import FALLBACK, Say, catalogue
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Bucket, Limits


class Connection:
    """Messages are put into the outbox without waiting; one task of the socket empties it."""

    def __init__(self, limits: Limits) -> None:
        self.language = FALLBACK
        self.seats: tuple[int, ...] = ()
        self.greeted = False
        self.closing = False
        self.asking = False  # a hint is being worked out
        self.bucket = Bucket(limits.messages, limits.message_interval)
        self.room = limits.outbox
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue()

    @property
    def say(self) -> Say:
        """The catalogue of this connection's language."""
        return catalogue(self.language)

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message."""
        self.send_text(encode(message))

    def send_text(self, text: str) -> None:
        """Queue an encoded message; a connection that does not read is given up."""
        if self.closing:
            return
        if self.outbox.qsize() < self.room:
            self.outbox.put_nowait(text)
        else:
            self.close()

    def refuse(self, refusal: RefusalError, ref: int, seq: int) -> None:
        """Say why a message changed nothing."""
        self.send({"type": "refused", "ref": ref, "seq": seq, "reason": refusal.reason, "words": refusal.words(self.say)})

    def bid_farewell(self, refusal: RefusalError) -> None:
        """Say why the connection ends, and end it."""
        self.send({"type": "bye", "reason": refusal.reason, "words": refusal.words(self.say)})
        self.close()

    def close(self) -> None:
        """End the connection after what is queued."""
        if not self.closing:
            self.closing = True
            self.outbox.put_nowait(None)


def encode(message: Mapping[str, Any]) -> str:
    """Return a message as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
