"""What a device and the server say about the person it belongs to, as typed dictionaries; docs/protocol.md tells what they mean."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from foxclover.server.bounds import (
    AtMost,
    Count,
    DeviceToken,
    LongText,
    PersonName,
    Seat,
    Text,
    Token,
)
from foxclover.server.daily_protocol import DailyResult
from foxclover.server.protocol import Link


class Device(TypedDict):
    """POST /api/me, /api/me/along, /api/me/games, /api/me/export and /api/me/delete: all a device has to say is its secret."""

    token: DeviceToken


class Person(TypedDict):
    """Answer to Device at /api/me: all that is kept, but for the games themselves."""

    name: str
    tag: str  # tells people of one name apart; "" as long as nothing is kept
    devices: int
    games: int  # finished ones that are kept


class Rename(TypedDict):
    """POST /api/me/name"""

    token: DeviceToken
    name: PersonName


class Sitting(TypedDict):
    """POST /api/me/sit: the holder of a seat is this person."""

    token: DeviceToken
    table: Text
    seat: Token  # the secret of the seat


class Along(TypedDict):
    """Answer to Device at /api/me/along: lets another device in, once and for ten minutes."""

    code: str
    links: list[Link]


class Arrival(TypedDict):
    """POST /api/me/arrive: this device belongs to the person who got that code."""

    token: DeviceToken
    code: Text


class GameReview(TypedDict):
    """What statistics take from the review of a game: points, and decisions counted."""

    luck: float
    loss: float
    adjusted: float  # the score with ordinary luck
    decisions: int
    best: int  # decisions that lost nothing


class FinishedGame(TypedDict):
    """A game of a person's history."""

    id: str
    at: int  # seconds since 1970
    game: str
    variant: int
    dice: str  # "sealed", "seed", "typed", "daily", "system"
    seat: int  # the person's own
    names: list[str]
    levels: list[str]  # of computer players, "" for persons
    scores: list[int]
    places: list[int]
    parts: dict[str, int]  # of the own score
    table: str | None  # None: brought in as text, and not yet looked at
    review: GameReview | None  # None: nobody has asked for one yet


class History(TypedDict):
    """Answer to Device at /api/me/games."""

    games: list[FinishedGame]  # the last one first


class AskTranscript(TypedDict):
    """POST /api/me/transcript and /api/me/look"""

    token: DeviceToken
    id: Text


class GameTable(TypedDict):
    """Answer to AskTranscript at /api/me/look: where the game can be replayed and reviewed."""

    table: str


class GameText(TypedDict):
    """Answer to AskTranscript."""

    transcript: str


class ImportedGame(TypedDict):
    """A finished game as text."""

    transcript: LongText
    at: NotRequired[Count]
    seat: NotRequired[Seat]  # the person's own; else the one of his name, else the first person


class BringIn(TypedDict):
    """POST /api/me/import"""

    token: DeviceToken
    games: Annotated[list[ImportedGame], AtMost(20)]


class Imports(TypedDict):
    """Answer to BringIn."""

    added: int
    known: int  # were there already
    refused: list[str]  # why


class Export(TypedDict):
    """Answer to Device at /api/me/export: everything that is kept about a person."""

    foxclover: int
    name: str
    tag: str
    games: list[ImportedGame]
    daily: list[DailyResult]  # days begun here; without a score: not finished
