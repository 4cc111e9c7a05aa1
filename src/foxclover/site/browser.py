"""Run the server's tables in a browser.

Answer the same requests and messages, sent by the page instead of over a network.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from typing import Any

from foxclover.ai.agents import Steps
from foxclover.core.position import Position
from foxclover.locale import LANGUAGES, Translator, catalogue
from foxclover.server import puzzles
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError
from foxclover.server.limits.rate_limits import Buckets, Limits
from foxclover.server.lobby import Lobby
from foxclover.server.logs import Metrics, log_exception
from foxclover.server.network import PublicUrls
from foxclover.server.protocol import validate
from foxclover.server.protocol.people import AskTranscript, StartOpenDaily
from foxclover.server.protocol.puzzles import AnswerPuzzle, AskPuzzle
from foxclover.server.protocol.tables import AskTable, CreateTable, LookAt, PlayOn
from foxclover.server.stores.store import Store, StoreAway
from foxclover.server.thinking import tasks as thinking
from foxclover.server.thinking.tasks import T, Ts, Valued
from foxclover.site.daily import start_daily
from foxclover.site.finished import FinishedGames

PLENTY = 1_000_000_000
# There is nobody to be protected from.
LIMITS = Limits(
    tables_per_client=PLENTY,
    requests_per_client=PLENTY,
    messages=PLENTY,
    messages_per_client=PLENTY,
    work_per_client=PLENTY,
    outbox=PLENTY,
)


class Site:
    """The backend of the page."""

    def __init__(self, store: Store) -> None:
        context = ServerContext(store, PatientComputers(), LIMITS, PublicUrls(), Metrics())
        self.lobby = Lobby(context, Buckets(LIMITS.requests_per_client, LIMITS.request_interval))
        self.finished = FinishedGames(store)
        self.tasks = [
            asyncio.ensure_future(work)
            for work in (self.lobby.stay_in_touch(), self.lobby.forget_idle_tables())
        ]

    async def answer(self, path: str, body: str | None, language: str) -> str:
        """Answer a request as over HTTP; return JSON ``{"ok": ..., "content": ...}``."""
        translate = catalogue(language)
        try:
            content = await self._answer(path.strip("/").split("/"), body, translate)
        except RefusalError as refusal:
            return _refuse(refusal, translate)
        except StoreAway:
            return _refuse(RefusalError("store_away"), translate)
        except Exception:
            log_exception("request_failed", path=path)
            return _refuse(RefusalError("internal"), translate)
        return json.dumps({"ok": True, "content": content})

    async def _answer(self, path: list[str], body: str | None, translate: Translator) -> Any:
        match path:
            case ["api", "tables"] if body is not None:
                return await self.lobby.create(
                    validate.shaped(CreateTable, validate.decode(body)), ""
                )
            case ["api", "transcripts"] if body is not None:
                return await self.lobby.look_at(
                    validate.shaped(LookAt, validate.decode(body))["transcript"], "", translate
                )
            case ["api", "tables", "from-transcript"] if body is not None:
                return await self.lobby.play_on(validate.shaped(PlayOn, validate.decode(body)), "")
            case ["api", "daily", "start"] if body is not None:
                wish = validate.shaped(StartOpenDaily, validate.decode(body))
                return await start_daily(self.lobby.context, wish)
            case ["api", "me", "games"]:
                return await self.finished.history(translate)
            case ["api", "me", "skill"]:
                return {"skills": (await self.finished.history(translate))["skills"]}
            case ["api", "me", "look"] if body is not None:
                return {"table": validate.shaped(AskTranscript, validate.decode(body))["id"]}
            case ["api", "me", "transcript"] if body is not None:
                code = validate.shaped(AskTranscript, validate.decode(body))["id"]
                return {"transcript": await (await self.lobby.table(code)).transcript(translate)}
            case ["api", "tables", code] if body is not None:
                tokens = validate.shaped(AskTable, validate.decode(body))["tokens"]
                return await (await self.lobby.table(code)).own_info(tokens, translate)
            case ["api", "puzzles"] if body is not None:
                return puzzles.ask_locally(
                    validate.shaped(AskPuzzle, validate.decode(body)), translate
                )
            case ["api", "puzzles", "answer"] if body is not None:
                return puzzles.answer_locally(
                    validate.shaped(AnswerPuzzle, validate.decode(body)), translate
                )
            case ["api", "tables", code]:
                return await (await self.lobby.table(code)).info(translate)
            case ["api", "tables", code, "transcript"]:
                return await (await self.lobby.table(code)).transcript(translate)
        raise RefusalError("not_found")

    def connect(self, code: str, send: Callable[[str], None], ended: Callable[[], None]) -> Line:
        """Open a connection that replaces the WebSocket of a server."""
        return Line(self.lobby, code, send, ended)


class Line:
    """The messages of one table in both directions, in order."""

    def __init__(
        self, lobby: Lobby, code: str, send: Callable[[str], None], ended: Callable[[], None]
    ) -> None:
        self.lobby, self.code = lobby, code
        self.connection = Connection(lobby.limits)
        self.incoming: asyncio.Queue[str | None] = asyncio.Queue()
        self.tasks = [
            asyncio.ensure_future(self._write(send, ended)),
            asyncio.ensure_future(self._serve()),
        ]

    def receive(self, text: str) -> None:
        """Queue a message of the page."""
        self.incoming.put_nowait(text)

    def close(self) -> None:
        """Queue the end of the connection by the page."""
        self.incoming.put_nowait(None)

    async def _serve(self) -> None:
        try:
            table = await self.lobby.table(self.code)
            while (text := await self.incoming.get()) is not None:
                await self.lobby.receive(self.connection, table, text)
            table.leave(self.connection)
        except RefusalError as refusal:
            self.connection.close(refusal)
        finally:
            self.connection.close()

    async def _write(self, send: Callable[[str], None], ended: Callable[[], None]) -> None:
        while texts := await self.connection.next_texts():
            for text in texts:
                send(text.decode())
        ended()


class PatientComputers:
    """Computer players that run one computation at a time.

    They compute in small steps on the event loop, so that requests of the page are answered in
    between.
    """

    def __init__(self) -> None:
        self.strengths = list(thinking.OPPONENTS)
        self.turn = asyncio.Lock()
        self.waiting = 0

    def prepare(self, strength: str, key: str) -> None:
        """Do nothing: the first computation loads the computer player."""

    async def choose(self, strength: str, position: Position, seat: int, table: str = "") -> int:  # noqa: ARG002 - all tables are local
        """Return the number of the move that a computer player makes."""
        return await self._think(
            thinking.choose_in_steps(strength, position.game.key, position.dump(), seat)
        )

    async def rank(self, position: Position, seat: int, client: str = "") -> list[Valued]:  # noqa: ARG002
        """Return the legal moves with their values."""
        return await self._think(thinking.rank_in_steps(position.game.key, position.dump(), seat))

    async def work(self, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Run a call that can wait until no other computation runs."""
        async with self.turn:
            await asyncio.sleep(0)
            return call(*arguments)

    async def _think(self, steps: Steps[T]) -> T:
        self.waiting += 1
        try:
            async with self.turn:
                while True:
                    await asyncio.sleep(0)
                    try:
                        next(steps)
                    except StopIteration as end:
                        found: T = end.value
                        return found
        finally:
            self.waiting -= 1


def _refuse(refusal: RefusalError, translate: Translator) -> str:
    return json.dumps(
        {"ok": False, "content": {"reason": refusal.reason, "words": refusal.words(translate)}}
    )


def preload() -> None:
    """Load what most tables need, before the memory of Python is stored for later visits."""
    from foxclover.ai.families import family_of
    from foxclover.core.game import game, game_names
    from foxclover.site import store  # noqa: F401 - imported by start

    for language in LANGUAGES:
        catalogue(language)
    for key in game_names():
        family_of(game(key))


def start() -> Site:
    """Open the tables that this browser stores."""
    from foxclover_host import store, tabs

    from foxclover.site.store import BrowserStore

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    return Site(BrowserStore(store, tabs))
