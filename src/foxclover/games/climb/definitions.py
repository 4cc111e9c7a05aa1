"""Deck files: read and check them, and turn them into the integer tables of ``Deck``.

A deck is a TOML file with the values of the game, the cards of the four start sets and those of the
three piles. Each card has a number and a condition. Copy ``decks/standard.toml`` to start a deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product

from foxclover.core.contract import Head
from foxclover.core.data_file import HEAD_ENTRIES, DataFile, Path, name_of
from foxclover.core.errors import ConditionError, quote
from foxclover.games.climb.conditions import (
    BLUES,
    EVERY,
    FACES,
    OUTCOMES,
    REDS,
    Condition,
    fulfilling,
    hits,
    parse,
    weights,
    write,
)
from foxclover.games.climb.rules.state import (
    BLACK_MARKERS,
    CARDS,
    CARDS_OF_A_COLOUR,
    CLOVER,
    CODES_OF_COPY,
    COLOURS,
    COPIES,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    OPTIONS,
    RANKS,
    ROUNDS,
    SEATS_OF_COPY,
    SLOTS,
    STACKS,
    START_CARDS,
    WAITING,
    Deck,
)
from foxclover.locale import Translator, lazy_message

CARD_COLOURS = {"green": "#2f8049", "yellow": "#f2c335", "red": "#c93f2e"}
DICE_COLOURS = {"blue": "#3a74c4", "red": "#c93f2e"}
COLOUR_NAMES = tuple(CARD_COLOURS)
START_SETS = "ABCD"
START_COLOURS = {1: "green", 2: "green", 3: "yellow"}  # by the level a start card is laid on
PRINTED = {"green": 36, "yellow": 21, "red": 15}  # cards of the piles in the printed game

_VALUES = {
    "colours": COLOUR_NAMES,
    "strip": ("star", "solo", "build_levels", "room"),
    "limits": ("purchases", "black_markers", "clover", "luck", "multipliers"),
    "solo": ("set_points", "lifts", "ranks"),
}
SINGLE_VALUES = {  # fields of ``Deck`` with their bounds
    ("strip", "build_levels"): (1, LEVELS),
    ("strip", "room"): (START_CARDS // len(START_COLOURS), SLOTS),
    ("limits", "purchases"): (0, WAITING - 1),
    ("limits", "black_markers"): (0, BLACK_MARKERS),
    ("limits", "clover"): (0, CLOVER),
    ("limits", "luck"): (0, 100),
    ("limits", "multipliers"): (0, 100),
    ("solo", "set_points"): (0, 1000),
}
_ENTRIES = (*HEAD_ENTRIES, "name", "note", "copies", "bonus", *_VALUES, "start", "cards")


@dataclass(frozen=True)
class Card:
    """A task card; ``start`` and ``level`` (from 1) are those of a start card, else "" and 0."""

    number: int
    colour: str
    condition: Condition
    text: str
    start: str
    level: int

    @property
    def outcomes(self) -> int:
        """Return the set of outcomes that fulfil it."""
        return fulfilling(self.condition)


@dataclass
class DeckFile:
    """The content of a deck file, as far as it could be read."""

    file: DataFile
    name: str = ""
    note: str = ""
    copies: int = 1  # of the game that it may be played with
    tables: Deck = field(default_factory=Deck)  # with the values of the game
    cards: list[Card] = field(default_factory=list)


def read_deck(source: bytes) -> DeckFile:
    """Read and check a deck file; nothing is raised, all problems are among the findings."""
    deck = DeckFile(DataFile(source))
    if not deck.file.errors:
        _Check(deck).run()
    return deck


class _Check:
    """Check the entries of a deck file, one method a topic."""

    def __init__(self, deck: DeckFile) -> None:
        self.deck = deck
        self.file = deck.file
        self.path_of: dict[int, Path] = {}  # of the entry of each card

    def run(self) -> None:
        self.file.table((), _ENTRIES)
        if self.file.has(("copies",)):
            self.deck.copies = self.file.whole(("copies",), 1, COPIES)
        if self.file.has(("players",)):
            self.file.wholes(("players",), 2, 1, self.deck.copies * SEATS_OF_COPY)
        self.deck.name = self.file.label(("name",))
        self.deck.note = self.file.string(("note",))
        for section, entries in _VALUES.items():
            self.file.table((section,), entries)
        self.numbers()
        self.bonuses()
        self.card_sections()
        if not self.file.errors:
            self.sets_and_counts()
            self.remarks()

    # -- values

    def numbers(self) -> None:
        file, deck = self.file, self.deck.tables
        for colour, name in enumerate(COLOUR_NAMES):
            path = ("colours", name)
            file.table(path, ("points", "cost", "income"))
            points = file.whole((*path, "points"), 0, 100)
            income = int(file.flag((*path, "income")))
            for stack in range(colour, STACKS, COLOURS):
                deck.points[stack], deck.income[stack] = points, income
            deck.cost[colour] = file.whole((*path, "cost"), 1, 100)
        deck.dearest = max(deck.cost)
        deck.factor = [file.wholes(("strip", side), LEVELS, 0, 100) for side in ("star", "solo")]
        for path, (low, high) in SINGLE_VALUES.items():
            setattr(deck, path[1], file.whole(path, low, high))
        deck.lifts = file.wholes(("solo", "lifts"), LEVELS, 0, 100)
        deck.ranks = file.wholes(("solo", "ranks"), RANKS, 0, 100_000)

    def bonuses(self) -> None:
        deck = self.deck.tables
        deck.rounds = self.file.length(
            ("bonus",), 1, ROUNDS, lazy_message("data.deck.rounds", most=ROUNDS)
        )
        several = lazy_message("data.deck.bonuses", most=OPTIONS)
        for row in range(deck.rounds):
            offered: list[tuple[object, object]] = []
            deck.options[row] = self.file.length(("bonus", row), 1, OPTIONS, several)
            for option in range(deck.options[row]):
                path = ("bonus", row, option)
                entries = self.file.table(path, ("luck", "card"), lazy_message("data.deck.bonus"))
                deck.option_colour[row][option] = NO_COLOUR
                if "luck" in entries:
                    deck.option_luck[row][option] = self.file.whole((*path, "luck"), 0, 100)
                if "card" in entries:
                    card = self.file.choice((*path, "card"), COLOUR_NAMES)
                    deck.option_colour[row][option] = COLOUR_NAMES.index(card)
                gives = entries.get("luck", 0), entries.get("card")
                if gives in offered:
                    self.file.error(path, lazy_message("data.deck.same_bonus"))
                offered.append(gives)

    # -- cards

    def card_sections(self) -> None:
        self.file.table(
            ("start",), START_SETS, lazy_message("data.deck.sets", sets=", ".join(START_SETS))
        )
        for start in START_SETS:
            self.file.table(
                ("start", start),
                [f"level{level}" for level in START_COLOURS],
                lazy_message("data.deck.levels"),
            )
            for level, colour in START_COLOURS.items():
                self.section(("start", start, f"level{level}"), colour, start, level)
        self.file.table(("cards",), COLOUR_NAMES, lazy_message("data.deck.colours"))
        for colour in COLOUR_NAMES:
            self.section(("cards", colour), colour, "", 0)

    def section(self, path: Path, colour: str, start: str, level: int) -> None:
        entries = self.file.entry(path)
        if not isinstance(entries, dict):
            self.file.expected(path, lazy_message("data.deck.cards"))
            return
        for key, text in entries.items():
            if not (key.isascii() and key.isdecimal() and len(key) < 9 and 1 <= int(key) <= CARDS):
                self.file.error(
                    (*path, key),
                    lazy_message(
                        "data.deck.number", entry=name_of(path), most=CARDS, text=quote(key)
                    ),
                )
            elif not isinstance(text, str):
                self.file.error((*path, key), lazy_message("data.deck.quotes", number=key))
            else:
                self.card((*path, key), int(key), colour, text, start, level)

    def card(self, path: Path, number: int, colour: str, text: str, start: str, level: int) -> None:
        if number in self.path_of:
            self.file.error(
                path,
                lazy_message(
                    "data.deck.twice",
                    number=number,
                    line=self.file.location(self.path_of[number])[0],
                ),
            )
        self.path_of[number] = path
        try:
            condition = parse(text)
        except ConditionError as error:
            self.file.error(
                path,
                lazy_message("data.deck.condition", number=number, what=error.wanted),
                shift=error.column,
            )
            return
        card = Card(number, colour, condition, write(condition), start, level)
        self.deck.cards.append(card)
        if card.outcomes == 0:
            self.file.error(
                path, lazy_message("data.deck.impossible", number=number, condition=card.text)
            )

    def sets_and_counts(self) -> None:
        cards = self.deck.cards
        per_level = START_CARDS // len(START_COLOURS)
        for start in START_SETS:
            for level in START_COLOURS:
                found = sum(card.start == start and card.level == level for card in cards)
                if found != per_level:
                    self.file.expected(
                        ("start", start, f"level{level}"),
                        lazy_message("data.deck.start", number=per_level, found=found),
                    )
        for colour in COLOUR_NAMES:
            if sum(card.colour == colour for card in cards) > CARDS_OF_A_COLOUR:
                self.file.error(
                    ("cards", colour),
                    lazy_message("data.deck.most", entry=f"cards.{colour}", most=CARDS_OF_A_COLOUR),
                )

    def remarks(self) -> None:
        for colour, expected in PRINTED.items():
            found = sum(card.colour == colour and not card.start for card in self.deck.cards)
            if found != expected:
                self.file.remark(
                    ("cards", colour),
                    lazy_message(
                        "data.deck.printed", entry=f"cards.{colour}", printed=expected, found=found
                    ),
                )
        alike = Counter((card.colour, card.outcomes) for card in self.deck.cards)
        for card in self.deck.cards:
            entry = self.path_of[card.number]
            if card.outcomes == EVERY:
                self.file.remark(
                    entry,
                    lazy_message("data.deck.certain", number=card.number, condition=card.text),
                )
            count = alike.pop((card.colour, card.outcomes), 1)
            if count > 1:
                self.file.remark(
                    entry,
                    lazy_message(
                        "data.deck.alike",
                        number=card.number,
                        times=count,
                        colour=lazy_message(f"common.colour.{card.colour}"),
                        condition=card.text,
                    ),
                )


COPY_MARKS = ("", "b")  # behind the number of a card, by copy
WORD_BITS = 62  # of one weight at most, which makes WORDS words in all


@dataclass(eq=False)  # caches use definitions as keys
class ClimbDefinition:
    """One deck: its tables for the rules and its cards for people."""

    head: Head
    deck: str  # what the deck is called
    note: str
    tables: Deck
    cards: dict[int, Card]  # of a copy, by the integer the rules know them by
    # That integer by what a card is called; cards of every copy that may be played with.
    code_of: dict[str, int]
    source: bytes

    def printed(self, card: int) -> Card:
        """Return what is printed on a card."""
        return self.cards[card % CODES_OF_COPY]

    def name(self, card: int) -> str:
        """Return the number printed on a card, with a ``b`` in the second copy; "" for no card."""
        return (
            ""
            if card == NO_CARD
            else f"{self.tables.number[card]}{COPY_MARKS[card // CODES_OF_COPY]}"
        )


def check(
    source: bytes, _: Callable[[DataFile], Head], translate: Translator
) -> tuple[DataFile, str]:
    """Return all problems of a deck, or a sentence about its content; it needs no header."""
    deck = read_deck(source)
    if deck.file.errors:
        return deck.file, ""
    counts = {
        name: sum(card.colour == name and not card.start for card in deck.cards)
        for name in COLOUR_NAMES
    }
    start = sum(bool(card.start) for card in deck.cards)
    return deck.file, translate(
        "cli.deck.fine", name=deck.name, cards=len(deck.cards), start=start, **counts
    )


def read(head: Head, source: bytes) -> ClimbDefinition:
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
    deck = file.tables
    _set_cards(deck, codes)
    _set_outcomes(deck, codes)
    _set_words(deck, codes)
    names = {
        f"{card.number}{mark}": code + copy * CODES_OF_COPY
        for copy, mark in enumerate(COPY_MARKS[: file.copies])
        for code, card in codes.items()
    }
    players = range(head.players[0], min(head.players[-1], file.copies * SEATS_OF_COPY) + 1)
    return ClimbDefinition(
        head._replace(players=players), file.name, file.note, deck, codes, names, source
    )


def _set_cards(deck: Deck, codes: dict[int, Card]) -> None:
    # Cards that the same rolls fulfil are identical, however their condition is written.
    likeness: dict[tuple[str, int], int] = {}
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
    """Return a card of the first copy and its twins in all others."""
    return [card + copy * CODES_OF_COPY for copy in range(COPIES)]


def _set_outcomes(deck: Deck, codes: dict[int, Card]) -> None:
    """Set the cards that each outcome fulfils; identical cards are looked up once."""
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
    """Set the outcomes of each card, packed into words of outcomes of equal weight.

    So a set of cards is weighed by counting bits.
    """
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
