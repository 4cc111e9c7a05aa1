"""The application: its routes, its life, metrics, and the requests about tables."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, ExceptionHandler, Message, Receive, Scope, Send

from foxclover import __version__
from foxclover.server.context import ServerContext
from foxclover.server.errors import Reason, RefusalError
from foxclover.server.http.admin import Admin, Blocks, administer
from foxclover.server.http.api import QUESTIONS, answer_export, answer_question, answer_unknown
from foxclover.server.http.docs import PATH as DOCS_PATH
from foxclover.server.http.docs import Docs, redirect_to_docs, show_docs
from foxclover.server.http.legal import (
    PRIVACY,
    SECURITY,
    STYLE,
    Legal,
    show_privacy,
    show_security_contact,
    show_style,
)
from foxclover.server.http.pages import (
    FOREVER,
    read_files,
    show_file,
    show_games,
    show_layout,
    show_more_texts,
    show_page,
    show_rules,
    show_texts,
    show_tour,
)
from foxclover.server.http.requests import (
    client_name,
    expect_own_host,
    from_this_machine,
    limited_lobby,
    translator,
)
from foxclover.server.http.websocket import table_socket
from foxclover.server.limits.name_filter import NameFilter
from foxclover.server.limits.protocol_limits import ProtocolLimits
from foxclover.server.limits.rate_limits import COST_OF_TRANSCRIPT, Limits
from foxclover.server.lobby import Lobby
from foxclover.server.logs import Metrics
from foxclover.server.network import Network, PublicUrls
from foxclover.server.notify.sender import Sender
from foxclover.server.protocol.messages import PROTOCOL
from foxclover.server.protocol.tables import Health, Refusal
from foxclover.server.stores.store import Store, StoreAway
from foxclover.server.tables.expiry import Expiry
from foxclover.server.tables.stand_ins import StandIns
from foxclover.server.thinking.computer_players import ComputerPlayers

PAGE = Path(__file__).parents[2] / "web"
PING_SECONDS = 5.0  # for the store to answer a health check
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
FILE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
"""What scripts, styles and fonts of a page need; the other headers only work on documents."""
HEADERS = FILE_HEADERS | {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""Nothing from elsewhere runs in our page, and no other page acts for it."""

STATUS: dict[Reason, int] = {
    "too_long": 413,
    "too_fast": 429,
    "too_many": 503,
    "foreign_origin": 403,
    "blocked": 403,
    "foreign_host": 421,
    "not_found": 404,
    "unknown_game": 404,
    "unknown_language": 404,
    "no_such_table": 404,
    "bad_invitation": 403,
    "table_full": 409,
    "seat_taken": 409,
    "game_over": 409,
    "daily_begun": 409,
    "daily_hidden": 403,
    "no_such_day": 404,
    "unknown_group": 404,
    "no_puzzles": 404,
    "unknown_puzzle": 404,
    "unknown_webhook": 404,
    "store_away": 503,
    "damaged_table": 500,
    "internal": 500,
}
"""HTTP status of a refusal; 400 for all others."""


