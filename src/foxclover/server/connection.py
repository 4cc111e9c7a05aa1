"""One open websocket as a table sees it: who is there, in which language, and a queue of what is to be sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from foxclover.locale import FALLBACK, Say, catalogue
from foxclover.server.encoding import encode
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Bucket, Limits


class Connection:
    """Messages are put into the outbox without waiting.

    It is emptied when everything that can be said now has been said, or, if the socket is not ready for that, by a task of the socket.
    """

    def __init__(
        self,
        limits: Limits,
        client: str = "local",
        abort: Callable[[], None] | None = None,
        address: str = "",
        write: Callable[[list[bytes]], bool] | None = None,
        here: bool = False,
    ) -> None:
        self.client = client  # as limits know it
        self.address = address  # at which the page was opened
        self.here = here  # somebody at the machine of the server
        self.language = FALLBACK
        self.seats: tuple[int, ...] = ()
        self.greeted = False
        self.inside = True  # counted at the doors
        self.closing = False
        self.thoughts: dict[int, asyncio.Task[None]] = {}  # being worked out, by ref
        self.refusals = 0  # for being too fast
        self.bucket = Bucket(limits.messages, limits.message_interval)
        self.room = limits.outbox
        self.waiting = 0  # bytes in the outbox
        self.outbox: list[bytes] = []
        self.filled = asyncio.Event()
        self.abort = abort
        self.write = write
        self.clogged = False  # the task has something in its hands that must go first

    @property
    def say(self) -> Say:
        """The catalogue of this connection's language."""
        return catalogue(self.language)

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message."""
        self.send_text(encode(message))

    def send_text(self, text: bytes) -> None:
        """Queue an encoded message; a connection that does not read is given up at once."""
        if self.closing:
            return
        self.waiting += len(text)
        if self.waiting > self.room:
            self.outbox.clear()
            self.close()
            if self.abort is not None:
                self.abort()
            return
        self.outbox.append(text)
        if self.write is None or self.clogged:
            self.filled.set()
        elif len(self.outbox) == 1:
            asyncio.get_running_loop().call_soon(self._empty)

    def _empty(self) -> None:
        if self.write is not None and not self.clogged and self.outbox and self.write(self.outbox):
            self.outbox, self.waiting = [], 0
        else:
            self.filled.set()

    async def next_texts(self) -> list[bytes]:
        """Wait for messages to be sent by whoever asks; none at the end."""
        self.clogged = False
        while not (self.filled.is_set() and self.outbox) and not self.closing:
            self.filled.clear()
            await self.filled.wait()
        self.clogged = True
        texts, self.outbox, self.waiting = self.outbox, [], 0
        return texts

    def refuse(self, refusal: RefusalError, ref: int, seq: int) -> None:
        """Say why a message changed nothing."""
        self.send(
            {
                "type": "refused",
                "ref": ref,
                "seq": seq,
                "reason": refusal.reason,
                "words": refusal.words(self.say),
            }
        )

    def bid_farewell(self, refusal: RefusalError) -> None:
        """Say why the connection ends, and end it."""
        self.send({"type": "bye", "reason": refusal.reason, "words": refusal.words(self.say)})
        self.close()

    def close(self) -> None:
        """End the connection after what is queued."""
        if not self.closing:
            self.closing = True
            for thought in self.thoughts.values():
                thought.cancel()
            self.filled.set()
