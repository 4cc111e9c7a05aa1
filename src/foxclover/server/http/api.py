"""Requests of the page with a JSON body: about tables, a person, the daily challenge, puzzles."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from foxclover.locale import Translator
from foxclover.server.http.requests import client_name, limited_lobby, read_body, translator
from foxclover.server.limits.rate_limits import COST_OF_TRANSCRIPT, Limits
from foxclover.server.lobby import Lobby
from foxclover.server.network import qr_svg
from foxclover.server.people.reports import report
from foxclover.server.protocol import validate
from foxclover.server.protocol.calls import (
    AddWebhook,
    AskWebhook,
    CallMe,
    Calls,
    ChangeCalls,
    ChangeWebhook,
    StopCalls,
    WebhookTable,
)
from foxclover.server.protocol.people import (
    Admission,
    Along,
    Arrival,
    AskBoard,
    AskDevices,
    AskSolution,
    AskTranscript,
    AskWeek,
    BringIn,
    DailyStarted,
    Device,
    GameTable,
    GameText,
    GroupWish,
    Handover,
    Imports,
    MakeGroup,
    Rename,
    Report,
    Revocation,
    Sitting,
    StartDaily,
)
from foxclover.server.protocol.puzzles import AnswerPuzzle, AskPuzzle
from foxclover.server.protocol.tables import (
    AskTable,
    CreateTable,
    JoinTable,
    LookAt,
    OwnTable,
    PlayOn,
)


@dataclass(frozen=True)
class Asker:
    """The sender of a request: their client, language, the address of their page, its table."""

    client: str
    translate: Translator
    opened_at: str
    table: str


@dataclass(frozen=True)
class Question:
    """A request: the shape and length of its body, its handler, its cost, and the HTTP status."""

    shape: type
    answer: Callable[[Lobby, Any, Asker], Awaitable[Any]]
    cost: float = 0  # milliseconds
    limit: Callable[[Limits], int] = attrgetter("body")  # bytes
    status: int = 200
    even_blocked: bool = False  # blocked people keep the right to delete and export


async def _own_table(lobby: Lobby, body: AskTable, asker: Asker) -> OwnTable:
    table = await lobby.table(asker.table, asker.client)
    return await table.own_info(body["tokens"], asker.translate)


async def _call_me(lobby: Lobby, body: CallMe, asker: Asker) -> Calls:
    table = await lobby.table(body["table"], asker.client)
    return await lobby.calls.add(table, body, asker.client, asker.translate.language)


async def _add_webhook(lobby: Lobby, body: AddWebhook, asker: Asker) -> Calls:
    table = await lobby.table(body["table"], asker.client)
    return await lobby.webhooks.add(table, body, asker.client, asker.translate.language)


async def _webhook_table(lobby: Lobby, body: WebhookTable, asker: Asker) -> Calls:
    table = await lobby.table(body["table"], asker.client)
    return await lobby.webhooks.set_table(table, body, asker.client)


async def _arrive(lobby: Lobby, body: Arrival, _: Asker) -> Handover:
    return await lobby.people.arrive(
        body["token"], body["code"], body.get("name", ""), body.get("agreed", False)
    )


async def _along(lobby: Lobby, body: Device, asker: Asker) -> Along:
    code = await lobby.people.take_along(body["token"])
    links = lobby.context.public_urls.links(f"/me#{code}", asker.opened_at)
    return {"code": code, "links": [{"link": link, "qr": qr_svg(link)} for link in links]}


async def _transcript(lobby: Lobby, body: AskTranscript, _: Asker) -> GameText:
    return {"transcript": await lobby.history.transcript(body["token"], body["id"])}


async def _look(lobby: Lobby, body: AskTranscript, asker: Asker) -> GameTable:
    return {
        "table": await lobby.look_again(body["token"], body["id"], asker.client, asker.translate)
    }


async def _import(lobby: Lobby, body: BringIn, asker: Asker) -> Imports:
    return await lobby.history.bring_in(body, asker.client, asker.translate)


async def _start_daily(lobby: Lobby, body: StartDaily, asker: Asker) -> DailyStarted:
    lobby.new_tables.expect(asker.client)
    return await lobby.challenge.start(body, asker.client)


TRANSCRIPT = attrgetter("transcript")
QUESTIONS = {
    "tables": Question(
        CreateTable, lambda lobby, body, asker: lobby.create(body, asker.client), status=201
    ),
    "tables/from-transcript": Question(
        PlayOn,
        lambda lobby, body, asker: lobby.play_on(body, asker.client),
        limit=TRANSCRIPT,
        status=201,
    ),
    "tables/{code}/join": Question(
        JoinTable, lambda lobby, body, asker: lobby.join(asker.table, body), status=201
    ),
    "tables/{code}": Question(AskTable, _own_table),
    "transcripts": Question(
        LookAt,
        lambda lobby, body, asker: lobby.look_at(body["transcript"], asker.client, asker.translate),
        limit=TRANSCRIPT,
    ),
    "me": Question(Device, lambda lobby, body, _: lobby.people.who(body["token"]), 1),
    "me/name": Question(
        Rename, lambda lobby, body, _: lobby.people.call(body["token"], body["name"]), 50
    ),
    "me/along": Question(Device, _along, 50),
    "me/tables": Question(Device, lambda lobby, body, _: lobby.people.tables(body["token"]), 5),
    "me/look": Question(AskTranscript, _look),
    "me/sit": Question(
        Sitting,
        lambda lobby, body, _: lobby.people.sit(body["token"], body["table"], body["seat"]),
        1,
    ),
    "me/arrive": Question(Arrival, _arrive, 20),
    "me/asking": Question(Device, lambda lobby, body, _: lobby.people.asking(body["token"]), 1),
    "me/admit": Question(
        Admission,
        lambda lobby, body, _: lobby.people.admit(body["token"], body["check"], body["admit"]),
        20,
    ),
    "me/devices": Question(
        AskDevices,
        lambda lobby, body, _: lobby.people.devices(body["token"], body.get("name")),
        1,
    ),
    "me/revoke": Question(
        Revocation, lambda lobby, body, _: lobby.people.revoke(body["token"], body["device"]), 20
    ),
    "me/games": Question(
        Device,
        lambda lobby, body, asker: lobby.history.games(body["token"], asker.translate),
        40,
    ),
    "me/skill": Question(Device, lambda lobby, body, _: lobby.history.skills(body["token"]), 20),
    "me/transcript": Question(AskTranscript, _transcript, 5),
    "me/import": Question(BringIn, _import, 20, lambda _: 1_000_000),
    "me/calls": Question(Device, lambda lobby, body, _: lobby.calls.calls(body["token"]), 5),
    "me/call": Question(CallMe, _call_me, 20),
    "me/call/settings": Question(
        ChangeCalls,
        lambda lobby, body, _: lobby.calls.change(body["token"], body["settings"]),
        20,
    ),
    "me/call/stop": Question(
        StopCalls,
        lambda lobby, body, _: lobby.calls.stop(body["token"], body.get("table")),
        10,
        even_blocked=True,
    ),
    "me/webhook": Question(AddWebhook, _add_webhook, 20),
    "me/webhook/table": Question(WebhookTable, _webhook_table, 20),
    "me/webhook/events": Question(
        ChangeWebhook, lambda lobby, body, _: lobby.webhooks.change(body), 20
    ),
    "me/webhook/test": Question(
        AskWebhook,
        lambda lobby, body, asker: lobby.webhooks.test(body, asker.client, asker.translate),
        50,
    ),
    "me/webhook/remove": Question(
        AskWebhook, lambda lobby, body, _: lobby.webhooks.remove(body), 10, even_blocked=True
    ),
    "me/delete": Question(
        Device,
        lambda lobby, body, asker: lobby.forget(body["token"], asker.client),
        20,
        even_blocked=True,
    ),
    "daily": Question(Device, lambda lobby, body, _: lobby.challenge.today(body), 20),
    "daily/start": Question(StartDaily, _start_daily, 50),
    "daily/board": Question(AskBoard, lambda lobby, body, _: lobby.challenge.board(body), 20),
    "daily/solution": Question(
        AskSolution,
        lambda lobby, body, asker: lobby.challenge.solution(body, asker.translate),
        50,
    ),
    "daily/group": Question(MakeGroup, lambda lobby, body, _: lobby.challenge.make_group(body), 50),
    "daily/join": Question(GroupWish, lambda lobby, body, _: lobby.challenge.join_group(body), 50),
    "daily/together": Question(
        GroupWish, lambda lobby, body, _: lobby.challenge.together(body), 60
    ),
    "daily/week": Question(AskWeek, lambda lobby, body, _: lobby.challenge.week(body), 60),
    "daily/report": Question(Report, lambda lobby, body, _: report(lobby.store, body), 50),
    "daily/leave": Question(
        GroupWish, lambda lobby, body, _: lobby.challenge.leave_group(body), 20
    ),
    "puzzles": Question(
        AskPuzzle, lambda lobby, body, asker: lobby.puzzles.ask(body, asker.translate), 20
    ),
    "puzzles/answer": Question(
        AnswerPuzzle, lambda lobby, body, asker: lobby.puzzles.answer(body, asker.translate), 20
    ),
}
"""The requests by their path below ``/api/``."""


async def answer_question(question: Question, request: Request) -> Response:
    """Check a request and answer it."""
    lobby, client = limited_lobby(request), client_name(request)
    lobby.context.charge(client, question.cost)
    body = validate.shaped(question.shape, await read_body(request, question.limit(lobby.limits)))
    lobby.context.names.check(body)
    if "token" in body and not question.even_blocked:
        await request.app.state.blocks.refuse_device(body["token"])
    asker = Asker(
        client,
        translator(request),
        opened_at=f"{request.url.scheme}://{request.url.netloc}",
        table=request.path_params.get("code", ""),
    )
    answer = await question.answer(lobby, body, asker)
    return JSONResponse(answer or {}, question.status)


async def answer_unknown(request: Request) -> Response:
    """Refuse an unknown question about a person or a day."""
    limited_lobby(request)
    raise HTTPException(404)


async def answer_export(request: Request) -> Response:
    """Stream everything that is stored about a person."""
    lobby, client = limited_lobby(request), client_name(request)
    lobby.context.charge(client, COST_OF_TRANSCRIPT)
    body = validate.shaped(Device, await read_body(request, lobby.limits.body))
    return StreamingResponse(
        await lobby.history.take_out(body["token"], client, translator(request)),
        media_type="application/json",
        headers={"content-disposition": 'attachment; filename="foxclover-me.json"'},
    )
