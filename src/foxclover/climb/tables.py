"""Turn a deck file into the integer tables of ``Deck``, and into a book with the names and texts for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from foxclover.climb.conditions import BLUES, FACES, OUTCOMES, REDS, hits, weights
from foxclover.climb.deck_file import COLOUR_NAMES, START_SETS, Card, DeckFile, read_deck
from foxclover.climb.piles import colour_of_stack
from foxclover.climb.state import (
    CODES_OF_COPY,
    COPIES,
    NO_CARD,
    NO_COLOUR,
    SEATS_OF_COPY,
    STACKS,
    Deck,
)
from foxclover.contract import Head
from foxclover.data_file import DataFile
from foxclover.locale import Say

COPY_MARKS = ("", "b")  # behind the number of a card, by copy
WORD_BITS = 62  # of one weight at most, which makes WORDS words in all


@dataclass(eq=False)  # so that what is worked out once can be kept by book
class ClimbBook:
    """One deck: its tables for the rules and its cards for people."""

    head: Head
    deck: str  # what the deck is called
    note: str
    tables: Deck
    cards: dict[int, Card]  # of a copy, by the integer the rules know them by
    code_of: dict[
        str, int
    ]  # that integer by what a card is called; cards of every copy that may be played with
    source: bytes

    def printed(self, card: int) -> Card:
        """What is printed on a card."""
        return self.cards[card % CODES_OF_COPY]

    def name(self, card: int) -> str:
        """What a card is called: the number printed on it, in the second copy with a ``b``; empty for no card."""
        return (
            ""
            if card == NO_CARD
            else f"{self.tables.number[card]}{COPY_MARKS[card // CODES_OF_COPY]}"
        )


def check(source: bytes, _: Callable[[DataFile], Head], say: Say) -> tuple[DataFile, str]:
    """Look for all that is wrong with a deck, and say what is in it; it needs no head."""
    deck = read_deck(source)
    if deck.file.errors:
        return deck.file, ""
    counts = {
        name: sum(card.colour == name and not card.start for card in deck.cards)
        for name in COLOUR_NAMES
    }
    start = sum(bool(card.start) for card in deck.cards)
    return deck.file, say(
        "cli.deck.fine", name=deck.name, cards=len(deck.cards), start=start, **counts
    )


def read(head: Head, source: bytes) -> ClimbBook:
    """Read a deck from the bytes of its file; raises ``DataError``."""
    file = read_deck(source)
    file.file.refuse_errors(head.key)
    ordered = sorted(file.cards, key=lambda card: (COLOUR_NAMES.index(card.colour), card.number))
    codes: dict[int, Card] = {}
    for colour, name in enumerate(COLOUR_NAMES):
        codes |= {
            64 * colour + n: card
            for n, card in enumerate((card for card in ordered if card.colour == name), start=1)
        }
    deck = Deck()
    _set_values(deck, file)
    _set_cards(deck, codes)
    _set_outcomes(deck, codes)
    _set_words(deck, codes)
    names = {
        f"{card.number}{mark}": code + copy * CODES_OF_COPY
        for copy, mark in enumerate(COPY_MARKS[: file.copies])
        for code, card in codes.items()
    }
    players = range(head.players[0], min(head.players[-1], file.copies * SEATS_OF_COPY) + 1)
    return ClimbBook(
        head._replace(players=players), file.name, file.note, deck, codes, names, source
    )


def _set_values(deck: Deck, file: DeckFile) -> None:
    values = file.values
    for colour, name in enumerate(COLOUR_NAMES):
        deck.cost[colour] = values[f"colours.{name}.cost"]
    for stack in range(STACKS):
        name = COLOUR_NAMES[colour_of_stack(stack)]
        deck.points[stack] = values[f"colours.{name}.points"]
        deck.income[stack] = int(values[f"colours.{name}.income"])
    deck.dearest = max(deck.cost)
    deck.factor = [values["strip.star"][:], values["strip.solo"][:]]
    deck.build_levels = values["strip.build_levels"]
    deck.room = values["strip.room"]
    deck.purchases = values["limits.purchases"]
    deck.black_markers = values["limits.black_markers"]
    deck.clover = values["limits.clover"]
    deck.luck = values["limits.luck"]
    deck.multipliers = values["limits.multipliers"]
    deck.set_points = values["solo.set_points"]
    deck.lifts = values["solo.lifts"][:]
    deck.ranks = values["solo.ranks"][:]
    deck.rounds = len(values["bonus"])
    for row, options in enumerate(values["bonus"]):
        deck.options[row] = len(options)
        for column, option in enumerate(options):
            deck.option_luck[row][column] = option.get("luck", 0)
            deck.option_colour[row][column] = (
                COLOUR_NAMES.index(option["card"]) if "card" in option else NO_COLOUR
            )


def _set_cards(deck: Deck, codes: dict[int, Card]) -> None:
    likeness: dict[
        tuple[str, int], int
    ] = {}  # cards that the same rolls fulfil are identical, however their condition is written
    for first, card in codes.items():
        alike = likeness.setdefault((card.colour, card.outcomes), len(likeness) + 1)
        for code in _twins(first):
            deck.cards[code >> 6] |= 1 << (code & 63)
            deck.number[code] = card.number
            deck.hits[code] = hits(card.outcomes)
            deck.likeness[code] = alike
    for row, start in enumerate(START_SETS):
        dealt = sorted(
            (card.level, card.number, code) for code, card in codes.items() if card.start == start
        )
        for n, (level, _, first) in enumerate(dealt):
            for copy, code in enumerate(_twins(first)):
                deck.start_card[copy * SEATS_OF_COPY + row][n] = code
                deck.start_level[copy * SEATS_OF_COPY + row][n] = level - 1


def _twins(card: int) -> list[int]:
    """A card of the first copy and the same one in all others."""
    return [card + copy * CODES_OF_COPY for copy in range(COPIES)]


def _set_outcomes(deck: Deck, codes: dict[int, Card]) -> None:
    """Which cards each outcome fulfils; identical cards are looked up once."""
    alike: dict[tuple[int, int], int] = {}
    for code, card in codes.items():
        key = (card.outcomes, code >> 6)
        alike[key] = alike.get(key, 0) | 1 << (code & 63)
    for (outcomes, colour), mask in alike.items():
        for outcome, bit in enumerate(reversed(f"{outcomes:0{OUTCOMES}b}")):
            if bit == "1":
                deck.met[outcome][colour] |= mask
    deck.weight = list(weights())
    blue_index = {dice: index * len(REDS) for index, dice in enumerate(BLUES)}
    red_index = {dice: index for index, dice in enumerate(REDS)}
    deck.blue_outcome = [blue_index[tuple(sorted(dice))] for dice in product(FACES, repeat=4)]
    deck.red_outcome = [red_index[tuple(sorted(dice))] for dice in product(FACES, repeat=3)]
    deck.blue_faces = [list(dice) for dice in BLUES]
    deck.red_faces = [list(dice) for dice in REDS]


def _set_words(deck: Deck, codes: dict[int, Card]) -> None:
    """The same packed: outcomes of equal weight share a word, so that a set of cards is weighed by counting bits."""
    by_weight = sorted(range(OUTCOMES), key=lambda outcome: (deck.weight[outcome], outcome))
    words: list[list[int]] = []
    for outcome in by_weight:
        if (
            not words
            or len(words[-1]) == WORD_BITS
            or deck.weight[words[-1][0]] != deck.weight[outcome]
        ):
            words.append([])
        words[-1].append(outcome)
    packed: dict[int, list[int]] = {}
    for code, card in codes.items():
        if card.outcomes not in packed:
            bits = f"{card.outcomes:0{OUTCOMES}b}"[::-1]
            packed[card.outcomes] = [
                int("".join([bits[outcome] for outcome in word]), 2) for word in words
            ]
        for twin in _twins(code):
            deck.hit_words[twin] = packed[card.outcomes][:]
    deck.word_weight = [deck.weight[word[0]] for word in words]
