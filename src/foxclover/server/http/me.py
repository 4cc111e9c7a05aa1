"""What a device may ask about the person it belongs to, over HTTP: each question with its declared shape."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from foxclover.locale import Say
from foxclover.server.me_protocol import Arrival, AskTranscript, BringIn, Device, Rename, Sitting
from foxclover.server.people import People

Answer = Callable[[People, Any, Say], Awaitable[Any]]


@dataclass(frozen=True)
class Question:
    """A question at ``/api/me/...``: the shape of its body, who answers it, what is charged for it, and how long its body may be."""

    shape: type
    answer: Answer
    cost: float = 1  # milliseconds
    body: int = 0  # bytes; 0: as everywhere


async def _games(people: People, wish: Device, _: Say) -> dict[str, object]:
    return {"games": await people.games(wish["token"])}


async def _transcript(people: People, wish: AskTranscript, _: Say) -> dict[str, object]:
    return {"transcript": await people.transcript(wish["token"], wish["id"])}


async def _done(work: Awaitable[None]) -> dict[str, object]:
    await work
    return {}


QUESTIONS: dict[str, Question] = {
    "": Question(Device, lambda people, wish, _: people.who(wish["token"])),
    "name": Question(Rename, lambda people, wish, _: people.call(wish["token"], wish["name"]), 50),
    "sit": Question(
        Sitting,
        lambda people, wish, _: _done(people.sit(wish["token"], wish["table"], wish["seat"])),
    ),
    "arrive": Question(
        Arrival, lambda people, wish, _: people.arrive(wish["token"], wish["code"]), 20
    ),
    "games": Question(Device, _games, 40),
    "transcript": Question(AskTranscript, _transcript, 5),
    "export": Question(Device, lambda people, wish, _: people.take_out(wish["token"]), 100),
    "import": Question(
        BringIn,
        lambda people, wish, say: people.bring_in(wish["token"], wish["games"], say),
        200,
        1_000_000,
    ),
    "delete": Question(Device, lambda people, wish, _: _done(people.forget(wish["token"])), 20),
}
