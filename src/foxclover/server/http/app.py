"""The application: its routes, and what the server answers over HTTP."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from foxclover import __version__
from foxclover.locale import FALLBACK, LANGUAGES, RULES, Say, catalogue, rules_texts, texts
from foxclover.server import games, validate
from foxclover.server.addresses import Reach, picture
from foxclover.server.challenge import QUESTIONS as DAILY_QUESTIONS
from foxclover.server.computer_players import ComputerPlayers
from foxclover.server.errors import RefusalError
from foxclover.server.files import Files, Fixed
from foxclover.server.guard import Guard
from foxclover.server.headers import (
    SecurityHeaders,
    expect_own_host,
    expect_own_page,
    from_this_machine,
)
from foxclover.server.house import House
from foxclover.server.limits import COST_OF_TRANSCRIPT, Limits, client_of
from foxclover.server.lobby import Lobby
from foxclover.server.me import QUESTIONS
from foxclover.server.me_protocol import Along, AskTranscript, Device, GameTable
from foxclover.server.metrics import Metrics
from foxclover.server.network import Network
from foxclover.server.protocol import PROTOCOL, Health, Refusal
from foxclover.server.reason import Reason
from foxclover.server.socket import table_socket
from foxclover.server.store import Store, StoreAway
from foxclover.server.transcript_protocol import LookAt, PlayOn

PAGE = Path(__file__).parents[1] / "web"
KEEP = 365  # days
PATIENCE = 5.0  # seconds that the store may take to say it is well

STATUS: dict[Reason, int] = {
    "too_long": 413,
    "too_fast": 429,
    "too_many": 503,
    "foreign_origin": 403,
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
    "store_away": 503,
    "damaged_table": 500,
    "internal": 500,
}
"""HTTP status of a refusal; 400 for all others."""

NOT_OF_PAGES = (
    RULES,
    *(
        "cli.",
        "transcript.",
        "site.",
        "page.site.",
        "data.",
        "number.",
        "expected.",
        "server.refused.",
        "server.problem.",
        "clever.",
    ),
    *(
        "climb.move.",
        "climb.prompt.",
        "climb.card.",
        "climb.condition.",
        "climb.dice.",
        "climb.odds.",
        "why.clever.",
        "why.climb.",
    ),
    *(
        "climb.type.",
        "climb.points.",
        "climb.score.",
        "climb.signs",
        "climb.tie_break",
        "server.headline.",
        "verdict.",
    ),
)


def create_app(
    store: Store,
    limits: Limits,
    page: Path = PAGE,
    reach: Reach | None = None,
    guard: Guard | None = None,
    keep: int = KEEP,
    network: Network | None = None,
) -> Starlette:
    """Return the application around a store, which it opens and closes."""
    files, guard, reach = Files(page), guard or Guard(limits), reach or Reach()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        computers = ComputerPlayers(limits)
        lobby = app.state.lobby = Lobby(
            House(store, computers, limits, reach, Metrics(), network), guard.requests
        )
        loop = asyncio.get_running_loop()
        lasting = [
            loop.create_task(work)
            for work in (
                lobby.forget_idle_tables(),
                lobby.remove_old_tables(keep),
                lobby.stay_in_touch(),
            )
        ]
        try:
            yield
        finally:
            for task in lasting:
                task.cancel()
            lobby.challenge.stop()
            computers.close()
            await store.close()

    app = Starlette(
        routes=[
            Route("/", show_page),
            Route("/t/{code}", show_page),
            Route("/t/{code}/{moment}", show_page),
            Route("/look", show_page),
            Route("/me", show_page),
            Route("/daily", show_page),
            Route("/api/health", show_health),
            Route("/api/games", show_games),
            Route("/api/games/{key}/layout", show_layout),
            Route("/api/locale/{language}", show_texts),
            Route("/api/locale/{language}/rules", show_rules),
            Route("/api/tables", create_table, methods=["POST"]),
            Route("/api/transcripts", look_at, methods=["POST"]),
            Route("/api/tables/from-transcript", play_on, methods=["POST"]),
            Route("/api/tables/{code}", show_table),
            Route("/api/tables/{code}/join", join_table, methods=["POST"]),
            Route("/api/tables/{code}/transcript", show_transcript),
            Route("/api/me", answer_me, methods=["POST"]),
            Route("/api/me/along", answer_along, methods=["POST"]),
            Route("/api/me/look", answer_look, methods=["POST"]),
            Route("/api/me/{question}", answer_me, methods=["POST"]),
            Route("/api/daily", answer_daily, methods=["POST"]),
            Route("/api/daily/{question}", answer_daily, methods=["POST"]),
            Route("/metrics", show_metrics),
            WebSocketRoute("/ws/{code}", table_socket),
            Route("/{path:path}", show_file),
        ],
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={
            RefusalError: answer_refusal,
            StoreAway: answer_store_away,
            HTTPException: answer_http_error,
            ClientDisconnect: answer_nobody,
            Exception: answer_fault,
        },
        lifespan=lifespan,
    )
    app.state.files, app.state.reach = files, reach
    return app


async def show_page(request: Request) -> Response:
    """Serve the page itself; it finds its table in its address."""
    return _page(request, 200)


async def show_file(request: Request) -> Response:
    """Serve a file of the page. People who went astray get the page too, which tells them so; programs a refusal."""
    files: Files = request.app.state.files
    _lobby(request)
    found = files.find(request.path_params["path"])
    if found is not None:
        return found.answer(request)
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(
        "/api/"
    ):
        return _page(request, 404)
    raise HTTPException(404)


async def show_health(request: Request) -> Response:
    """Tell whether the server is well, which it is not without its store."""
    lobby: Lobby = request.app.state.lobby
    try:
        async with asyncio.timeout(PATIENCE):
            await lobby.store.ping()
        well = True
    except (StoreAway, TimeoutError):
        well = False
    health: Health = {
        "ok": well,
        "version": __version__,
        "protocol": PROTOCOL,
        "tables": len(lobby.tables),
        "connections": lobby.house.doors.total,
    }
    return JSONResponse(health, 200 if well else 503)


async def show_metrics(request: Request) -> Response:
    """Tell the numbers of the process to somebody on this machine, not through a proxy."""
    if not from_this_machine(request):
        raise HTTPException(404)
    lobby: Lobby = request.app.state.lobby
    now = {
        "process_id": os.getpid(),
        "tables": len(lobby.tables),
        "connections": lobby.house.doors.total,
        "thoughts_waiting": lobby.house.computers.waiting,
    }
    return PlainTextResponse(lobby.house.metrics.report(now))


async def show_games(request: Request) -> Response:
    """Tell what can be played here."""
    return JSONResponse(_lobby(request).games())


async def show_layout(request: Request) -> Response:
    """Tell what is printed on a game's sheets or cards."""
    _lobby(request)
    return _layout(games.find(request.path_params["key"]).key, _say(request).language).answer(
        request
    )


