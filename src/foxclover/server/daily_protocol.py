"""What a device and the server say about the daily challenge, as typed dictionaries; docs/protocol.md tells what they mean."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from foxclover.server.bounds import DeviceToken, NewToken, PersonName, Text


class DailyStanding(TypedDict):
    """How a person stands on a day: ``running`` and ``given_up`` without a score."""

    state: Literal["none", "running", "finished", "given_up"]
    table: str | None
    score: int | None
    place: int | None  # 1 is first; shared places repeat
    finished: int  # how many have finished
    begun: int  # how many have begun
    better_than: (
        float | None
    )  # share of the others, 0 to 1: those with fewer points and, when the day is closed, those who gave up


class DailyGame(DailyStanding):
    """One game of a day."""

    game: str
    promise: str  # SHA-256 of the key, in hexadecimal digits
    tomorrow: str  # the same of the next day


class DailyGroup(TypedDict):
    """Friends who compare their days."""

    code: str
    name: str
    members: int


class Today(TypedDict):
    """Answer to Device at /api/daily."""

    day: str  # "2026-11-16", of UTC
    left: int  # seconds until nobody can begin any more
    closed: str  # the last day of which everything is told
    games: list[DailyGame]
    groups: list[DailyGroup]


class StartDaily(TypedDict):
    """POST /api/daily/start"""

    token: DeviceToken
    game: Text
    seat: NewToken  # the page's own choice; the same wish with the same token gets the same answer again
    name: NotRequired[PersonName]


class DailyStarted(TypedDict):
    """Answer to StartDaily: the seat of that token is yours."""

    table: str
    day: str


class AskBoard(TypedDict):
    """POST /api/daily/board: the results of a day, of everybody or of a group."""

    token: DeviceToken
    game: Text
    day: NotRequired[Text]  # else today
    group: NotRequired[Text]


class DailyEntry(TypedDict):
    """Somebody on a board."""

    name: str
    tag: str
    you: bool
    place: int | None  # None: running, given up, or in a group not begun
    score: int | None
    state: Literal["none", "running", "finished", "given_up"]


class Board(TypedDict):
    """Answer to AskBoard: the best of all, or a whole group."""

    day: str
    game: str
    entries: list[DailyEntry]
    you: DailyStanding


class AskSolution(TypedDict):
    """POST /api/daily/solution"""

    token: DeviceToken
    game: Text
    day: NotRequired[Text]  # else the last one that is closed


class DailyRoll(TypedDict):
    """What chance did in a game."""

    round: int
    words: str
    text: str  # the notation


class DailyReplay(TypedDict):
    """A game of the day that can be looked at and reviewed at its table."""

    table: str
    name: str
    tag: str
    score: int
    rolls: list[DailyRoll]
    foreseen: (
        bool  # in his reviewed games mistakes were followed by luck more often than chance explains
    )


class Solution(TypedDict):
    """Answer to AskSolution: everything about a closed day."""

    day: str
    game: str
    key: str
    promise: str
    best: DailyReplay | None  # None: nobody has finished
    strong: (
        DailyReplay | None
    )  # None: it is being played, ask again; or nobody has begun on that day
    you: DailyStanding


class MakeGroup(TypedDict):
    """POST /api/daily/group"""

    token: DeviceToken
    name: PersonName


class GroupWish(TypedDict):
    """POST /api/daily/join, /api/daily/leave and /api/daily/together"""

    token: DeviceToken
    code: Text


class GroupMember(TypedDict):
    """Somebody of a group, and how he does in it."""

    name: str
    tag: str
    you: bool
    games: int  # with others of the group
    won: int  # of these: before all the others of the group
    days: int  # games of the daily challenge that he and others of the group have finished
    best: int  # of these: nobody of the group had more


class GroupPair(TypedDict):
    """Two of a group who have played with each other, by their numbers in the list of members."""

    one: int
    other: int
    games: int
    ahead: int  # in which the one was placed before the other
    behind: int


class GroupSeat(TypedDict):
    """Somebody at a table of a group."""

    name: str
    member: int | None  # number in the list; None: not of the group
    score: int
    place: int


class GroupGame(TypedDict):
    """A game that several of a group have finished together."""

    table: str
    game: str
    at: int  # seconds since 1970
    seats: list[GroupSeat]


class Together(TypedDict):
    """Answer to GroupWish at /api/daily/together: who plays whom in a group, with which results."""

    members: list[GroupMember]
    pairs: list[GroupPair]  # those who play most with each other first
    games: list[GroupGame]  # the last ones, the newest first


class DailyResult(TypedDict):
    """What is taken out of a person's days."""

    day: str
    game: str
    score: int | None
