"""Requests of a device about its person, their games and their daily challenges."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from foxclover.locale import Translator
from foxclover.server.daily.challenge import QUESTIONS as DAILY_QUESTIONS
from foxclover.server.errors import RefusalError
from foxclover.server.http.requests import client_name, limited_lobby, read_body, translator
from foxclover.server.limits.rate_limits import COST_OF_TRANSCRIPT
from foxclover.server.lobby import Lobby
from foxclover.server.network import qr_svg
from foxclover.server.protocol import validate
from foxclover.server.protocol.people import (
    Admission,
    Along,
    Arrival,
    AskDevices,
    AskingDevices,
    AskTranscript,
    BringIn,
    Device,
    Devices,
    GameTable,
    GameText,
    Handover,
    History,
    Imports,
    Rename,
    Revocation,
    Sitting,
)


@dataclass(frozen=True)
class Asker:
    """The sender of a request: their client, language, and the address of their page."""

    client: str
    translate: Translator
    opened_at: str


Answer = Callable[[Lobby, Any, Asker], Awaitable[Any]]


@dataclass(frozen=True)
class Question:
    """A request to ``/api/me/...``: the shape and length of its body, its handler and its cost."""

    shape: type
    answer: Answer
    cost: float = 1  # milliseconds
    limit: int = 0  # bytes of the body; 0: as everywhere


async def _sit(lobby: Lobby, body: Sitting, _: Asker) -> dict[str, object]:
    await lobby.people.sit(body["token"], body["table"], body["seat"])
    return {}


async def _arrive(lobby: Lobby, body: Arrival, _: Asker) -> Handover:
    return await lobby.people.arrive(
        body["token"], body["code"], body.get("name", ""), body.get("agreed", False)
    )


async def _asking(lobby: Lobby, body: Device, _: Asker) -> AskingDevices:
    return {"asking": await lobby.people.asking(body["token"])}


async def _admit(lobby: Lobby, body: Admission, _: Asker) -> AskingDevices:
    return {"asking": await lobby.people.admit(body["token"], body["check"], body["admit"])}


async def _devices(lobby: Lobby, body: AskDevices, _: Asker) -> Devices:
    return {"devices": await lobby.people.devices(body["token"], body.get("name"))}


async def _revoke(lobby: Lobby, body: Revocation, _: Asker) -> Devices:
    return {"devices": await lobby.people.revoke(body["token"], body["device"])}


async def _along(lobby: Lobby, body: Device, asker: Asker) -> Along:
    code = await lobby.people.take_along(body["token"])
    links = lobby.context.public_urls.links(f"/me#{code}", asker.opened_at)
    return {"code": code, "links": [{"link": link, "qr": qr_svg(link)} for link in links]}


async def _games(lobby: Lobby, body: Device, asker: Asker) -> History:
    games, unreadable = await lobby.history.games(body["token"], asker.translate)
    return {"games": games, "unreadable": unreadable}


async def _transcript(lobby: Lobby, body: AskTranscript, _: Asker) -> GameText:
    return {"transcript": await lobby.history.transcript(body["token"], body["id"])}


async def _look(lobby: Lobby, body: AskTranscript, asker: Asker) -> GameTable:
    code = await lobby.look_again(body["token"], body["id"], asker.client, asker.translate)
    return {"table": code}


async def _import(lobby: Lobby, body: BringIn, asker: Asker) -> Imports:
    return await lobby.history.bring_in(body["token"], body["games"], asker.client, asker.translate)


async def _delete(lobby: Lobby, body: Device, asker: Asker) -> dict[str, object]:
    await lobby.forget(body["token"], asker.client)
    return {}


QUESTIONS: dict[str, Question] = {
    "": Question(Device, lambda lobby, body, _: lobby.people.who(body["token"])),
    "name": Question(
        Rename, lambda lobby, body, _: lobby.people.call(body["token"], body["name"]), 50
    ),
    "along": Question(Device, _along, 50),
    "look": Question(AskTranscript, _look, 0),
    "sit": Question(Sitting, _sit),
    "arrive": Question(Arrival, _arrive, 20),
    "asking": Question(Device, _asking),
    "admit": Question(Admission, _admit, 20),
    "devices": Question(AskDevices, _devices),
    "revoke": Question(Revocation, _revoke, 20),
    "games": Question(Device, _games, 40),
    "transcript": Question(AskTranscript, _transcript, 5),
    "import": Question(BringIn, _import, 20, 1_000_000),
    "delete": Question(Device, _delete, 20),
}


async def answer_me(request: Request) -> Response:
    """Answer a request about the person of a device."""
    lobby, client = limited_lobby(request), client_name(request)
    question = QUESTIONS.get(request.path_params.get("question", ""))
    if question is None:
        raise HTTPException(404)
    lobby.context.charge(client, question.cost)
    limit = question.limit or lobby.limits.body
    body = validate.shaped(question.shape, await read_body(request, limit))
    opened_at = f"{request.url.scheme}://{request.url.netloc}"
    return JSONResponse(
        await question.answer(lobby, body, Asker(client, translator(request), opened_at))
    )


async def answer_export(request: Request) -> Response:
    """Stream everything that is stored about a person."""
    lobby, client = limited_lobby(request), client_name(request)
    lobby.context.charge(client, COST_OF_TRANSCRIPT)
    body = validate.shaped(Device, await read_body(request, lobby.limits.body))
    pieces = await lobby.history.take_out(body["token"], client, translator(request))
    return StreamingResponse(
        pieces,
        media_type="application/json",
        headers={"content-disposition": 'attachment; filename="foxclover-me.json"'},
    )


async def answer_daily(request: Request) -> Response:
    """Answer a request about the daily challenge."""
    lobby, client = limited_lobby(request), client_name(request)
    asked = request.path_params.get("question", "")
    if asked not in DAILY_QUESTIONS:
        raise HTTPException(404)
    shape, answer, cost = DAILY_QUESTIONS[asked]
    lobby.context.charge(client, cost)
    if asked == "start" and not lobby.new_tables.take(client):
        raise RefusalError("too_fast")
    body = validate.shaped(shape, await read_body(request, lobby.limits.body))
    return JSONResponse(await answer(lobby.challenge, body, translator(request), client))
