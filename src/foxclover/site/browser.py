"""The server's tables in a browser: answers the same requests and messages, which come from the page instead of a network."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from typing import Any

from foxclover.locale import Say, catalogue
from foxclover.server import validate
from foxclover.server.addresses import Reach
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.house import House
from foxclover.server.intake import take
from foxclover.server.limits import Buckets, Limits
from foxclover.server.lobby import Lobby
from foxclover.server.logs import fault
from foxclover.server.metrics import Metrics
from foxclover.server.store import Store, StoreAway
from foxclover.server.transcript_protocol import LookAt, PlayOn
from foxclover.site.computers import PatientComputers

PLENTY = 1_000_000_000
LIMITS = Limits(
    tables_per_client=PLENTY,
    requests_per_client=PLENTY,
    messages=PLENTY,
    messages_per_client=PLENTY,
    work_per_client=PLENTY,
    outbox=PLENTY,
)
"""There is nobody to be protected from."""


class Site:
    """What the page talks to."""

    def __init__(self, store: Store) -> None:
        house = House(store, PatientComputers(), LIMITS, Reach(), Metrics())
        self.lobby = Lobby(house, Buckets(LIMITS.requests_per_client, LIMITS.request_interval))
        self.tasks = [
            asyncio.ensure_future(work)
            for work in (self.lobby.stay_in_touch(), self.lobby.forget_idle_tables())
        ]

    async def answer(self, path: str, body: str | None, language: str) -> str:
        """Answer what would be a request over HTTP: ``{"ok": ..., "content": ...}`` as JSON."""
        say = catalogue(language)
        try:
            content = await self._answer(path.strip("/").split("/"), body, say)
        except (RefusalError, StoreAway) as error:
            return _refuse(
                error if isinstance(error, RefusalError) else RefusalError("store_away"), say
            )
        except Exception:
            fault("request_failed", path=path)
            return _refuse(RefusalError("internal"), say)
        return json.dumps({"ok": True, "content": content})

    async def _answer(self, path: list[str], body: str | None, say: Say) -> Any:
        match path:
            case ["api", "tables"] if body is not None:
                return await self.lobby.create(validate.create_table(validate.decode(body)), "")
            case ["api", "transcripts"] if body is not None:
                return await self.lobby.look_at(
                    validate.shaped(LookAt, validate.decode(body))["transcript"], "", say
                )
            case ["api", "tables", "from-transcript"] if body is not None:
                return await self.lobby.play_on(validate.shaped(PlayOn, validate.decode(body)), "")
            case ["api", "tables", code]:
                return await (await self.lobby.table(code)).info(say)
            case ["api", "tables", code, "transcript"]:
                return await (await self.lobby.table(code)).transcript(say)
        raise RefusalError("not_found")

    def connect(self, code: str, send: Callable[[str], None], ended: Callable[[], None]) -> Line:
        """Open what would be a websocket."""
        return Line(self.lobby, code, send, ended)


class Line:
    """One table's messages, in both directions and in their order."""

    def __init__(
        self, lobby: Lobby, code: str, send: Callable[[str], None], ended: Callable[[], None]
    ) -> None:
        self.lobby = lobby
        self.code = code
        self.connection = Connection(lobby.limits)
        self.incoming: asyncio.Queue[str | None] = asyncio.Queue()
        self.tasks = [
            asyncio.ensure_future(self._write(send, ended)),
            asyncio.ensure_future(self._serve()),
        ]

    def receive(self, text: str) -> None:
        """The page says something."""
        self.incoming.put_nowait(text)

    def close(self) -> None:
        """The page has gone."""
        self.incoming.put_nowait(None)

    async def _serve(self) -> None:
        try:
            table = await self.lobby.table(self.code)
            while (text := await self.incoming.get()) is not None:
                await take(self.connection, table, text, self.lobby)
            table.leave(self.connection)
        except RefusalError as refusal:
            self.connection.bid_farewell(refusal)
        finally:
            self.connection.close()

    async def _write(self, send: Callable[[str], None], ended: Callable[[], None]) -> None:
        while texts := await self.connection.next_texts():
            for text in texts:
                send(text.decode())
        ended()


def _refuse(refusal: RefusalError, say: Say) -> str:
    return json.dumps(
        {"ok": False, "content": {"reason": refusal.reason, "words": refusal.words(say)}}
    )


def start() -> Site:
    """Open the tables of this browser."""
    from foxclover_host import store, tabs

    from foxclover.site.store import BrowserStore

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    return Site(BrowserStore(store, tabs))
