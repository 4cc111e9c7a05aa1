"""Names and bounds of what ``observing`` writes, and every move that a player can ever make: for learning."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.climb.conditions import BLUE_DICE, DICE, RED_DICE
from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.moves import BUILD, BUY, FULFIL, LIFT, PUSH, SCORE, TAKE, TURN_IN
from foxclover.climb.notation import SINGLE, WITH_CARD
from foxclover.climb.piles import copies
from foxclover.climb.state import (
    CARDS,
    CLOVER,
    COLOURS,
    LEVELS,
    OVER,
    ROUNDS,
    SLOTS,
    SPOTS,
    TO_LIFT,
    WAITING,
    State,
)
from foxclover.climb.tables import ClimbBook
from foxclover.contract import Feature

MOST_POINTS = 5000
MOST_ROLLS = 100
MOST_MONEY = 1000
PER_MILLE = 1000
MOST_NUMBER = 999  # printed on a card


def name_features(book: ClimbBook, players: int) -> list[Feature]:
    """What a seat sees: the table, then the tableaus, its own first."""
    cards = CARDS * copies(players)
    return [
        *name_table(book, players),
        *(feature for turn in range(players) for feature in _tableau(f"tableau{turn}", cards)),
    ]


def name_table(book: ClimbBook, players: int) -> Iterator[Feature]:
    """What all see."""
    cards = CARDS * copies(players)
    yield Feature("round", 0, ROUNDS)
    yield Feature("phase", 0, OVER)
    yield Feature("roll", 0, MOST_ROLLS)
    yield Feature("solo rules", 0, 1)
    yield Feature("luck in supply", 0, cards)
    yield Feature("multipliers in supply", 0, cards)
    yield Feature("cards given back", 0, cards)
    yield Feature("fairy", 0, players - 1)
    for colour in COLOUR_NAMES:
        yield Feature(f"{colour} pile", 0, cards)
    for colour, count in (("blue", BLUE_DICE), ("red", RED_DICE)):
        for die in range(count):
            yield Feature(f"{colour} die {die + 1} face, the lowest first", 0, 6)


def _tableau(owner: str, cards: int) -> Iterator[Feature]:
    yield Feature(f"{owner} stage", 0, TO_LIFT)
    yield Feature(f"{owner} playing", 0, 1)
    yield Feature(f"{owner} luck", 0, CLOVER)
    yield Feature(f"{owner} level reached", 0, LEVELS)
    yield Feature(f"{owner} money", 0, MOST_MONEY)
    yield Feature(f"{owner} bought", 0, CARDS)
    yield Feature(f"{owner} lifts", 0, CARDS)
    yield Feature(f"{owner} total points", 0, MOST_POINTS)
    for n in range(WAITING):
        yield from _card(f"{owner} waiting {n + 1}")
    for spot in range(SPOTS):
        where = f"{owner} level {spot // SLOTS + 1} slot {spot % SLOTS + 1}"
        yield from _card(where)
        yield Feature(f"{where} marked", 0, 1)
        yield Feature(f"{where} marked by luck", 0, 1)
        yield Feature(f"{where} fulfilled by this roll", 0, 1)
    for level in range(LEVELS):
        for colour in COLOUR_NAMES:
            yield Feature(f"{owner} level {level + 1} {colour} scored", 0, 4 * cards)


def _card(where: str) -> Iterator[Feature]:
    yield Feature(f"{where} colour (0 no card)", 0, COLOURS)
    yield Feature(f"{where} number", 0, MOST_NUMBER)
    yield Feature(f"{where} fulfilling rolls in a thousand", 0, PER_MILLE)


def player_moves(book: ClimbBook, players: int) -> list[int]:
    """Every move that one of so many players may make in some position, in ascending order."""
    deck = book.tables
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


def name_move(book: ClimbBook, move: int) -> str:
    """A move as a text that no other move has, in whatever position it is made."""
    if move < BUY:
        return f"take bonus {move - TAKE + 1}"
    if move in SINGLE:
        return SINGLE[move]
    if move < BUILD:
        return f"buy {COLOUR_NAMES[move - BUY]}"
    if move < FULFIL:
        card, level = divmod(move - BUILD, LEVELS)
        return f"build waiting {card + 1} on {level + 1}"
    first = max(start for start in (FULFIL, PUSH, SCORE, TURN_IN, LIFT) if start <= move)
    if first in (TURN_IN, LIFT):
        return f"{WITH_CARD[first]} {book.name(move - first)}"
    level, slot = divmod(move - first, SLOTS)
    return f"{WITH_CARD[first]} level {level + 1} slot {slot + 1}"


def dice_due(state: State) -> int:
    """How many dice are rolled next."""
    return DICE
