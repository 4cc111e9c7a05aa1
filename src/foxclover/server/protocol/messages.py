"""Every message between page and server, as typed dictionaries; docs/protocol.md tells what they mean.

``foxclover.server.typescript`` turns this file and ``review_protocol`` into the page's types, and ``foxclover.server.validate`` checks
what comes from outside by them, so all speak from one declaration.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.colours import Paint
from foxclover.contract import MoveView, Preview, View
from foxclover.server.bounds import (
    AtMost,
    Beginner,
    Count,
    Language,
    NewToken,
    Pace,
    PageSalt,
    PersonName,
    Seat,
    Seen,
    Text,
    Token,
)
from foxclover.server.reason import Reason as Reason  # noqa: PLC0414 - a part of the protocol that has a file of its own
from foxclover.server.review_protocol import (
    AskMoments,
    AskReview,
    AskVerdict,
    MomentsMessage,
    ReviewMessage,
    VerdictMessage,
)
from foxclover.shelf import MOST_PLAYERS

PROTOCOL = 3
"""Raised whenever an old page could misunderstand a new server."""


# --- HTTP -------------------------------------------------------------------------------------------------------------


class Refusal(TypedDict):
    """Body of every HTTP answer that is not 2xx."""

    reason: Reason
    words: str


class Health(TypedDict):
    """GET /api/health"""

    ok: bool
    version: str
    protocol: int
    tables: int  # in memory
    connections: int


class GameInfo(TypedDict):
    """A game one can open a table for."""

    key: str  # "ganz-schoen-clever", ...
    name: str  # the title on the box
    designer: str
    publisher: str
    kind: str  # the family that plays it
    paints: list[Paint]  # its colours, those of the dice first
    players: list[int]  # how many may play
    options: list[str]  # what may be chosen in ``TableOptions``


class GamesAnswer(TypedDict):
    """GET /api/games"""

    protocol: int
    games: list[GameInfo]
    levels: list[
        str
    ]  # computer players, weakest first; their names are "server.level.<level>" in the catalogue
    languages: list[str]


class SeatWish(TypedDict):
    """One seat of a new table. ``me`` and ``here`` (another person at this device) are the creator's."""

    kind: Literal["me", "here", "friend", "computer"]
    name: NotRequired[PersonName]  # at most 24 characters
    level: NotRequired[Text]  # computer only


class TableOptions(TypedDict):
    """What may differ between two tables of one game."""

    seed: NotRequired[Count | None]  # practice: the same seed rolls the same dice; 0 to 2**53 - 1
    typed_dice: NotRequired[
        bool
    ]  # a companion for real dice: people roll their own and enter what they show
    solo_rules: NotRequired[bool]  # the solo rules for several players
    free_placement: NotRequired[bool]  # the start cards are placed by the players
    begins: NotRequired[Beginner]  # the seat that begins; -1: it is drawn by lot


class CreateTable(TypedDict):
    """POST /api/tables"""

    game: Text
    seats: Annotated[
        list[SeatWish], AtMost(64)
    ]  # more than any game takes, so that too many are told the range
    options: NotRequired[TableOptions]
    pace: NotRequired[Pace]
    language: NotRequired[Language]


class SeatKey(TypedDict):
    """The secret that makes a seat yours; shown once, kept by the page."""

    seat: int
    token: str


class Sealing(TypedDict):
    """Sealed dice: what the chain of secrets is tied to, and its anchor; docs/fair-dice.md tells how a draw is checked."""

    title: str
    anchor: str


class TableCreated(TypedDict):
    """Answer to CreateTable."""

    table: str
    link: str  # path of the page at which friends join, with the secret: "/t/k7m2xq#..."
    seats: list[SeatKey]
    sealing: Sealing | None


