"""Requests of a device about its person: the daily challenge, groups, devices, finished games.

docs/protocol.md explains the messages.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from foxclover.server.protocol.tables import Link
from foxclover.server.protocol.validate import (
    LONGEST_NAME,
    Count,
    DeviceToken,
    LongText,
    NewToken,
    PersonName,
    Seat,
    Text,
    Token,
    at_most,
    between,
    not_longer,
)


class Device(TypedDict):
    """POST /api/me, and /along, /asking, /games, /export, /delete below it."""

    token: DeviceToken


class PersonTag(TypedDict):
    """A person: their name, and a tag that distinguishes people of the same name."""

    name: str
    tag: str


# --- the daily challenge and groups


class DailyStanding(TypedDict):
    """A person's result of a day: ``running`` and ``given_up`` have no score."""

    state: Literal["none", "running", "finished", "given_up"]
    table: str | None
    score: int | None
    place: int | None  # 1 is first; shared places repeat
    finished: int  # persons
    begun: int  # persons
    # share of the others with fewer points, and on a closed day of those who gave up; 0 to 1
    better_than: float | None
    loss: float | None  # points per decision; None: not reviewed yet
    # another person who had begun was deleted before, from the same device or address
    again: bool


class DailyGame(DailyStanding):
    """One game of a day."""

    game: str
    promise: str  # SHA-256 of the key, in hexadecimal digits
    tomorrow: str  # promise of the next day


class ExportedGroup(TypedDict):
    """A group of a person."""

    code: str
    name: str


class DailyGroup(ExportedGroup):
    """Friends who compare their results."""

    members: int


class Today(TypedDict):
    """Answer to Device at /api/daily."""

    day: str  # "2026-11-16" in UTC
    left: int  # seconds to the end of the day
    closed: str  # the last day whose dice are public
    games: list[DailyGame]
    groups: list[DailyGroup]
    reports: bool  # whether the operator of a public server reads reports


class StartDaily(Device):
    """POST /api/daily/start."""

    game: Text
    seat: NewToken  # chosen by the page, so that a repeated request is answered alike
    name: NotRequired[PersonName]


class StartOpenDaily(TypedDict):
    """POST /api/daily/start without a server: dice that follow from the date, and no ranking."""

    game: Text
    seat: NewToken
    name: NotRequired[PersonName]


class DailyStarted(TypedDict):
    """Answer to StartDaily: the seat of the token is yours."""

    table: str
    day: str


class AskBoard(Device):
    """POST /api/daily/board: the results of a day, of all persons or of a group."""

    game: Text
    day: NotRequired[Text]  # default: today
    group: NotRequired[Text]


class DailyEntry(PersonTag):
    """A person on a board."""

    you: bool
    place: int | None  # None: running, given up, or in a group not begun
    score: int | None
    state: Literal["none", "running", "finished", "given_up"]
    again: bool  # as in DailyStanding
    loss: float | None  # points per decision; None: not reviewed yet


class Board(TypedDict):
    """Answer to AskBoard: the best persons, or a whole group."""

    day: str
    game: str
    entries: list[DailyEntry]
    reviewing: int  # of these: their review is not ready yet
    you: DailyStanding


class AskSolution(Device):
    """POST /api/daily/solution."""

    game: Text
    day: NotRequired[Text]  # default: the last closed day


class DailyRoll(TypedDict):
    """A move of chance."""

    round: int
    words: str
    text: str  # the notation


class DailyReplay(PersonTag):
    """A game of the day, to replay and review at its table."""

    table: str
    score: int
    rolls: list[DailyRoll]
    foreseen: bool  # luck followed the person's mistakes more often than chance explains


class Solution(TypedDict):
    """Answer to AskSolution: everything about a closed day."""

    day: str
    game: str
    key: str
    promise: str
    best: DailyReplay | None  # None: no person has finished
    strong: DailyReplay | None  # None: not played yet, ask again; or no person has begun that day
    you: DailyStanding


class MakeGroup(Device):
    """POST /api/daily/group."""

    name: PersonName


