"""A position of Geht noch was? and its moves for a screen, as typed dictionaries.

Cards are named as in the notation, "35" or in a second copy "35b" ("": no card), levels run from 0
(bottom) to 4, colours are "green", "yellow", "red".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypedDict, cast, get_args

from foxclover.core.contract import Layout, MoveView, Preview, View
from foxclover.core.display import swatches
from foxclover.core.ratings import rate
from foxclover.games.climb.conditions import BLUE_DICE, RED_DICE, ROLLS, dice_of
from foxclover.games.climb.definitions import (
    CARD_COLOURS,
    COLOUR_NAMES,
    DICE_COLOURS,
    ClimbDefinition,
)
from foxclover.games.climb.notation import MoveKind, Occasion, bonus_of, occasion, player_text
from foxclover.games.climb.rules.moves import BUY, reachable_spots
from foxclover.games.climb.rules.state import (
    COLOURS,
    DRAW_DUE,
    FOURFOLD,
    LEVELS,
    NO_CARD,
    OVER,
    SLOTS,
    TO_DECIDE,
    TO_EXCHANGE,
    TRIPLE,
    Player,
    State,
    colour_of,
    count_shuffled,
)
from foxclover.games.climb.rules.table import acting, apply, score
from foxclover.games.climb.rules.tableau import (
    black_left,
    income_of,
    is_met,
    level_points,
    set_points,
    total_points,
)
from foxclover.games.climb.scoring import places, ratings
from foxclover.games.climb.text import (
    REASONS,
    STAGES,
    Reason,
    Stage,
    card_words,
    move_kind,
    names,
    player_words,
)
from foxclover.locale import Translator

Colour = Literal["green", "yellow", "red"]
ColourOrNone = Literal["", "green", "yellow", "red"]
Phase = Literal["placing", "bonus", "buying", "building", "rolling", "pushing", "over"]
Chance = Literal["", "roll", "draw", "lot"]
Marker = Literal["", "black", "luck"]

Multiplied = tuple[tuple[int, ...], tuple[int, ...]]
"""Masks of the cards marked x3, and of those marked x4."""

COLOUR_KEYS: tuple[Colour, ...] = get_args(Colour)
PHASES: tuple[Phase, ...] = get_args(Phase)  # by number, as the next ones
CHANCE_NAMES: tuple[Chance, ...] = get_args(Chance)


class TermLayout(TypedDict):
    """One term of a condition, to be drawn with dice."""

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
    """Everything printed; fetched once a game."""

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
    build_levels: int  # the lowest levels, for new cards
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
    shuffled: int  # cards in unknown order
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
    supply: int  # luck markers in the supply
    multipliers: int  # x3/x4 markers in the supply
    draw: DrawView | None
    piles: list[PileView]
    players: list[PlayerView]


class ClimbMoveView(MoveView):
    """A legal move and what it touches on the screen."""

    kind: MoveKind
    card: str  # "": none
    level: int  # of the card after the move; -1: none
    colour: ColourOrNone  # of the card, or of the pile bought from
    option: int  # kind "bonus": which of the round's bonuses; else -1


class ClimbPreview(Preview):
    """The effect of a move."""


# -- everything printed


def layout(definition: ClimbDefinition, translate: Translator) -> ClimbLayout:
    """Return everything printed on the cards and the strip."""
    deck = definition.tables
    return {
        "kind": "climb",
        "game": definition.head.key,
        "paints": swatches(DICE_COLOURS | CARD_COLOURS),
        "words": names(definition, translate),
        "deck": definition.deck,
        "note": definition.note,
        "dice": ["blue"] * BLUE_DICE + ["red"] * RED_DICE,
        "rolls": ROLLS,
        "cards": [
            _card_layout(definition, name, translate)
            for name in sorted(
                definition.code_of, key=lambda name: (name.endswith("b"), int(name.rstrip("b")))
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
                {"luck": luck, "card": COLOUR_KEYS[colour] if colour >= 0 else ""}
                for luck, colour in zip(
                    deck.option_luck[row][: deck.options[row]],
                    deck.option_colour[row],
                    strict=False,
                )
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
        "levels": ratings(definition),
    }


def _card_layout(definition: ClimbDefinition, name: str, translate: Translator) -> CardLayout:
    code = definition.code_of[name]
    card = definition.printed(code)
    colour = colour_of(code)
    return {
        "name": name,
        "colour": COLOUR_KEYS[colour],
        "points": definition.tables.points[colour],
        "cost": definition.tables.cost[colour],
        "condition": card.text,
        "words": card_words(definition, code, translate),
        "terms": [
            [{"kind": term.kind, "dice": term.dice, "value": term.value} for term in terms]
            for terms in card.condition
        ],
        "hits": definition.tables.hits[code],
        "start": card.start,
    }


# -- the table


def view(
    definition: ClimbDefinition, state: State, seen: tuple[State, View] | None = None
) -> ClimbView:
    """Return the position as all seats see it."""
    over = state.phase == OVER
    blue, red = dice_of(state.outcome) if state.roll else ((), ())
    drawing: DrawView | None = None
    if state.chance == DRAW_DUE:
        drawing = {
            "seat": state.draw_seat,
            "colour": COLOUR_KEYS[state.draw_colour],
            "reason": REASONS[state.draw_reason],
        }
    mask = acting(definition.tables, state)
    return {
        "kind": "climb",
        "round": state.round,
        "rounds": definition.tables.rounds,
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
        "places": places(definition, state) if over else [],
        "piles": [_pile_view(definition, state, colour) for colour in range(COLOURS)],
        "players": _player_views(definition, state, seen),
    }


def totals(view: View) -> list[int]:
    """Return the points of all seats."""
    return [player["total"] for player in cast(ClimbView, view)["players"]]


def _pile_view(definition: ClimbDefinition, state: State, colour: int) -> PileView:
    known = state.under[: state.under_count]
    return {
        "colour": COLOUR_KEYS[colour],
        "shuffled": count_shuffled(state, colour),
        "under": [definition.name(card) for card in known if colour_of(card) == colour],
    }


def _player_views(
    definition: ClimbDefinition, state: State, seen: tuple[State, View] | None
) -> list[PlayerView]:
    """Return the views of all players, unchanged ones from ``seen``."""
    multiplied = tuple(state.tripled), tuple(state.fourfold)
    if seen and (state.outcome, state.tripled, state.fourfold) != (
        seen[0].outcome,
        seen[0].tripled,
        seen[0].fourfold,
    ):
        seen = None
    players = cast(ClimbView, seen[1])["players"] if seen else []
    return [
        players[seat]
        if seen and mine == seen[0].seats[seat]
        else _player_view(definition, state, mine, multiplied)
        for seat, mine in enumerate(state.seats[: state.players])
    ]


def _player_view(
    definition: ClimbDefinition, state: State, mine: Player, multiplied: Multiplied
) -> PlayerView:
    deck = definition.tables
    total = total_points(deck, state, mine)
    reachable = reachable_spots(mine) if mine.playing else 0
    return {
        "stage": STAGES[mine.stage],
        "in_round": bool(mine.playing),
        "luck": mine.luck,
        "black": black_left(deck, mine),
        "levels": [
            _level_view(definition, state, mine, level, reachable, multiplied)
            for level in range(LEVELS)
        ],
        "waiting": [definition.name(card) for card in mine.waiting[: mine.waiting_count]],
        "offered": definition.name(
            mine.waiting[mine.waiting_count - 1] if mine.stage == TO_EXCHANGE else NO_CARD
        ),
        "income": income_of(deck, state, mine),
        "money": mine.money,
        "purchases": deck.purchases - mine.bought,
        "lifts": mine.lifts,
        "sets": set_points(deck, state, mine),
        "total": total,
        "rank": rate(ratings(definition), total).step if state.players == 1 else 0,
    }


def _level_view(
    definition: ClimbDefinition,
    state: State,
    mine: Player,
    level: int,
    reachable: int,
    multiplied: Multiplied,
) -> LevelView:
    active: list[ActiveView] = []
    for spot in range(level * SLOTS, (level + 1) * SLOTS):
        card = mine.active[spot]
        if card != NO_CARD:
            active.append(
                {
                    "card": definition.name(card),
                    "marker": _marker(mine, spot),
                    "reachable": bool(reachable >> spot & 1),
                    "met": mine.stage == TO_DECIDE
                    and is_met(definition.tables, state.outcome, card),
                }
            )
    scored: list[ScoredView] = []
    if any(mine.scored[level]):
        scored = [
            card.copy() for card in _scored_view(definition, tuple(mine.scored[level]), *multiplied)
        ]
    return {
        "factor": definition.tables.factor[state.solo][level],
        "active": active,
        "scored": scored,
        "points": level_points(definition.tables, state, mine, level) if scored else 0,
    }


def _marker(mine: Player, spot: int) -> Marker:
    if not mine.marked >> spot & 1:
        return ""
    return "luck" if mine.lucky >> spot & 1 else "black"


@lru_cache(8_192)  # most levels are as they were before a move
def _scored_view(
    definition: ClimbDefinition,
    scored: tuple[int, ...],
    tripled: tuple[int, ...],
    fourfold: tuple[int, ...],
) -> list[ScoredView]:
    """Return the cards in the masks of all stacks, those of a colour together.

    The result is cached: copy it before handing it out.
    """
    return [
        {
            "card": definition.name(64 * stack + n),
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


# -- moves


def move_views(
    definition: ClimbDefinition,
    state: State,
    seat: int,
    moves: Sequence[int],
    translate: Translator,
) -> list[ClimbMoveView]:
    """Return legal moves of a player with their targets on the screen."""
    return [
        _move_view(definition, occasion(state, seat, move), move, translate).copy()
        for move in moves
    ]


@lru_cache(4_096)
def _move_view(
    definition: ClimbDefinition, when: Occasion, move: int, translate: Translator
) -> ClimbMoveView:
    kind = move_kind(move)
    colour = COLOUR_NAMES[colour_of(when.card)] if when.card else ""
    if kind == "bonus":
        colour = bonus_of(definition, when.round, move)[1]
    elif kind == "buy":
        colour = COLOUR_NAMES[move - BUY]
    return {
        "family": "climb",
        "id": move,
        "text": player_text(definition, when, move),
        "words": player_words(definition, when, move, translate),
        "kind": kind,
        "card": definition.name(when.card),
        "level": when.level,
        "colour": next((name for name in COLOUR_KEYS if name == colour), ""),
        "option": move if kind == "bonus" else -1,
    }


def preview(definition: ClimbDefinition, state: State, seat: int, move: int) -> ClimbPreview:
    """Make a move in a copy and return what has changed."""
    after = state.copy()
    apply(definition.tables, after, seat, move)
    return {
        "family": "climb",
        "id": move,
        "points": score(definition.tables, after, seat) - score(definition.tables, state, seat),
    }
