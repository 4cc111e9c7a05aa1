"""Names and bounds for learning: features, moves and the fields of a state."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.core.contract import Bounds, Feature
from foxclover.core.rules import START_PLAYER_DUE
from foxclover.games.climb.conditions import BLUE_DICE, DICE, RED_DICE
from foxclover.games.climb.definitions import COLOUR_NAMES, ClimbDefinition
from foxclover.games.climb.notation import SINGLE, card_verb, move_group
from foxclover.games.climb.rules.moves import BUILD, BUY, FULFIL, LIFT, TAKE, TURN_IN
from foxclover.games.climb.rules.state import (
    CARDS,
    CLOVER,
    CODES,
    COLOURS,
    COPIES,
    FOR_CONSOLATION,
    LEVELS,
    OUTCOMES,
    OVER,
    ROLLS_OF_ROUND,
    ROUNDS,
    SEATS,
    SLOTS,
    SPOTS,
    TO_LIFT,
    WAITING,
    Player,
    State,
    copies,
)

MOST_POINTS = 5000
MOST_ROLLS = 100
MOST_MONEY = 1000
PER_MILLE = 1000
MOST_NUMBER = 999  # printed on a card


def name_features(definition: ClimbDefinition, players: int) -> list[Feature]:
    """Name what a seat sees: the table, then the tableaus, its own first."""
    cards = CARDS * copies(players)
    return [
        *name_table(definition, players),
        *(feature for turn in range(players) for feature in _tableau(f"tableau{turn}", cards)),
    ]


def name_table(definition: ClimbDefinition, players: int) -> Iterator[Feature]:
    """Name what all seats see."""
    cards = CARDS * copies(players)
    bounds = {
        "round": ROUNDS,
        "phase": OVER,
        "roll": MOST_ROLLS,
        "solo rules": 1,
        "luck in supply": cards,
        "multipliers in supply": cards,
        "cards given back": cards,
        "fairy": players - 1,
        **{f"{colour} pile": cards for colour in COLOUR_NAMES},
    }
    for name, most in bounds.items():
        yield Feature(name, 0, most)
    for colour, count in (("blue", BLUE_DICE), ("red", RED_DICE)):
        for die in range(count):
            yield Feature(f"{colour} die {die + 1} face, the lowest first", 0, 6)


def _tableau(owner: str, cards: int) -> Iterator[Feature]:
    bounds = {
        "stage": TO_LIFT,
        "playing": 1,
        "luck": CLOVER,
        "level reached": LEVELS,
        "money": MOST_MONEY,
        "bought": CARDS,
        "lifts": CARDS,
        "total points": MOST_POINTS,
    }
    for name, most in bounds.items():
        yield Feature(f"{owner} {name}", 0, most)
    for n in range(WAITING):
        yield from _card(f"{owner} waiting {n + 1}")
    for spot in range(SPOTS):
        where = f"{owner} level {spot // SLOTS + 1} slot {spot % SLOTS + 1}"
        yield from _card(where)
        for mark in ("marked", "marked by luck", "fulfilled by this roll"):
            yield Feature(f"{where} {mark}", 0, 1)
    for level in range(LEVELS):
        for colour in COLOUR_NAMES:
            yield Feature(f"{owner} level {level + 1} {colour} scored", 0, 4 * cards)


def _card(where: str) -> Iterator[Feature]:
    yield Feature(f"{where} colour (0 no card)", 0, COLOURS)
    yield Feature(f"{where} number", 0, MOST_NUMBER)
    yield Feature(f"{where} fulfilling rolls in a thousand", 0, PER_MILLE)


def player_moves(definition: ClimbDefinition, players: int) -> list[int]:
    """Return every move that a player may make in some position, in ascending order."""
    deck = definition.tables
    cards = [
        64 * stack + n
        for stack in range(COLOURS * copies(players))
        for n in range(64)
        if deck.cards[stack] >> n & 1
    ]
    return [
        *range(TAKE, TURN_IN),
        *(TURN_IN + card for card in cards),
        *(LIFT + card for card in cards),
    ]


def name_move(definition: ClimbDefinition, move: int) -> str:
    """Return a text for a move that no other move has in any position."""
    if move < BUY:
        return f"take bonus {move - TAKE + 1}"
    if move in SINGLE:
        return SINGLE[move]
    if move < BUILD:
        return f"buy {COLOUR_NAMES[move - BUY]}"
    if move < FULFIL:
        card, level = divmod(move - BUILD, LEVELS)
        return f"build waiting {card + 1} on {level + 1}"
    first = move_group(move)
    if first in (TURN_IN, LIFT):
        return f"{card_verb(move)} {definition.name(move - first)}"
    level, slot = divmod(move - first, SLOTS)
    return f"{card_verb(move)} level {level + 1} slot {slot + 1}"


def dice_due(state: State) -> int:
    """Return how many dice are rolled next."""
    return DICE


CARD = (0, CODES - 1)
MASK_OF_CARDS = (0, (1 << 63) - 1)
MASK_OF_SEATS = (0, (1 << SEATS) - 1)
MASK_OF_SPOTS = (0, (1 << SPOTS) - 1)
MARKERS = (0, 100 * COPIES)  # a deck may have 100 of a kind
COUNT = (0, 1_000)

BOUNDS: Bounds = {
    State: {
        "players": (0, 99),  # how many may play is asked of the game
        "solo": (0, 1),
        "round": (0, ROUNDS),
        "first": (0, SEATS - 1),
        "fairy": (0, SEATS - 1),
        "phase": (0, OVER),
        "chance": (0, START_PLAYER_DUE),
        "busy": MASK_OF_SEATS,
        "exchanging": MASK_OF_SEATS,
        "roll": (0, ROLLS_OF_ROUND),
        "outcome": (0, OUTCOMES - 1),
        "draw_seat": (0, SEATS - 1),
        "draw_colour": (0, COLOURS - 1),
        "draw_reason": (0, FOR_CONSOLATION),
        "given_back": (0, COPIES * CARDS),
        "supply": MARKERS,
        "multipliers": MARKERS,
        "under_count": (0, COPIES * CARDS),
        "under": CARD,
        "shuffled": MASK_OF_CARDS,
        "tripled": MASK_OF_CARDS,
        "fourfold": MASK_OF_CARDS,
    },
    Player: {
        "stage": (0, TO_LIFT),
        "playing": (0, 1),
        "luck": (0, CLOVER),
        "reached": (-1, LEVELS - 1),
        "marked": MASK_OF_SPOTS,
        "lucky": MASK_OF_SPOTS,
        "money": (0, 1_000_000),
        "bought": COUNT,
        "lifts": COUNT,
        "lifter": CARD,
        "waiting_count": (0, WAITING),
        "waiting": CARD,
        "active": CARD,
        "scored": MASK_OF_CARDS,
    },
}
