"""One open websocket as a table sees it: its seats, its language, and its outbox."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from foxclover.locale import FALLBACK, Translator, catalogue
from foxclover.server.errors import RefusalError
from foxclover.server.limits.rate_limits import Bucket, Limits
from foxclover.server.protocol import encode


class Connection:
    """Queue messages without waiting.

    The outbox is written at the end of the current step of the event loop. If the socket is not
    ready, a task of the socket writes it.
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
        self.client = client  # the key of the limits
        self.address = address  # at which the page was opened
        self.here = here  # whether the page is open on the server's machine
        self.language = FALLBACK
        self.seats: tuple[int, ...] = ()
        self.greeted = False
        self.inside = True  # counted by ConnectionLimits
        self.closing = False
        self.thoughts: dict[int, asyncio.Task[None]] = {}  # answers being computed, by ref
        self.refusals = 0  # for being too fast
        self.bucket = Bucket(limits.messages, limits.message_interval)
        self.social = Bucket(limits.reactions, limits.reaction_interval)
        self.name = ""  # of a spectator who shows it
        self.room = limits.outbox
        self.waiting = 0  # bytes in the outbox
        self.outbox: list[bytes] = []
        self.filled = asyncio.Event()
        self.abort = abort
        self.write = write
        self.clogged = False  # the task still writes earlier messages

    @property
    def translate(self) -> Translator:
        """Return the catalogue of this connection's language."""
        return catalogue(self.language)

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message."""
        self.send_text(encode(message))

    def send_text(self, text: bytes) -> None:
        """Queue an encoded message; abort a connection that does not read."""
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
        """Wait for messages that the caller must send; return none at the end."""
        self.clogged = False
        while not (self.filled.is_set() and self.outbox) and not self.closing:
            self.filled.clear()
            await self.filled.wait()
        self.clogged = True
        texts, self.outbox, self.waiting = self.outbox, [], 0
        return texts

    def refuse(self, refusal: RefusalError, ref: int, seq: int) -> None:
        """Send why a message was refused."""
        self.send(
            {
                "type": "refused",
                "ref": ref,
                "seq": seq,
                "reason": refusal.reason,
                "words": refusal.words(self.translate),
            }
        )

    def close(self, refusal: RefusalError | None = None) -> None:
        """End the connection after the queued messages, and after a reason if there is one."""
        if refusal is not None:
            self.send(
                {
                    "type": "bye",
                    "reason": refusal.reason,
                    "words": refusal.words(self.translate),
                }
            )
        if not self.closing:
            self.closing = True
            for thought in self.thoughts.values():
                thought.cancel()
            self.filled.set()