def create_app(
    store: Store,
    limits: Limits,
    page: Path = PAGE,
    public_urls: PublicUrls | None = None,
    protocol_limits: ProtocolLimits | None = None,
    network: Network | None = None,
    health_any_host: bool = False,
    legal: Legal | None = None,
) -> Starlette:
    """Return the application around an open store, which it closes."""
    requests = (protocol_limits or ProtocolLimits(limits)).requests
    urls = public_urls or PublicUrls()
    legal = legal or Legal()
    blocks = Blocks(store)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        computers = ComputerPlayers(limits)
        metrics = PrometheusMetrics()
        context = ServerContext(store, computers, limits, urls, metrics, network)
        context.names, context.outgoing = app.state.names, app.state.outgoing
        lobby = app.state.lobby = Lobby(context, requests)
        metrics.watch(lobby)
        app.state.metrics, app.state.admin = metrics, Admin(lobby, blocks)
        await blocks.load()
        await lobby.challenge.recall_time()
        works = (
            lobby.forget_idle_tables(),
            Expiry(context, lambda code: code in lobby.tables).run(legal.keep),
            lobby.tidy_up(),
            StandIns(context, lobby.table).run(),
            lobby.stay_in_touch(),
            lobby.challenge.keep_time(),
            blocks.keep_up(lobby),
            Sender(lobby.calls, lobby.webhooks, lobby.table, legal.contact).run(),
        )
        tasks = [asyncio.create_task(work) for work in works]
        try:
            yield
        finally:
            await _cancel(tasks)
            lobby.challenge.stop()
            computers.close()
            await store.close()

    app = Starlette(
        routes=ROUTES,
        middleware=[Middleware(SecurityHeaders), Middleware(BasePath, urls.base)],
        exception_handlers=ERROR_HANDLERS,
        lifespan=lifespan,
    )
    app.state.blocks, app.state.names = blocks, NameFilter()
    app.state.files, app.state.public_urls = read_files(page, urls.base), urls
    app.state.docs, app.state.legal, app.state.health_any_host = Docs(), legal, health_any_host
    app.state.docs.add_link(app.state.files, urls)
    # nobody can use the operator's requests, and no other server is called, until both are set
    app.state.admin_key, app.state.outgoing = "", None
    return app


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class SecurityHeaders:
    """Middleware that adds security headers, and forbids caching unless a response allows it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_file = headers.get("cache-control") == FOREVER
                headers.update(FILE_HEADERS if is_file else HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class BasePath:
    """Middleware that takes the path of ``--public-url`` off the paths of requests.

    Requests without it work too: those of health checks and of the administration.
    """

    def __init__(self, app: ASGIApp, base: str) -> None:
        self.app = app
        self.base = base
        self.root = base.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if self.root and scope["type"] == "http" and scope["path"] == self.root:
            # service workers and relative addresses need the slash
            await RedirectResponse(self.base, 308)(scope, receive, send)
            return
        if self.root and scope["type"] != "lifespan" and scope["path"].startswith(self.base):
            scope["root_path"] = self.root
        await self.app(scope, receive, send)


class PrometheusMetrics(Metrics):
    """Metrics in a registry per server, so that several servers can run in one process."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self._moves = Counter("foxclover_moves", "Moves made", registry=self.registry)
        self._refusals = Counter(
            "foxclover_refusals", "Refusals by reason", ["reason"], registry=self.registry
        )
        self._messages = Histogram(
            "foxclover_message_seconds",
            "Time to handle a message",
            registry=self.registry,
            buckets=BUCKETS,
        )

    def watch(self, lobby: Lobby) -> None:
        """Add gauges that are read when they are asked for."""
        for name, text, read in (
            ("process_id", "Process that answers", os.getpid),
            ("tables", "Tables in memory", lambda: len(lobby.tables)),
            ("connections", "Open sockets", lambda: lobby.context.connections.total),
            (
                "thoughts_waiting",
                "Waiting computer players",
                lambda: lobby.context.computers.waiting,
            ),
        ):
            Gauge(f"foxclover_{name}", text, registry=self.registry).set_function(read)

    def count_move(self) -> None:
        """Count a move."""
        self._moves.inc()

    def count_refusal(self, reason: str) -> None:
        """Count a refusal by its reason."""
        self._refusals.labels(reason).inc()

    def observe_message(self, seconds: float) -> None:
        """Count a message and the time it took."""
        self._messages.observe(seconds)


async def show_health(request: Request) -> Response:
    """Return whether the server and its store work."""
    lobby: Lobby = request.app.state.lobby
    if not request.app.state.health_any_host:
        expect_own_host(request)
    lobby.health_checks.expect(client_name(request))  # each one writes to the store
    try:
        async with asyncio.timeout(PING_SECONDS):
            await lobby.store.ping()
        well = True
    except (StoreAway, TimeoutError):
        well = False
    health: Health = {
        "ok": well,
        "version": __version__,
        "protocol": PROTOCOL,
        "tables": len(lobby.tables),
        "connections": lobby.context.connections.total,
    }
    return JSONResponse(health, 200 if well else 503)


