"""A position of Geht noch was? and its moves for a screen, as typed dictionaries.

Cards are named as in the notation, "35" or in a second copy "35b" ("": no card), levels run from 0 (bottom) to 4, colours are
"green", "yellow", "red".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypedDict, cast, get_args

from foxclover.beginning import LOT_DUE
from foxclover.climb.conditions import BLUE_DICE, RED_DICE, ROLLS, Condition, dice_of
from foxclover.climb.deck_file import CARD_COLOURS, COLOUR_NAMES, DICE_COLOURS
from foxclover.climb.moves import BUY, is_met, reachable_spots
from foxclover.climb.notation import Occasion, bonus_of, occasion, player_text
from foxclover.climb.piles import colour_of, count_shuffled
from foxclover.climb.rules import acting, apply, score
from foxclover.climb.scoring import levels, places
from foxclover.climb.state import (
    BONUS,
    BUILDING,
    BUYING,
    COLOURS,
    DRAW_DUE,
    FOURFOLD,
    LEVELS,
    NO_CARD,
    NO_CHANCE,
    OVER,
    PLACING,
    PUSHING,
    ROLL_DUE,
    ROLLING,
    SLOTS,
    TO_DECIDE,
    TO_EXCHANGE,
    TRIPLE,
    Player,
    State,
)
from foxclover.climb.tableau import black_left, income_of, level_points, set_points, total_points
from foxclover.climb.tables import ClimbBook
from foxclover.climb.words import (
    REASONS,
    STAGES,
    MoveKind,
    Reason,
    Stage,
    card_words,
    move_kind,
    names,
    player_words,
)
from foxclover.colours import painted
from foxclover.contract import Layout, MoveView, Preview, View
from foxclover.locale import Say
from foxclover.ratings import rate

Colour = Literal["green", "yellow", "red"]
ColourOrNone = Literal["", "green", "yellow", "red"]
Phase = Literal["placing", "bonus", "buying", "building", "rolling", "pushing", "over"]
Chance = Literal["", "roll", "draw", "lot"]
Marker = Literal["", "black", "luck"]

Multiplied = tuple[tuple[int, ...], tuple[int, ...]]
"""Masks of the cards marked x3, and of those marked x4."""

COLOUR_KEYS: tuple[Colour, ...] = get_args(Colour)
PHASES: dict[int, Phase] = {
    PLACING: "placing",
    BONUS: "bonus",
    BUYING: "buying",
    BUILDING: "building",
    ROLLING: "rolling",
    PUSHING: "pushing",
    OVER: "over",
}
CHANCE_NAMES: dict[int, Chance] = {
    NO_CHANCE: "",
    ROLL_DUE: "roll",
    DRAW_DUE: "draw",
    LOT_DUE: "lot",
}


class TermLayout(TypedDict):
    """One line of a condition, to be drawn with dice."""

    kind: Literal["exact", "least", "equal", "run", "sum"]
    dice: str  # a letter for each die: B blue, R red, W any; a sum has one letter
    value: int  # the number shown, the minimum or the total; 0 for equal and run


class CardLayout(TypedDict):
    name: str  # a deck for two copies lists the cards of both
    colour: Colour
    points: int
    cost: int
    condition: str  # in the notation of the deck
    words: str  # the card with its condition, as a sentence
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
    card: ColourOrNone


class ClimbLayout(Layout):
    """Everything printed: fetched once a game."""

    deck: str
    note: str  # what the deck file says about its origin
    dice: list[str]  # the colour of each, in the order in which a roll is written
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


class ActiveView(TypedDict):
    card: str
    marker: Marker
    reachable: bool  # its level may be the next one fulfilled
    met: bool  # the dice on the table fulfil its condition


class ScoredView(TypedDict):
    card: str
    times: int  # 1, or 3 or 4 with a multiplier marker


class LevelView(TypedDict):
    factor: int
    active: list[ActiveView]
    scored: list[ScoredView]
    points: int


class PlayerView(TypedDict):
    stage: Stage
    in_round: bool  # the In/Out marker
    luck: int
    black: int  # black markers not on a card
    levels: list[LevelView]  # bottom first
    waiting: list[str]  # cards beside the clover
    offered: str  # the card just bought that may be exchanged
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
    under: list[str]  # known cards below them, next one first


class DrawView(TypedDict):
    """A card that is about to be drawn."""

    seat: int
    colour: Colour
    reason: Reason


class ClimbView(View):
    fairy: int  # seat
    phase: Phase
    solo_rules: bool
    blue: list[int]  # the dice in rising order; [] before the first roll of a round
    red: list[int]
    supply: int  # luck markers nobody has
    multipliers: int  # x3/x4 markers nobody has
    draw: DrawView | None
    piles: list[PileView]
    players: list[PlayerView]


class ClimbMoveView(MoveView):
    """A legal move and what it touches on the screen."""

    kind: MoveKind
    card: str  # "": none
    level: int  # where the card comes to lie, or lies; -1: none
    colour: ColourOrNone  # of the card, or of the pile bought from
    option: int  # kind "bonus": which of the round's bonuses; else -1


class ClimbPreview(Preview):
    """What a move would do."""


# -- what is printed ------------------------------------------------------------------------------------------------------


def layout(book: ClimbBook, say: Say) -> ClimbLayout:
    """Everything printed on the cards and the strip."""
    deck = book.tables
    return {
        "kind": "climb",
        "game": book.head.key,
        "paints": painted(DICE_COLOURS | CARD_COLOURS),
        "words": names(book, say),
        "deck": book.deck,
        "note": book.note,
        "dice": ["blue"] * BLUE_DICE + ["red"] * RED_DICE,
        "rolls": ROLLS,
        "cards": [
            _card_layout(book, name, say)
            for name in sorted(
                book.code_of, key=lambda name: (name.endswith("b"), int(name.rstrip("b")))
            )
        ],
        "colours": [
            {
                "name": name,
                "points": deck.points[colour],
                "cost": deck.cost[colour],
                "income": bool(deck.income[colour]),
            }
            for colour, name in enumerate(COLOUR_KEYS)
        ],
        "star": deck.factor[0][:],
        "solo": deck.factor[1][:],
        "bonuses": [
            [
                _bonus_layout(deck.option_luck[row][option], deck.option_colour[row][option])
                for option in range(deck.options[row])
            ]
            for row in range(deck.rounds)
        ],
        "rounds": deck.rounds,
        "build_levels": deck.build_levels,
        "room": deck.room,
        "clover": deck.clover,
        "black_markers": deck.black_markers,
        "purchases": deck.purchases,
        "set_points": deck.set_points,
        "levels": levels(book),
    }


def _bonus_layout(luck: int, colour: int) -> BonusLayout:
    return {"luck": luck, "card": COLOUR_KEYS[colour] if colour >= 0 else ""}


def _card_layout(book: ClimbBook, name: str, say: Say) -> CardLayout:
    code = book.code_of[name]
    card = book.printed(code)
    colour = colour_of(code)
    return {
        "name": name,
        "colour": COLOUR_KEYS[colour],
        "points": book.tables.points[colour],
        "cost": book.tables.cost[colour],
        "condition": card.text,
        "words": card_words(book, code, say),
        "terms": _term_layouts(card.condition),
        "hits": book.tables.hits[code],
        "start": card.start,
    }


def _term_layouts(condition: Condition) -> list[list[TermLayout]]:
    return [
        [{"kind": term.kind, "dice": term.dice, "value": term.value} for term in terms]
        for terms in condition
    ]


# -- what lies on the table -----------------------------------------------------------------------------------------------


def view(book: ClimbBook, state: State, seen: tuple[State, View] | None = None) -> ClimbView:
    """The position as everybody sees it."""
    over = state.phase == OVER
    blue, red = dice_of(state.outcome) if state.roll else ((), ())
    drawing: DrawView | None = None
    if state.chance == DRAW_DUE:
        drawing = {
            "seat": state.draw_seat,
            "colour": COLOUR_KEYS[state.draw_colour],
            "reason": REASONS[state.draw_reason],
        }
    mask = acting(book.tables, state)
    return {
        "kind": "climb",
        "round": state.round,
        "rounds": book.tables.rounds,
        "fairy": state.fairy,
        "phase": PHASES[state.phase],
        "solo_rules": bool(state.solo),
        "roll": state.roll,
        "blue": list(blue),
        "red": list(red),
        "supply": state.supply,
        "multipliers": state.multipliers,
        "chance": CHANCE_NAMES[state.chance],
        "draw": drawing,
        "acting": [seat for seat in range(state.players) if mask >> seat & 1],
        "over": over,
        "places": places(book, state) if over else [],
        "piles": [_pile_view(book, state, colour) for colour in range(COLOURS)],
        "players": _player_views(book, state, seen),
    }


def totals(view: View) -> list[int]:
    """The points of all seats."""
    return [player["total"] for player in cast(ClimbView, view)["players"]]


def _pile_view(book: ClimbBook, state: State, colour: int) -> PileView:
    under = [
        book.name(card) for card in state.under[: state.under_count] if colour_of(card) == colour
    ]
    return {
        "colour": COLOUR_KEYS[colour],
        "shuffled": count_shuffled(state, colour),
        "under": under,
    }


def _player_views(
    book: ClimbBook, state: State, seen: tuple[State, View] | None
) -> list[PlayerView]:
    playing = state.seats[: state.players]
    multiplied = tuple(state.tripled), tuple(state.fourfold)
    if seen is None or not _same_roll_and_markers(state, seen[0]):
        return [_player_view(book, state, mine, multiplied) for mine in playing]
    before, shown = seen
    return [
        player if mine == then else _player_view(book, state, mine, multiplied)
        for mine, then, player in zip(
            playing, before.seats, cast(ClimbView, shown)["players"], strict=False
        )
    ]


def _same_roll_and_markers(state: State, other: State) -> bool:
    """Whether all that a player's view tells beyond his own record is the same."""
    return (state.outcome, state.tripled, state.fourfold) == (
        other.outcome,
        other.tripled,
        other.fourfold,
    )