class Report(Device):
    """POST /api/daily/report: a person on a leaderboard or in a group, or a group without tag."""

    shown: Annotated[str, not_longer(LONGEST_NAME)]  # the name
    why: Literal["name", "cheating"]
    tag: NotRequired[Text]
    group: NotRequired[Text]  # the code
    day: NotRequired[Text]  # of the leaderboard
    game: NotRequired[Text]


class ExportedReport(TypedDict):
    """A report by a person, or about them."""

    name: str
    why: str
    at: int
    yours: bool


class GroupWish(Device):
    """POST /api/daily/join, /api/daily/leave and /api/daily/together."""

    code: Text


class GroupMember(PersonTag):
    """A member of a group with their results."""

    you: bool
    games: int  # with other members
    won: int  # of these: placed before all other members
    days: int  # daily games that this and other members have finished
    best: int  # of these: no member had more points


class GroupPair(TypedDict):
    """Two members who have played together, by their indices in the list of members."""

    one: int
    other: int
    games: int
    ahead: int  # games in which ``one`` was placed before ``other``
    behind: int


class GroupSeat(TypedDict):
    """A player in a game of a group."""

    name: str
    member: int | None  # index in the list; None: not a member
    score: int
    place: int


class GroupGame(TypedDict):
    """A game that several members have finished together."""

    table: str
    game: str
    at: int  # seconds since 1970
    seats: list[GroupSeat]


class Together(TypedDict):
    """Answer to GroupWish at /api/daily/together: the statistics of a group."""

    members: list[GroupMember]
    pairs: list[GroupPair]  # most games first
    games: list[GroupGame]  # newest first


class AskWeek(GroupWish):
    """POST /api/daily/week."""

    game: Text
    day: NotRequired[Text]  # any day of the week; default: today


class SkillPlace(TypedDict):
    """A skill on the scale of the computer players."""

    loss: float  # points per decision
    error: float | None  # standard error; None: one game
    weaker: str  # the strengths of computer players around it, "" beyond the scale
    stronger: str  # equal to ``weaker``: it plays alike


class SkillRating(SkillPlace):
    """The skill of a person in a game, alone or against others, from their latest reviews."""

    game: str
    several: bool  # against others
    games: int  # reviewed ones that count
    curve: list[float]  # the loss after each reviewed game, oldest first


class WeekMember(PersonTag):
    """A member's daily games of a week."""

    you: bool
    scores: list[int | None]  # by day; None: missed
    losses: list[float | None]  # points per decision by day; None: missed or not reviewed yet
    points: int  # of all days
    place: int  # by points
    skill: SkillPlace | None  # in this week
    skill_place: int | None
    rating: SkillRating | None  # in their latest solo games


class Week(TypedDict):
    """Answer to AskWeek: the members of a group, most points first."""

    game: str
    days: list[str]  # Monday to Sunday
    members: list[WeekMember]
    reviewing: int  # games whose review is not ready yet


class DailyResult(TypedDict):
    """A day of an exported person."""

    day: str
    game: str
    score: int | None


# --- people


class Person(PersonTag):
    """Answer to Device at /api/me."""

    devices: int
    games: int  # finished


class Rename(Device):
    """POST /api/me/name."""

    name: PersonName


class Sitting(Device):
    """POST /api/me/sit: claim a seat for this person."""

    table: Text
    seat: Token  # the secret of the seat


class Along(TypedDict):
    """Answer to Device at /api/me/along: the code for another device, valid for ten minutes."""

    code: str
    links: list[Link]


class Arrival(Device):
    """POST /api/me/arrive: link this device to the person who got the code, then agree to it."""

    code: Text
    name: NotRequired[PersonName]  # of the device
    agreed: NotRequired[bool]  # the user has seen the person and agrees


class Handover(PersonTag):
    """Answer to Arrival."""

    state: Literal["asked", "waiting", "done"]  # waiting for the other device
    check: str  # a number that both devices show
    games: int  # of this device, which the person gets


class Asking(TypedDict):
    """A device that asks to be linked."""

    name: str
    check: str
    agreed: bool  # by its user


class AskingDevices(TypedDict):
    """Answer to Device at /api/me/asking, and to Admission."""

    asking: list[Asking]


class Admission(Device):
    """POST /api/me/admit: link the device that shows this number, or refuse it."""

    check: Text
    admit: bool


