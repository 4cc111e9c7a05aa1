"""A position of Geht noch was? and its moves for a screen, as typed dictionaries.

Cards are named by the number printed on them (0: no card), levels run from 0 (bottom) to 4, colours are "green", "yellow", "red".
"""

from __future__ import annotations

from typing import Literal, TypedDict

Colour = Literal["green", "yellow", "red"]
MoveKind = Literal[
    "bonus", "buy", "exchange", "keep", "turn_in", "done", "build", "fulfil", "pay", "fail", "stay", "out", "push", "score", "lift"
]


class TermLayout(TypedDict):
    """One line of a condition, to be drawn with dice."""

    kind: Literal["exact", "least", "equal", "run", "sum"]
    dice: str  # a letter for each die: B blue, R red, W any; a sum has one letter
    value: int  # the number shown, the minimum or the total; 0 for equal and run


class CardLayout(TypedDict):
    number: int
    colour: Colour
    points: int
    cost: int
    condition: str  # in the notation of the deck
    terms: list[list[TermLayout]]  # any of the outer list; all of an inner list, each die used once
    hits: int  # how many of the 279,936 rolls fulfil it
    start: str  # start set "A" to "D"; "" for none


class ColourLayout(TypedDict):
    name: Colour
    points: int
    cost: int
    income: bool


class BonusLayout(TypedDict):
    luck: int
    card: Literal["", "green", "yellow", "red"]


class ClimbLayout(TypedDict):
    """Everything printed: fetched once a game."""

    kind: Literal["climb"]
    game: str
    deck: str
    note: str  # what the deck file says about its origin
    rolls: int  # 279,936: what hits are counted out of
    cards: list[CardLayout]
    colours: list[ColourLayout]
    star: list[int]  # factors of the levels, bottom first
    solo: list[int]  # the same for the back of the strip
    bonuses: list[list[BonusLayout]]  # per round: what can be chosen
    rounds: int
    build_levels: int  # new cards lie on the lowest levels only
    room: int  # active cards a level
    clover: int  # room for luck
    black_markers: int
    purchases: int  # a round
    set_points: int  # solo rules
    ranks: list[int]  # solo: lowest score of each rank, lowest first


class ActiveView(TypedDict):
    card: int
    marker: Literal["", "black", "luck"]
    reachable: bool  # its level may be the next one fulfilled
    met: bool  # the dice on the table fulfil its condition


class ScoredView(TypedDict):
    card: int
    times: int  # 1, or 3 or 4 with a multiplier marker


class LevelView(TypedDict):
    factor: int
    active: list[ActiveView]
    scored: list[ScoredView]
    points: int


class PlayerView(TypedDict):
    stage: Literal["", "place", "bonus", "buy", "exchange", "build", "decide", "leave", "push", "lift"]
    in_round: bool  # the In/Out marker
    luck: int
    black: int  # black markers not on a card
    levels: list[LevelView]  # bottom first
    waiting: list[int]  # cards beside the clover
    offered: int  # the card just bought that may be exchanged
    income: int  # what the scored cards would earn now
    money: int
    purchases: int  # left in this round
    lifts: int  # solo rules: pushes of scored cards still to be used
    sets: int  # solo rules: points for sets of three colours
    total: int
    rank: int  # solo: 1 to 8 by points; 0 for none


class PileView(TypedDict):
    colour: Colour
    shuffled: int  # cards in an order nobody knows
    under: list[int]  # known cards below them, next one first


class DrawView(TypedDict):
    """A card that is about to be drawn."""

    seat: int
    colour: Colour
    reason: Literal["bonus", "purchase", "consolation"]


class ClimbView(TypedDict):
    kind: Literal["climb"]
    round: int
    rounds: int
    fairy: int  # seat
    phase: Literal["placing", "bonus", "buying", "building", "rolling", "pushing", "over"]
    solo_rules: bool
    roll: int  # how many rolls this round has seen
    blue: list[int]  # the dice in rising order; [] before the first roll of a round
    red: list[int]
    supply: int  # luck markers nobody has
    multipliers: int  # x3/x4 markers nobody has
    chance: Literal["", "roll", "draw"]
    draw: DrawView | None
    acting: list[int]  # seats that may act now
    over: bool
    places: list[int]  # rank of each seat; [] while the game is on
    piles: list[PileView]
    players: list[PlayerView]


class ClimbMoveView(TypedDict):
    """A legal move and what it touches on the screen."""

    id: int
    text: str
    words: str
    kind: MoveKind
    card: int  # 0: none
    level: int  # where the card comes to lie, or lies; -1: none
    colour: Literal["", "green", "yellow", "red"]  # of the card, or of the pile bought from
    option: int  # kind "bonus": which of the round's bonuses; else -1