async def show_texts(request: Request) -> Response:
    """Hand out what a page says itself."""
    _lobby(request)
    return _texts(validate.language(request.path_params["language"])).answer(request)


async def show_rules(request: Request) -> Response:
    """Hand out the rules."""
    _lobby(request)
    return _rules(validate.language(request.path_params["language"])).answer(request)


@cache
def _rules(language: str) -> Fixed:
    return Fixed(orjson.dumps(rules_texts(language)), "application/json")


@cache
def _layout(key: str, language: str) -> Fixed:
    return Fixed(orjson.dumps(games.layout(key, language)), "application/json")


OF_PAGES = ("server.refused.too_long",)
"""What a page says by itself all the same: it looks at the length before it sends a text."""


def page_texts(language: str) -> dict[str, str]:
    """Return the texts that a page may say: not the terminal's, those that the server says, nor the rules, which few open."""
    return {
        key: text
        for key, text in texts(language).items()
        if key in OF_PAGES or not key.startswith(NOT_OF_PAGES)
    }


@cache
def _texts(language: str) -> Fixed:
    return Fixed(orjson.dumps(page_texts(language)), "application/json")


async def create_table(request: Request) -> Response:
    """Open a table."""
    lobby = _lobby(request)
    return JSONResponse(
        await lobby.create(
            validate.create_table(await _body(request, lobby.limits.body)), _client(request)
        ),
        201,
    )


async def look_at(request: Request) -> Response:
    """Replay a transcript that somebody has, and keep a finished game as a table to look back at."""
    lobby = _lobby(request)
    wish = validate.shaped(LookAt, await _body(request, lobby.limits.transcript))
    return JSONResponse(await lobby.look_at(wish["transcript"], _client(request), _say(request)))


async def play_on(request: Request) -> Response:
    """Open a table where a game goes on from one of its moments."""
    lobby = _lobby(request)
    wish = validate.shaped(PlayOn, await _body(request, lobby.limits.transcript))
    return JSONResponse(await lobby.play_on(wish, _client(request)), 201)


async def show_table(request: Request) -> Response:
    """Tell about a table what anybody with its code may know."""
    table = await _lobby(request).table(request.path_params["code"], _client(request))
    return JSONResponse(await table.info(_say(request)))


async def join_table(request: Request) -> Response:
    """Give an open seat away."""
    lobby = _lobby(request)
    wish = validate.join_table(await _body(request, lobby.limits.body))
    return JSONResponse(await lobby.join(request.path_params["code"], wish), 201)