async def show_metrics(request: Request) -> Response:
    """Return the metrics of this process to programs on this machine, not through a proxy."""
    if not from_this_machine(request):
        raise HTTPException(404)
    limited_lobby(request)
    registry = request.app.state.metrics.registry
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


async def show_table(request: Request) -> Response:
    """Return the public facts about a table."""
    table = await limited_lobby(request).table(request.path_params["code"], client_name(request))
    return JSONResponse(await table.info(translator(request)))


async def show_transcript(request: Request) -> Response:
    """Return the game so far as a download."""
    lobby, client = limited_lobby(request), client_name(request)
    lobby.context.charge(client, COST_OF_TRANSCRIPT)
    table = await lobby.table(request.path_params["code"], client)
    name = f"{table.record.game}-{table.record.code}.txt"
    return PlainTextResponse(
        await table.transcript(translator(request)),
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer with a reason and a sentence; what else failed in the server is only logged."""
    refusal = RefusalError("store_away" if isinstance(error, StoreAway) else "internal")
    if isinstance(error, RefusalError):
        refusal = error
    request.app.state.metrics.count_refusal(refusal.reason)
    body: Refusal = {"reason": refusal.reason, "words": refusal.words(translator(request))}
    # ProtocolLimits drops further requests of such a client.
    headers = {"connection": "close"} if refusal.reason == "too_fast" else None
    return JSONResponse(body, STATUS.get(refusal.reason, 400), headers)


async def answer_http_error(request: Request, error: Exception) -> Response:
    """Answer an unknown address or a wrong method."""
    assert isinstance(error, HTTPException)
    words = translator(request)("server.refused.not_found")
    refusal: Refusal = {"reason": "not_found", "words": words}
    return JSONResponse(refusal, error.status_code, error.headers)


async def answer_disconnected(_: Request, __: Exception) -> Response:
    """Ignore a client that hung up."""
    return Response(status_code=400)


POST = ["POST"]
ERROR_HANDLERS: dict[Any, ExceptionHandler] = {
    RefusalError: answer_error,
    StoreAway: answer_error,
    HTTPException: answer_http_error,
    ClientDisconnect: answer_disconnected,
    Exception: answer_error,
}
ROUTES = [
    Route("/", show_page),
    Route("/t/{code}", show_page),
    Route("/t/{code}/{moment}", show_page),
    Route("/look", show_page),
    Route("/me", show_page),
    Route("/daily", show_page),
    Route("/how/{key}", show_page),
    Route("/puzzles", show_page),
    Route("/puzzles/{game}", show_page),
    Route("/puzzles/{game}/{id}", show_page),
    Route("/api/health", show_health),
    Route("/api/games", show_games),
    Route("/api/games/{key}/layout", show_layout),
    Route("/api/games/{key}/tour", show_tour),
    Route("/api/locale/{language}", show_texts),
    Route("/api/locale/{language}/more", show_more_texts),
    Route("/api/locale/{language}/rules", show_rules),
    *(
        Route(f"/api/{path}", partial(answer_question, question), methods=POST)
        for path, question in QUESTIONS.items()
    ),
    Route("/api/me/export", answer_export, methods=POST),
    Route("/api/me/{question}", answer_unknown, methods=POST),
    Route("/api/daily/{question}", answer_unknown, methods=POST),
    Route("/api/tables/{code}", show_table),
    Route("/api/tables/{code}/transcript", show_transcript),
    Route("/metrics", show_metrics),
    Route("/api/admin/{action}", administer, methods=POST),
    Route(PRIVACY, show_privacy),
    Route(STYLE, show_style),
    Route(SECURITY, show_security_contact),
    Route(DOCS_PATH, redirect_to_docs),
    Route(f"{DOCS_PATH}/{{path:path}}", show_docs),
    WebSocketRoute("/ws/{code}", table_socket),
    Route("/{path:path}", show_file),
]
