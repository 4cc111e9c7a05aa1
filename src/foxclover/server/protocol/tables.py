"""Games, tables, seats and transcripts over HTTP, and the commitments of provably fair dice.

docs/protocol.md explains the messages, docs/fair-dice-spec.md how a draw is checked.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.core.contract import MoveView, View
from foxclover.core.display import Swatch
from foxclover.core.rules import MAX_PLAYERS
from foxclover.server.errors import Reason
from foxclover.server.protocol.validate import (
    Beginner,
    Count,
    FamilyOptions,
    Language,
    LongText,
    NewToken,
    Pace,
    PersonName,
    Seat,
    Text,
    Token,
    at_most,
    between,
    strict,
)


class Numbered(TypedDict):
    """A message with a number that its answer repeats."""

    ref: Count


# --- provably fair dice


class Sealing(TypedDict):
    """The context of the secrets and the commitment to their first chain.

    Sent before the first draw.
    """

    context: str
    commitment: str


class SealRoller(TypedDict):
    """The roller: a person with the salt of their page, or a computer player without one."""

    seat: int
    salt: NotRequired[str]


class DrawSeal(TypedDict):
    """The data by which a draw is checked."""

    draw: int  # counted from 1
    secret: str
    next: NotRequired[str]  # with the first draw of a chain: the commitment to the next chain
    roller: NotRequired[SealRoller]  # of rolls and of the draw for the start player
    # of draws other than rolls: the possible outcomes in the order of their numbers; left out if
    # they are those of an earlier draw without the outcomes drawn since
    among: NotRequired[list[str]]


# --- HTTP


class Refusal(TypedDict):
    """Body of every HTTP response that is not 2xx."""

    reason: Reason
    words: str


class Health(TypedDict):
    """GET /api/health."""

    ok: bool
    version: str
    protocol: int
    tables: int  # in memory
    connections: int


class GameInfo(TypedDict):
    """A game for which you can open a table."""

    key: str  # "ganz-schoen-clever", ...
    name: str  # the title on the box
    designer: str
    publisher: str
    kind: str  # its family
    paints: list[Swatch]  # its colours, those of the dice first
    players: list[int]  # possible numbers of players
    options: list[str]  # names of the ``TableOptions`` it has
    tour: bool  # there is a scripted round for newcomers


class TourStep(TypedDict):
    """A position of a scripted round, and the only move that leads on."""

    words: str  # what to do, and why
    view: View
    move: MoveView | None  # None: roll, or the end
    roll: bool
    score: int


class Tour(TypedDict):
    """GET /api/games/<key>/tour: a scripted round; the last step is its end."""

    steps: list[TourStep]


class GamesAnswer(TypedDict):
    """GET /api/games."""

    protocol: int
    games: list[GameInfo]
    levels: list[str]  # strengths of computer players, weakest first: "server.level.<level>"
    languages: list[str]


class SeatWish(TypedDict):
    """One seat of a new table.

    The creator gets the seats ``me`` and ``here`` (another person at this device).
    """

    kind: Literal["me", "here", "friend", "computer"]
    name: NotRequired[PersonName]  # at most 24 characters
    level: NotRequired[Text]  # computer only


@strict
class TableOptions(FamilyOptions):
    """Options of a table."""

    seed: NotRequired[Count | None]  # practice: the same seed rolls the same dice; 0 to 2**53 - 1
    typed_dice: NotRequired[bool]  # real dice: players roll them and enter the results
    begins: NotRequired[Beginner]  # the start player; -1: random


class CreateTable(TypedDict):
    """POST /api/tables."""

    game: Text
    seats: Annotated[list[SeatWish], at_most(64)]  # more than any game has, for a helpful refusal
    options: NotRequired[TableOptions]
    pace: NotRequired[Pace]
    days: NotRequired[Annotated[int, between(0, 30)]]  # that a person may take for a turn; 0: any
    language: NotRequired[Language]


class SeatKey(TypedDict):
    """The secret that makes a seat yours; sent once, stored by the page."""

    seat: int
    token: str


class TableCreated(TypedDict):
    """Answer to CreateTable."""

    table: str
    link: str  # path of the join page with its secret: "/t/k7m2xq#..."
    seats: list[SeatKey]
    sealing: Sealing | None


class Link(TypedDict):
    """A URL, as text and as a QR code."""

    link: str
    qr: str  # SVG


class JoinTable(TypedDict):
    """POST /api/tables/<table>/join."""

    invitation: Text  # the fragment of the link
    token: NotRequired[NewToken]  # chosen by the page, so that a repeated request is answered alike
    name: NotRequired[PersonName]
    seat: NotRequired[Seat]  # default: the first open seat
    language: NotRequired[Language]


class TableJoined(SeatKey):
    """Answer to JoinTable: the seat is yours."""

    table: str


class SeatInfo(TypedDict):
    """A seat as all players see it."""

    seat: int
    kind: Literal["person", "computer"]
    name: str
    named: bool  # a person has entered the name
    level: str  # "" for persons
    open: bool  # waits for a friend
    connected: bool  # persons: a connection of theirs is open
    stand_in: bool  # a computer player plays for the person who holds the seat
    away_since: int | None  # persons without a connection: seconds since 1970


class TableInfo(TypedDict):
    """GET /api/tables/<table>."""

    table: str
    game: str
    seats: list[SeatInfo]
    seq: int  # 0 while a daily challenge is hidden
    scores: list[int]  # empty while it is hidden
    over: bool
    practice: bool
    sealing: Sealing | None
    created: int  # seconds since 1970
    touched: int  # time of the last move
    waits_for: list[int]  # seats of people who have to move or roll; empty while it is hidden
    waiting_since: int  # seconds since 1970
    deadline: int | None  # when a computer player acts for those it waits for


class AskTable(TypedDict):
    """POST /api/tables/<table>: the table, for the holder of seats."""

    tokens: Annotated[list[Token], at_most(MAX_PLAYERS)]


class OwnTable(TableInfo):
    """Answer to AskTable."""

    you: list[int]  # the seats of these tokens
    position: str | None  # as they know it, as text; null while a daily challenge is hidden


# --- transcripts


class LookAt(TypedDict):
    """POST /api/transcripts."""

    transcript: LongText  # or a position as text, see docs/notation.md
    language: NotRequired[Language]


class PlayOn(TypedDict):
    """POST /api/tables/from-transcript: play on at a new table after so many moves."""

    transcript: LongText  # or a position as text, after no moves
    at: Count
    seats: Annotated[list[SeatWish], at_most(MAX_PLAYERS)]
    same_dice: bool  # repeat the rolls of the transcript wherever they fit
    pace: NotRequired[Pace]
    language: NotRequired[Language]