class JoinTable(TypedDict):
    """POST /api/tables/<table>/join"""

    invitation: Text  # what stands behind "#" in the link
    token: NotRequired[
        NewToken
    ]  # the page's own choice; the same wish with the same token gets the same answer again
    name: NotRequired[PersonName]
    seat: NotRequired[Seat]  # else the first that is open
    language: NotRequired[Language]


class TableJoined(TypedDict):
    """Answer to JoinTable: the open seat is yours."""

    table: str
    seat: int
    token: str


class SeatInfo(TypedDict):
    """Who sits where, for everybody to see."""

    seat: int
    kind: Literal["person", "computer"]
    name: str
    level: str  # "" for persons
    open: bool  # waits for a friend to take it
    connected: bool  # persons: a connection that holds the seat is open
    stand_in: bool  # a computer player plays for the person whose seat it is
    away_since: (
        int | None
    )  # persons who are not connected: when they were here last, seconds since 1970


class TableInfo(TypedDict):
    """GET /api/tables/<table>"""

    table: str
    game: str
    seats: list[SeatInfo]
    seq: int  # 0 as long as a daily challenge is hidden
    scores: list[int]  # and none
    over: bool
    practice: bool
    sealing: Sealing | None
    created: int  # seconds since 1970
    touched: int  # when the last move was made


# --- websocket: page to server ----------------------------------------------------------------------------------------


class Hello(TypedDict):
    """First message of a connection; without tokens one watches."""

    type: Literal["hello"]
    protocol: Count
    tokens: Annotated[list[Token], AtMost(MOST_PLAYERS)]
    language: Language
    seq: Seen  # the last one seen, -1 for none: the log is sent from where it differs
    salt: NotRequired[
        PageSalt
    ]  # stirred into the cup for each of your seats that has given none yet


class MakeMove(TypedDict):
    """``move`` is an id out of ``moves``, or ``text`` any unambiguous beginning of a move's text."""

    type: Literal["move"]
    ref: Count
    seq: Count
    seat: Seat
    move: NotRequired[Count]
    text: NotRequired[Text]


class Roll(TypedDict):
    """Let the dice fall; until then the last moves can be undone."""

    type: Literal["roll"]
    ref: Count
    seq: Count
    seat: Seat
    salt: NotRequired[PageSalt]  # stirred into the cup before


class Undo(TypedDict):
    """Take back the seat's last move, as long as nothing happened after it."""

    type: Literal["undo"]
    ref: Count
    seq: Count
    seat: Seat


class EnterChance(TypedDict):
    """Real dice: enter what has fallen or which card was drawn, in the notation of chance."""

    type: Literal["enter"]
    ref: Count
    seq: Count
    seat: Seat  # any that you hold: everybody sees the dice
    text: Text


class CorrectChance(TypedDict):
    """Real dice: take back what was entered last, as long as nobody has decided on it."""

    type: Literal["correct"]
    ref: Count
    seq: Count
    seat: Seat


class AskHint(TypedDict):
    """Ask for the seat's legal moves, ranked."""

    type: Literal["hint"]
    ref: Count
    seq: Count
    seat: Seat


class AskOdds(TypedDict):
    """Ask for the seat's chances on the next roll."""

    type: Literal["odds"]
    ref: Count
    seq: Count
    seat: Seat


class AskWhy(TypedDict):
    """Ask why a seat is not asked, or what it must and cannot do now."""

    type: Literal["why"]
    ref: Count
    seat: Seat
    about: NotRequired[
        Text
    ]  # only why this die ("y"), field ("y3a", "g#5"), card ("25") or level ("#3") cannot be used


class AskPreview(TypedDict):
    """Ask what each legal move of a seat would do."""

    type: Literal["preview"]
    ref: Count
    seq: Count
    seat: Seat


class ChangeSeat(TypedDict):
    """Who sits in a seat from now on.

    Whoever holds it may ``leave`` it, and ``return`` when a computer player stands in. Who made the table may ``replace`` anybody by a
    computer player, as may whoever holds the seat, and ``free`` a seat whose holder is away.
    """

    type: Literal["seat"]
    ref: Count
    seat: Seat
    change: Literal["leave", "return", "replace", "free"]
    level: NotRequired[Text]  # of the computer player