def _player_view(book: ClimbBook, state: State, mine: Player, multiplied: Multiplied) -> PlayerView:
    deck = book.tables
    total = total_points(deck, state, mine)
    reachable = reachable_spots(mine) if mine.playing else 0
    return {
        "stage": STAGES[mine.stage],
        "in_round": bool(mine.playing),
        "luck": mine.luck,
        "black": black_left(deck, mine),
        "levels": [
            _level_view(book, state, mine, level, reachable, multiplied) for level in range(LEVELS)
        ],
        "waiting": [book.name(card) for card in mine.waiting[: mine.waiting_count]],
        "offered": book.name(
            mine.waiting[mine.waiting_count - 1] if mine.stage == TO_EXCHANGE else NO_CARD
        ),
        "income": income_of(deck, state, mine),
        "money": mine.money,
        "purchases": deck.purchases - mine.bought,
        "lifts": mine.lifts,
        "sets": set_points(deck, state, mine),
        "total": total,
        "rank": rate(levels(book), total).step if state.players == 1 else 0,
    }


def _level_view(
    book: ClimbBook, state: State, mine: Player, level: int, reachable: int, multiplied: Multiplied
) -> LevelView:
    active: list[ActiveView] = []
    for spot in range(level * SLOTS, (level + 1) * SLOTS):
        card = mine.active[spot]
        if card != NO_CARD:
            active.append(
                {
                    "card": book.name(card),
                    "marker": _marker(mine, spot),
                    "reachable": bool(reachable >> spot & 1),
                    "met": mine.stage == TO_DECIDE and is_met(book.tables, state.outcome, card),
                }
            )
    scored = (
        _scored_view(book, tuple(mine.scored[level]), *multiplied)
        if any(mine.scored[level])
        else []
    )
    return {
        "factor": book.tables.factor[state.solo][level],
        "active": active,
        "scored": scored,
        "points": level_points(book.tables, state, mine, level) if scored else 0,
    }


