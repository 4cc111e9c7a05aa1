"""The application: its routes, and what the server answers over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from foxclover import __version__
from foxclover.locale import FALLBACK, LANGUAGES, Say, catalogue, texts
from foxclover.server import games, validate
from foxclover.server.computer_players import ComputerPlayers
from foxclover.server.errors import RefusalError
from foxclover.server.headers import SecurityHeaders, expect_own_page
from foxclover.server.limits import Limits
from foxclover.server.lobby import Lobby
from foxclover.server.protocol import PROTOCOL, Health, Reason, Refusal
from foxclover.server.socket import table_socket
from foxclover.server.store import Store

PAGE = Path(__file__).parents[1] / "web"
WORTH_PACKING = 2_000  # bytes

STATUS: dict[Reason, int] = {
    "too_long": 413,
    "too_fast": 429,
    "too_many": 503,
    "foreign_origin": 403,
    "not_found": 404,
    "unknown_game": 404,
    "unknown_language": 404,
    "no_such_table": 404,
    "table_full": 409,
    "seat_taken": 409,
    "game_over": 409,
    "damaged_table": 500,
    "internal": 500,
}
"""HTTP status of a refusal; 400 for all others."""


def create_app(store: Store, limits: Limits, page: Path = PAGE) -> Starlette:
    """Return the application around an open store, which it closes at its end."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        computers = ComputerPlayers()
        app.state.lobby = Lobby(store, computers, limits)
        tidying = asyncio.get_running_loop().create_task(app.state.lobby.forget_idle_tables())
        try:
            yield
        finally:
            tidying.cancel()
            computers.close()
            await store.close()

    app = Starlette(
        routes=[
            Route("/", show_page),
            Route("/t/{code}", show_page),
            Route("/api/health", show_health),
            Route("/api/games", show_games),
            Route("/api/games/{key}/layout", show_layout),
            Route("/api/locale/{language}", show_texts),
            Route("/api/tables", create_table, methods=["POST"]),
            Route("/api/tables/{code}", show_table),
            Route("/api/tables/{code}/join", join_table, methods=["POST"]),
            Route("/api/tables/{code}/transcript", show_transcript),
            WebSocketRoute("/ws/{code}", table_socket),
            *([Mount("/", StaticFiles(directory=page))] if page.is_dir() else []),
        ],
        middleware=[Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=WORTH_PACKING, compresslevel=5)],
        exception_handlers={RefusalError: answer_refusal, HTTPException: answer_http_error, Exception: answer_fault},
        lifespan=lifespan,
    )
    app.state.page = page
    return app


async def show_page(request: Request) -> Response:
    """Serve the page itself; it finds its table in its address."""
    index = request.app.state.page / "index.html"
    if not index.is_file():
        return PlainTextResponse(_say(request)("server.problem.no_page"), 503)
    return FileResponse(index)


async def show_health(request: Request) -> Response:
    """Tell that the server is well."""
    lobby: Lobby = request.app.state.lobby
    health: Health = {
        "ok": True,
        "version": __version__,
        "protocol": PROTOCOL,
        "tables": len(lobby.tables),
        "connections": lobby.connections.total(),
    }
    return JSONResponse(health)


async def show_games(request: Request) -> Response:
    """Tell what can be played here."""
    return JSONResponse(_lobby(request).games())


async def show_layout(request: Request) -> Response:
    """Tell what is printed on a game's sheets or cards."""
    _lobby(request)
    return JSONResponse(games.layout(request.path_params["key"]))


async def show_texts(request: Request) -> Response:
    """Hand out a whole catalogue."""
    _lobby(request)
    return JSONResponse(dict(texts(validate.language(request.path_params["language"]))))


async def create_table(request: Request) -> Response:
    """Open a table."""
    lobby = _lobby(request)
    return JSONResponse(await lobby.create(validate.create_table(await _body(request, lobby.limits)), _client(request)), 201)


async def show_table(request: Request) -> Response:
    """Tell about a table what anybody with its code may know."""
    table = await _lobby(request).table(request.path_params["code"])
    return JSONResponse(await table.info(_say(request)))


async def join_table(request: Request) -> Response:
    """Give an open seat away."""
    lobby = _lobby(request)
    wish = validate.join_table(await _body(request, lobby.limits))
    return JSONResponse(await lobby.join(request.path_params["code"], wish), 201)


async def show_transcript(request: Request) -> Response:
    """Let the game so far be downloaded."""
    table = await _lobby(request).table(request.path_params["code"])
    name = f"{table.record.game}-{table.record.code}.txt"
    return PlainTextResponse(await table.transcript(_say(request)), headers={"content-disposition": f'attachment; filename="{name}"'})


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Say no with a reason and a sentence."""
    assert isinstance(error, RefusalError)
    refusal: Refusal = {"reason": error.reason, "words": error.words(_say(request))}
    return JSONResponse(refusal, STATUS.get(error.reason, 400))


async def answer_http_error(request: Request, error: Exception) -> Response:
    """No such address, or not with this method."""
    assert isinstance(error, HTTPException)
    refusal: Refusal = {"reason": "not_found", "words": _say(request)("server.refused.not_found")}
    return JSONResponse(refusal, error.status_code, error.headers)


async def answer_fault(request: Request, _: Exception) -> Response:
    """A fault of the server is told without details; the exception goes on into the log."""
    return await answer_refusal(request, RefusalError("internal"))


def _lobby(request: Request) -> Lobby:
    """Return the lobby to a client that has not asked too much lately."""
    lobby: Lobby = request.app.state.lobby
    if not lobby.requests.take(_client(request)):
        raise RefusalError("too_fast")
    return lobby


def _client(request: Request) -> str:
    return request.client.host if request.client else "local"


def _say(request: Request) -> Say:
    """Speak the language the address asks for, else the first of the browser's that we know."""
    wanted = [request.query_params.get("lang", ""), *request.headers.get("accept-language", "").split(",")]
    known = (language for entry in wanted if (language := entry.strip()[:2].lower()) in LANGUAGES)
    return catalogue(next(known, FALLBACK))


async def _body(request: Request, limits: Limits) -> dict[str, Any]:
    """Read a body of JSON that our own page sent, no further than allowed."""
    expect_own_page(request)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limits.body:
            raise RefusalError("too_long")
    return validate.decode(body)