class SetPace(TypedDict):
    """How fast computer players move at this table."""

    type: Literal["pace"]
    ref: Count
    pace: Pace  # milliseconds between the moves of computer players, 0 to 10,000


class SetLanguage(TypedDict):
    """All words in another language from now on."""

    type: Literal["language"]
    ref: Count
    language: Language


class AskRematch(TypedDict):
    """Open a table for the same people, or learn which it is."""

    type: Literal["rematch"]
    ref: Count


class AskInvitation(TypedDict):
    """Ask for the links that let friends sit down."""

    type: Literal["invite"]
    ref: Count


class SetNetwork(TypedDict):
    """Let others in the network of the server's machine in, or shut them out; for somebody who sits at that machine."""

    type: Literal["network"]
    ref: Count
    open: bool


class Ping(TypedDict):
    """Ask whether the server is still there."""

    type: Literal["ping"]
    ref: Count


ClientMessage = (
    Hello
    | MakeMove
    | Roll
    | Undo
    | EnterChance
    | CorrectChance
    | AskHint
    | AskOdds
    | AskWhy
    | AskPreview
    | ChangeSeat
    | SetPace
    | SetLanguage
    | AskRematch
    | AskInvitation
    | SetNetwork
    | AskMoments
    | AskReview
    | AskVerdict
    | Ping
)


# --- websocket: server to page ----------------------------------------------------------------------------------------


class StirredSalt(TypedDict):
    """What a page has stirred into the cup."""

    seat: int
    salt: str


class DrawSeal(TypedDict):
    """What makes a draw of sealed dice checkable."""

    draw: int  # counted from 1
    secret: str
    salts: list[StirredSalt]  # since the draw before
    among: NotRequired[
        list[str]
    ]  # of draws other than rolls: what it could be, in the order it is counted in. Left out where some
    # of these were told before and those left since then, without what was drawn, are all it could be


class LogEntry(TypedDict):
    """One move, of a player or of chance."""

    index: int
    seat: int  # -1: chance
    text: str  # the notation
    words: str
    at: int  # seconds since 1970
    seal: NotRequired[DrawSeal]  # sealed draws, as soon as everybody may know of them


class WantedEntry(TypedDict):
    """Real dice: what is to be entered."""

    kind: str  # as ``chance`` of the view: "roll", or something else
    outcomes: list[str]  # of all but rolls: what it can be, in notation


class SeatMoves(TypedDict):
    """The legal moves of one seat."""

    seat: int
    moves: list[MoveView]


class Prompt(TypedDict):
    """What is expected of a seat now."""

    seat: int
    words: str


class SeatResult(TypedDict):
    """What one seat has reached."""

    seat: int
    place: int  # 1 is first; shared places repeat
    total: int
    parts: dict[str, int]  # sum to the total


class Result(TypedDict):
    """The end of a game."""

    seats: list[SeatResult]
    rating: int  # alone: which of the layout's levels was reached, 0 is the best, one more than the last: none; -1 with others
    missing: int  # alone: points to the next level
    seed: int | None  # practice: told when the game is over