async def show_transcript(request: Request) -> Response:
    """Let the game so far be downloaded."""
    lobby = _lobby(request)
    lobby.house.charge(_client(request), COST_OF_TRANSCRIPT)
    table = await lobby.table(request.path_params["code"], _client(request))
    name = f"{table.record.game}-{table.record.code}.txt"
    return PlainTextResponse(
        await table.transcript(_say(request)),
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def answer_me(request: Request) -> Response:
    """Answer a device that asks about the person it belongs to."""
    lobby = _lobby(request)
    question = QUESTIONS.get(request.path_params.get("question", ""))
    if question is None:
        raise HTTPException(404)
    lobby.house.charge(_client(request), question.cost)
    wish = validate.shaped(question.shape, await _body(request, question.body or lobby.limits.body))
    return JSONResponse(await question.answer(lobby.people, wish, _say(request)))


async def answer_daily(request: Request) -> Response:
    """Answer a device that asks about the daily challenge."""
    lobby = _lobby(request)
    asked = request.path_params.get("question", "")
    if asked not in DAILY_QUESTIONS:
        raise HTTPException(404)
    shape, answer, cost = DAILY_QUESTIONS[asked]
    lobby.house.charge(_client(request), cost)
    if asked == "start" and not lobby.new_tables.take(_client(request)):
        raise RefusalError("too_fast")
    wish = validate.shaped(shape, await _body(request, lobby.limits.body))
    return JSONResponse(await answer(lobby.challenge, wish, _say(request)))


async def answer_along(request: Request) -> Response:
    """Give out the code that lets another device in, with links for its camera."""
    lobby = _lobby(request)
    lobby.house.charge(_client(request), 50)
    wish = validate.shaped(Device, await _body(request, lobby.limits.body))
    code = await lobby.people.take_along(wish["token"])
    links = lobby.house.reach.links(f"/me#{code}", f"{request.url.scheme}://{request.url.netloc}")
    answer: Along = {"code": code, "links": [{"link": link, "qr": picture(link)} for link in links]}
    return JSONResponse(answer)


async def answer_look(request: Request) -> Response:
    """Open the table at which a game of somebody's history can be looked back at."""
    lobby = _lobby(request)
    wish = validate.shaped(AskTranscript, await _body(request, lobby.limits.body))
    answer: GameTable = {
        "table": await lobby.look_again(wish["token"], wish["id"], _client(request), _say(request))
    }
    return JSONResponse(answer)


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Say no with a reason and a sentence."""
    assert isinstance(error, RefusalError)
    lobby: Lobby = request.app.state.lobby
    lobby.house.metrics.refusals[error.reason] += 1
    refusal: Refusal = {"reason": error.reason, "words": error.words(_say(request))}
    return JSONResponse(refusal, STATUS.get(error.reason, 400))


async def answer_http_error(request: Request, error: Exception) -> Response:
    """No such address, or not with this method."""
    assert isinstance(error, HTTPException)
    refusal: Refusal = {"reason": "not_found", "words": _say(request)("server.refused.not_found")}
    return JSONResponse(refusal, error.status_code, error.headers)


async def answer_store_away(request: Request, _: Exception) -> Response:
    """The store does not answer."""
    return await answer_refusal(request, RefusalError("store_away"))


async def answer_nobody(_: Request, error: Exception) -> Response:
    """The visitor has hung up, which is no fault."""
    assert isinstance(error, ClientDisconnect)
    return Response(status_code=400)


async def answer_fault(request: Request, _: Exception) -> Response:
    """A fault of the server is told without details; the exception goes on into the log."""
    return await answer_refusal(request, RefusalError("internal"))


def _lobby(request: Request) -> Lobby:
    """Return the lobby to a client that has not asked too much lately, and knows us by a name of ours."""
    lobby: Lobby = request.app.state.lobby
    expect_own_host(request)
    if not lobby.requests.take(_client(request)):
        raise RefusalError("too_fast")
    return lobby


def _client(request: Request) -> str:
    return client_of(request.client.host if request.client else "local")


def _page(request: Request, status: int) -> Response:
    files: Files = request.app.state.files
    index = files.find("index.html")
    if index is None:
        return PlainTextResponse(_say(request)("server.problem.no_page"), 503)
    return index.answer(request, status)


def _say(request: Request) -> Say:
    """Speak the language the address asks for, else the first of the browser's that we know."""
    wanted = [
        request.query_params.get("lang", ""),
        *request.headers.get("accept-language", "").split(","),
    ]
    known = (language for entry in wanted if (language := entry.strip()[:2].lower()) in LANGUAGES)
    return catalogue(next(known, FALLBACK))


async def _body(request: Request, longest: int) -> dict[str, Any]:
    """Read a body of JSON that our own page sent, no further than allowed."""
    expect_own_page(request)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise RefusalError("too_long")
    return validate.decode(body)
