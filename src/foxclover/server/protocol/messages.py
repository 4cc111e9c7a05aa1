"""Messages of a table's websocket as typed dictionaries; docs/protocol.md explains them.

``typescript`` makes the page's types of them, and ``validate`` checks messages from outside.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.core.contract import MoveView, Preview, View
from foxclover.core.rules import MAX_PLAYERS
from foxclover.server.errors import Reason as Reason  # noqa: PLC0414 - part of the protocol
from foxclover.server.protocol.reviews import (
    AskLine,
    AskMoments,
    AskReview,
    AskVerdict,
    LineMessage,
    MomentsMessage,
    ReviewMessage,
    VerdictMessage,
)
from foxclover.server.protocol.tables import DrawSeal, Link, Numbered, Sealing, SeatInfo
from foxclover.server.protocol.validate import (
    Count,
    Language,
    Pace,
    PagePool,
    PageSalt,
    PersonName,
    Seat,
    Seen,
    Text,
    Token,
    at_most,
)

PROTOCOL = 4
"""Increased whenever an old page could misunderstand a new server."""

Reaction = Literal["well", "luck", "wow", "ouch", "laugh", "thanks"]


# --- page to server


class Hello(TypedDict):
    """First message of a connection, that of a spectator without tokens."""

    type: Literal["hello"]
    protocol: Count
    tokens: Annotated[list[Token], at_most(MAX_PLAYERS)]
    language: Language
    seq: Seen  # the last one seen, -1 for none; the log is sent from there


class SeatMessage(Numbered):
    """A message about a seat in the state ``seq``, and its answer."""

    seq: Count
    seat: Seat


class MakeMove(SeatMessage):
    """Make a move: ``move`` is an id of ``moves``, ``text`` an unambiguous prefix of its text."""

    type: Literal["move"]
    move: NotRequired[Count]
    text: NotRequired[Text]


class Roll(SeatMessage):
    """Roll the dice; until then the last moves can be undone."""

    type: Literal["roll"]
    salt: NotRequired[PageSalt]  # fair dice: mixed into the entropy pool before the draw
    pool: NotRequired[PagePool]  # the entropy pool as computed by the page


class Undo(SeatMessage):
    """Undo the seat's last move, as long as nothing happened after it."""

    type: Literal["undo"]


class EnterChance(SeatMessage):
    """Real dice: enter the roll or the card drawn, in the notation of chance.

    Any of your seats may enter it: all players see the dice.
    """

    type: Literal["enter"]
    text: Text


class CorrectChance(SeatMessage):
    """Real dice: undo the last entry, as long as no player has decided on it."""

    type: Literal["correct"]


class AskHint(SeatMessage):
    """Ask for the ranked legal moves of a seat."""

    type: Literal["hint"]


class AskOdds(SeatMessage):
    """Ask for the odds of a seat's next roll."""

    type: Literal["odds"]


class AskWhy(Numbered):
    """Ask why a seat has no decision, or which moves are forced or refused."""

    type: Literal["why"]
    seat: Seat
    about: NotRequired[Text]  # one die ("y"), field ("y3a", "g#5"), card ("25") or level ("#3")


class AskPreview(SeatMessage):
    """Ask for the effects of each legal move of a seat."""

    type: Literal["preview"]


class ChangeSeat(Numbered):
    """Change the player of a seat.

    The holder may ``leave`` it, so that it is open, and ``return`` to it. The holder and the
    table's creator may ``replace`` the player by a computer player. The creator may ``free`` a
    seat whose holder is away.
    """

    type: Literal["seat"]
    seat: Seat
    change: Literal["leave", "return", "replace", "free"]
    level: NotRequired[Text]  # of the computer player


class SetPace(Numbered):
    """Set the pace of the computer players of this table."""

    type: Literal["pace"]
    pace: Pace  # milliseconds between the moves of computer players, 0 to 10,000


class SetLanguage(Numbered):
    """Choose the language of all texts from now on."""

    type: Literal["language"]
    language: Language


class AskRematch(Numbered):
    """Open a table for the same players, or ask for its code."""

    type: Literal["rematch"]


class AskInvitation(Numbered):
    """Ask for the links by which friends join."""

    type: Literal["invite"]


class SetNetwork(Numbered):
    """Open or close the server to its local network, from the server's own machine only."""

    type: Literal["network"]
    open: bool


class React(Numbered):
    """Show a reaction of one of your seats to everybody at the table; it is not stored."""

    type: Literal["react"]
    seat: Seat
    reaction: Reaction


class NameWatcher(Numbered):
    """Show a spectator's name to everybody at the table; an empty one hides it."""

    type: Literal["watch"]
    name: PersonName


class Ping(Numbered):
    """Ask whether the connection works."""

    type: Literal["ping"]


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
    | AskLine
    | React
    | NameWatcher
    | Ping
)


# --- server to page


class LogEntry(TypedDict):
    """One move, of a player or of chance."""

    index: int
    seat: int  # -1: chance
    text: str  # the notation
    words: str
    at: int  # seconds since 1970
    seal: NotRequired[DrawSeal]  # fair draws, as soon as all players may know them