class StateMessage(TypedDict):
    """Everything a page shows. Replaces all before it, save the log: keep entries below ``log_from``, replace the rest."""

    type: Literal["state"]
    table: str
    seq: int
    game: str
    you: list[int]  # seats this connection holds and plays; none: watching
    resting: list[int]  # seats it holds that a computer player plays meanwhile
    host: bool  # it may give seats to computer players and free them
    seats: list[SeatInfo]
    spectators: int
    view: View
    acting: list[int]  # seats that have something to decide
    moves: list[SeatMoves]  # of the seats you hold that are acting
    prompts: list[Prompt]  # of all acting seats, or who is to roll
    headline: str  # one sentence: what the table waits for
    rollers: list[int]  # seats that may let the dice fall now; none: no roll is due
    undo: list[int]  # seats you hold that may take back their last move
    scores: list[int]
    log_from: int
    log: list[LogEntry]
    over: bool
    result: Result | None
    invitation: (
        str | None
    )  # path at which friends sit down, with its secret; only for you who sit, while a seat is open
    rematch: str | None  # the table where the next game is played
    practice: bool
    daily: str | None  # the day of the daily challenge that is played here
    sealing: Sealing | None
    typed_dice: bool  # people roll their own dice and enter what they show
    entry: WantedEntry | None  # what is to be entered now
    correct: bool  # what was entered last may still be corrected by you
    pace: int


class SeatsMessage(TypedDict):
    """Somebody came, went, or took a seat; no seq of its own."""

    type: Literal["seats"]
    seats: list[SeatInfo]
    spectators: int


class Ack(TypedDict):
    """The message with that ``ref`` is done and, if it changed the game, kept as ``seq``."""

    type: Literal["ack"]
    ref: int
    seq: int


class Refused(TypedDict):
    """The message with that ``ref`` changed nothing; -1 when its ref could not be read."""

    type: Literal["refused"]
    ref: int
    seq: int
    reason: Reason
    words: str


class RankedMove(TypedDict):
    """A legal move and what it is worth."""

    move: int
    text: str
    words: str
    expected: float  # final points
    error: float  # standard error; 0 when the value was not sampled
    loss: float  # difference to the best move


class HintMessage(TypedDict):
    """Answer to AskHint."""

    type: Literal["hint"]
    ref: int
    seq: int
    seat: int
    moves: list[RankedMove]  # best first


class CardOdds(TypedDict):
    """The chance that the next roll meets a card."""

    card: str  # what it is called in the notation
    probability: float


class OddsMessage(TypedDict):
    """The next roll: chance of each card in reach, and that none of them is met."""

    type: Literal["odds"]
    ref: int
    seq: int
    seat: int
    cards: list[CardOdds]
    fail: float


class WhyMessage(TypedDict):
    """Answer to AskWhy, from the rules."""

    type: Literal["why"]
    ref: int
    seat: int
    words: list[str]  # a sentence for each reason; none: nothing is refused or forced


class PreviewMessage(TypedDict):
    """Answer to AskPreview."""

    type: Literal["preview"]
    ref: int
    seq: int
    seat: int
    moves: list[Preview]


class PaceMessage(TypedDict):
    """Somebody changed the pace."""

    type: Literal["pace"]
    pace: int


class RematchMessage(TypedDict):
    """The next game of the same people: the same tokens open the seats there."""

    type: Literal["rematch"]
    table: str


class Link(TypedDict):
    """An address, and the same as a picture for cameras."""

    link: str
    qr: str  # SVG


class InvitationMessage(TypedDict):
    """Answer to AskInvitation and SetNetwork."""

    type: Literal["invitation"]
    ref: int
    path: str  # behind the address of any page of this server
    links: list[Link]  # best first; none: nobody but this machine can reach the server
    network: (
        Literal["open", "shut"] | None
    )  # whether others in the network get in; None: not for you to change


class Pong(TypedDict):
    """Answer to Ping."""

    type: Literal["pong"]
    ref: int


class Bye(TypedDict):
    """The server closes the connection after this."""

    type: Literal["bye"]
    reason: Reason
    words: str


ServerMessage = (
    StateMessage
    | SeatsMessage
    | Ack
    | Refused
    | HintMessage
    | OddsMessage
    | WhyMessage
    | PreviewMessage
    | PaceMessage
    | RematchMessage
    | InvitationMessage
    | MomentsMessage
    | ReviewMessage
    | VerdictMessage
    | Pong
    | Bye
)