def _marker(mine: Player, spot: int) -> Marker:
    if not mine.marked >> spot & 1:
        return ""
    return "luck" if mine.lucky >> spot & 1 else "black"


@lru_cache(8_192)  # most levels are as they were before a move
def _scored_view(
    book: ClimbBook, scored: tuple[int, ...], tripled: tuple[int, ...], fourfold: tuple[int, ...]
) -> list[ScoredView]:
    """The cards in the masks of all stacks, those of a colour together."""
    return [
        {
            "card": book.name(64 * stack + n),
            "times": TRIPLE
            if tripled[stack] >> n & 1
            else FOURFOLD
            if fourfold[stack] >> n & 1
            else 1,
        }
        for colour in range(COLOURS)
        for n in range(max(scored[colour::COLOURS]).bit_length())
        for stack in range(colour, len(scored), COLOURS)
        if scored[stack] >> n & 1
    ]


# -- moves ----------------------------------------------------------------------------------------------------------------


def move_views(
    book: ClimbBook, state: State, seat: int, moves: Sequence[int], say: Say
) -> list[ClimbMoveView]:
    """Legal moves of a player with their targets on the screen."""
    return [_move_view(book, occasion(state, seat, move), move, say) for move in moves]


@lru_cache(4_096)
def _move_view(book: ClimbBook, when: Occasion, move: int, say: Say) -> ClimbMoveView:
    kind = move_kind(move)
    colour = COLOUR_NAMES[colour_of(when.card)] if when.card else ""
    if kind == "bonus":
        colour = bonus_of(book, when.round, move)[1]
    elif kind == "buy":
        colour = COLOUR_NAMES[move - BUY]
    return {
        "id": move,
        "text": player_text(book, when, move),
        "words": player_words(book, when, move, say),
        "kind": kind,
        "card": book.name(when.card),
        "level": when.level,
        "colour": next((name for name in COLOUR_KEYS if name == colour), ""),
        "option": move if kind == "bonus" else -1,
    }


def preview(book: ClimbBook, state: State, seat: int, move: int) -> ClimbPreview:
    """Make a move in a copy and tell what has changed."""
    after = state.copy()
    apply(book.tables, after, seat, move)
    return {"id": move, "points": score(book.tables, after, seat) - score(book.tables, state, seat)}