class WantedEntry(TypedDict):
    """Real dice: the entry that is due."""

    kind: str  # ``chance`` of the view: "roll" or another draw
    outcomes: list[str]  # of draws other than rolls: the possible ones, in notation


class SeatMoves(TypedDict):
    """The legal moves of one seat."""

    seat: int
    moves: list[MoveView]


class Prompt(TypedDict):
    """The decision that a seat has to make."""

    seat: int
    words: str


class SeatResult(TypedDict):
    """The result of one seat."""

    seat: int
    place: int  # 1 is first; shared places repeat
    total: int
    parts: dict[str, int]  # sum to the total


class Result(TypedDict):
    """The end of a game."""

    seats: list[SeatResult]
    rating: int  # solo: index of the layout's ratings, 0 is the best, past the last: none; else -1
    missing: int  # solo: points to the next rating
    seed: int | None  # practice: shown when the game is over


class StateMessage(TypedDict):
    """Everything a page shows.

    Replaces the previous state, except log entries below ``log_from``.
    """

    type: Literal["state"]
    table: str
    seq: int
    game: str
    you: list[int]  # seats this connection plays; none: a spectator
    resting: list[int]  # seats of this connection that a computer player plays meanwhile
    host: bool  # this connection may give seats to computer players and free them
    seats: list[SeatInfo]
    spectators: int
    watchers: list[str]  # names of the spectators who show theirs
    view: View
    acting: list[int]  # seats that have a decision to make
    moves: list[SeatMoves]  # of your acting seats
    prompts: list[Prompt]  # of all acting seats, or of those that may roll
    headline: str  # one sentence: what happens next
    rollers: list[int]  # seats that may roll now; none: no roll is due
    undo: list[int]  # your seats that may undo their last move
    scores: list[int]
    log_from: int
    log: list[LogEntry]
    over: bool
    result: Result | None
    # path of the join page with its secret; for players, while a seat is open
    invitation: str | None
    rematch: str | None  # the table of the next game
    deadline: int | None  # when a computer player acts for those the game waits for
    practice: bool
    daily: str | None  # the day of the daily challenge played here
    sealing: Sealing | None
    typed_dice: bool  # real dice: players enter the results
    entry: WantedEntry | None  # the entry that is due
    correct: bool  # you may still correct the last entry
    pace: int


class SeatsMessage(TypedDict):
    """A player or spectator joined or left; does not change ``seq``."""

    type: Literal["seats"]
    seats: list[SeatInfo]
    spectators: int
    watchers: list[str]


class Ack(Numbered):
    """The message with this ``ref`` was executed and, if it changed the game, stored as ``seq``."""

    type: Literal["ack"]
    seq: int


class Refused(Numbered):
    """The message with this ``ref`` changed nothing; -1 if its ref is unreadable."""

    type: Literal["refused"]
    seq: int
    reason: Reason
    words: str


class RankedMove(TypedDict):
    """A legal move and its value."""

    move: int
    text: str
    words: str
    expected: float  # final points
    error: float  # of the values and of rollouts; 0 if not measured
    loss: float  # difference to the best move


class HintMessage(SeatMessage):
    """Answer to AskHint."""

    type: Literal["hint"]
    moves: list[RankedMove]  # best first


class CardOdds(TypedDict):
    """The probability that the next roll fulfils a card."""

    card: str  # its name in the notation
    probability: float


class OddsMessage(SeatMessage):
    """The next roll: probability of each card in reach, and that none of them is fulfilled."""

    type: Literal["odds"]
    cards: list[CardOdds]
    fail: float


class WhyMessage(Numbered):
    """Answer to AskWhy."""

    type: Literal["why"]
    seat: int
    words: list[str]  # a sentence for each reason; empty: nothing is refused or forced


class PreviewMessage(SeatMessage):
    """Answer to AskPreview."""

    type: Literal["preview"]
    moves: list[Preview]


class PaceMessage(TypedDict):
    """A player changed the pace."""

    type: Literal["pace"]
    pace: int


class ReactionMessage(TypedDict):
    """A player shows a reaction."""

    type: Literal["reaction"]
    seat: int
    reaction: Reaction


class RematchMessage(TypedDict):
    """The next game of the same players, with the same tokens."""

    type: Literal["rematch"]
    table: str


class InvitationMessage(Numbered):
    """Answer to AskInvitation and SetNetwork."""

    type: Literal["invitation"]
    path: str  # of the join page on this server
    links: list[Link]  # best first; empty: only this machine can reach the server
    network: Literal["open", "shut"] | None  # the local network; None: you may not change it


class Pong(Numbered):
    """Answer to Ping."""

    type: Literal["pong"]


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
    | ReactionMessage
    | RematchMessage
    | InvitationMessage
    | MomentsMessage
    | ReviewMessage
    | VerdictMessage
    | LineMessage
    | Pong
    | Bye
)
