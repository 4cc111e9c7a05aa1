"""Turn a deck file into the integer tables of ``Deck``, and into a book with the names and texts for people."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from foxclover.climb.conditions import BLUES, FACES, OUTCOMES, REDS, hits, weights
from foxclover.climb.deck_file import COLOUR_NAMES, START_SETS, Card, DeckFile, read_deck
from foxclover.climb.state import NO_COLOUR, Deck
from foxclover.contract import Head

WORD_BITS = 62  # of one weight at most, which makes WORDS words in all


@dataclass
class ClimbBook:
    """One deck: its tables for the rules and its cards for people."""

    head: Head
    deck: str  # what the deck is called
    note: str
    tables: Deck
    cards: dict[int, Card]  # by the integer the rules know them by
    code_of: dict[int, int]  # that integer by the printed number
    source: bytes

    def number(self, card: int) -> int:
        """The number printed on a card; 0 for none."""
        return self.tables.number[card]


def read(head: Head, source: bytes) -> ClimbBook:
    """Read a deck from the bytes of its file; raises ``DataError``."""
    file = read_deck(source)
    file.file.refuse_errors(head.key)
    ordered = sorted(file.cards, key=lambda card: (COLOUR_NAMES.index(card.colour), card.number))
    codes: dict[int, Card] = {}
    for colour, name in enumerate(COLOUR_NAMES):
        codes |= {64 * colour + n: card for n, card in enumerate((card for card in ordered if card.colour == name), start=1)}
    deck = Deck()
    _set_values(deck, file)
    _set_cards(deck, codes)
    _set_outcomes(deck, codes)
    _set_words(deck, codes)
    numbers = {card.number: code for code, card in codes.items()}
    return ClimbBook(head, file.name, file.note, deck, codes, numbers, source)


def _set_values(deck: Deck, file: DeckFile) -> None:
    values = file.values
    for colour, name in enumerate(COLOUR_NAMES):
        deck.points[colour] = values[f"colours.{name}.points"]
        deck.cost[colour] = values[f"colours.{name}.cost"]
        deck.income[colour] = int(values[f"colours.{name}.income"])
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
            deck.option_colour[row][column] = COLOUR_NAMES.index(option["card"]) if "card" in option else NO_COLOUR


def _set_cards(deck: Deck, codes: dict[int, Card]) -> None:
    likeness: dict[tuple[str, int], int] = {}  # cards that the same rolls fulfil are identical, however their condition is written
    for code, card in codes.items():
        deck.cards[code >> 6] |= 1 << (code & 63)
        deck.number[code] = card.number
        deck.hits[code] = hits(card.outcomes)
        deck.likeness[code] = likeness.setdefault((card.colour, card.outcomes), len(likeness) + 1)
    for seat, start in enumerate(START_SETS):
        dealt = sorted((card.level, card.number, code) for code, card in codes.items() if card.start == start)
        for n, (level, _, code) in enumerate(dealt):
            deck.start_card[seat][n] = code
            deck.start_level[seat][n] = level - 1


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


def _set_words(deck: Deck, codes: dict[int, Card]) -> None:
    """The same packed: outcomes of equal weight share a word, so that a set of cards is weighed by counting bits."""
    by_weight = sorted(range(OUTCOMES), key=lambda outcome: (deck.weight[outcome], outcome))
    words: list[list[int]] = []
    for outcome in by_weight:
        if not words or len(words[-1]) == WORD_BITS or deck.weight[words[-1][0]] != deck.weight[outcome]:
            words.append([])
        words[-1].append(outcome)
    packed: dict[int, list[int]] = {}
    for code, card in codes.items():
        if card.outcomes not in packed:
            bits = f"{card.outcomes:0{OUTCOMES}b}"[::-1]
            packed[card.outcomes] = [int("".join([bits[outcome] for outcome in word]), 2) for word in words]
        deck.hit_words[code] = packed[card.outcomes][:]
    deck.word_weight = [deck.weight[word[0]] for word in words]