class AskDevices(Device):
    """POST /api/me/devices."""

    name: NotRequired[PersonName]  # new name of this device


class Revocation(Device):
    """POST /api/me/revoke."""

    device: Text


class ExportedDevice(TypedDict):
    """A device without its secret; times are seconds since 1970, 0 if unknown."""

    name: str
    added: int
    seen: int  # last use, to the hour


class KnownDevice(ExportedDevice):
    """A device of a person."""

    id: str
    this: bool


class Devices(TypedDict):
    """Answer to AskDevices and Revocation."""

    devices: list[KnownDevice]


class GameReview(TypedDict):
    """The summary of a review for statistics: points, and numbers of decisions."""

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
    parts: dict[str, int]  # of the person's score
    table: str | None  # None: imported and not yet opened
    review: GameReview | None  # None: not requested yet


class UnreadableGame(TypedDict):
    """A finished game whose table cannot be replayed, for example without its sheet."""

    table: str
    words: str


class Skills(TypedDict):
    """Answer to Device at /api/me/skill."""

    skills: list[SkillRating]


class History(Skills):
    """Answer to Device at /api/me/games."""

    games: list[FinishedGame]  # newest first
    unreadable: list[UnreadableGame]
    reviewing: int  # latest games whose review is not ready yet


class AskTranscript(Device):
    """POST /api/me/transcript and /api/me/look."""

    id: Text


class OpenTables(TypedDict):
    """Answer to Device at /api/me/tables."""

    tables: list[str]


class GameTable(TypedDict):
    """Answer to AskTranscript at /api/me/look: the table for replay and review."""

    table: str


class GameText(TypedDict):
    """Answer to AskTranscript."""

    transcript: str


class ImportedGame(TypedDict):
    """A finished game as text."""

    transcript: LongText
    at: NotRequired[Count]
    seat: NotRequired[Seat]  # default: the seat with the person's name, else the first person


class PuzzleAttempt(TypedDict):
    """A puzzle that a person tried."""

    id: Text
    made: Annotated[int, between(0, 2)]  # 0: missed, 1: solved, 2: solved after it was missed
    at: Count


class OwnPuzzles(TypedDict):
    """A person's results in the puzzles of a game."""

    game: Text
    results: LongText  # rating, deviation, volatility, tried, solved, streak, best; "" without any
    attempts: Annotated[list[PuzzleAttempt], at_most(5_000)]


class BringIn(Device):
    """POST /api/me/import."""

    games: Annotated[list[ImportedGame], at_most(20)]
    puzzles: NotRequired[Annotated[list[OwnPuzzles], at_most(20)]]


class Imports(TypedDict):
    """Answer to BringIn."""

    added: int
    known: int  # were stored already
    puzzles: int  # puzzle results added
    refused: list[str]  # the reasons


class ExportedGame(ImportedGame):
    """An exported finished game."""

    review: NotRequired[object]  # as the server stores it; None: not requested yet


class RunningGame(TypedDict):
    """A seat of a person in an unfinished game."""

    table: str
    game: str
    seat: int
    name: str
    created: int


class ExportedSubscription(TypedDict):
    """A subscription of a browser, without its keys; its times are those of ``CallSettings``."""

    endpoint: str
    created: int
    language: str
    remind: int
    quiet_from: int
    quiet_until: int
    offset: int


class ExportedWebhook(TypedDict):
    """A webhook of a group chat."""

    kind: str
    url: str
    created: int
    language: str
    offset: int  # minutes of the device's time before UTC's
    events: list[str]  # turns, finished, daily
    tables: list[str]


class ExportedCalls(TypedDict):
    """The calls of an exported person."""

    devices: list[ExportedSubscription]
    tables: list[str]
    webhooks: list[ExportedWebhook]


class Export(PersonTag):
    """Answer to Device at /api/me/export: everything stored about a person."""

    foxclover: int
    devices: list[ExportedDevice]
    groups: list[ExportedGroup]
    running: list[RunningGame]
    reports: list[ExportedReport]
    calls: ExportedCalls
    daily: list[DailyResult]  # without a score: not finished
    puzzles: list[OwnPuzzles]
    unreadable: list[UnreadableGame]
    games: list[ExportedGame]
