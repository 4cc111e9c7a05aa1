"""Deck files: read and checked, with the line of everything that is wrong.

A deck is a TOML file: the values of the game, the cards of the four start sets and those of the three piles, each card its
number and its condition. ``decks/standard.toml`` is the example to copy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from foxclover.climb.conditions import EVERY, Condition, fulfilling, parse, write
from foxclover.climb.state import (
    BLACK_MARKERS,
    CARDS,
    CARDS_OF_A_COLOUR,
    CLOVER,
    COPIES,
    LEVELS,
    OPTIONS,
    RANKS,
    ROUNDS,
    SEATS_OF_COPY,
    SLOTS,
    START_CARDS,
    WAITING,
)
from foxclover.data_file import HEAD_ENTRIES, DataFile, Path, name_of
from foxclover.errors import ConditionError, quote
from foxclover.locale import phrase

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
        """The set of outcomes that fulfil it."""
        return fulfilling(self.condition)


@dataclass
class DeckFile:
    """What a deck file says, as far as it could be read."""

    file: DataFile
    name: str = ""
    note: str = ""
    copies: int = 1  # of the game that it may be played with
    values: dict[str, Any] = field(default_factory=dict)  # "limits.room" and so on
    cards: list[Card] = field(default_factory=list)


def read_deck(source: bytes) -> DeckFile:
    """Read a deck file and check it; nothing is raised, everything wrong is among the findings."""
    deck = DeckFile(DataFile(source))
    if not deck.file.errors:
        _Check(deck).run()
    return deck


class _Check:
    """Goes through the entries of a deck file, one method a topic."""

    def __init__(self, deck: DeckFile) -> None:
        self.deck = deck
        self.file = deck.file
        self.stands_at: dict[int, Path] = {}  # where each card stands

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

    # -- values -----------------------------------------------------------------------------------------------------------

    def numbers(self) -> None:
        for colour in COLOUR_NAMES:
            self.file.table(("colours", colour), ("points", "cost", "income"))
            self.number("colours", colour, "points", low=0, high=100)
            self.number("colours", colour, "cost", low=1, high=100)
            self.deck.values[f"colours.{colour}.income"] = self.file.flag(
                ("colours", colour, "income")
            )
        self.numbers_of("strip", "star", count=LEVELS, high=100)
        self.numbers_of("strip", "solo", count=LEVELS, high=100)
        self.number("strip", "build_levels", low=1, high=LEVELS)
        self.number("strip", "room", low=START_CARDS // len(START_COLOURS), high=SLOTS)
        self.number("limits", "purchases", low=0, high=WAITING - 1)
        self.number("limits", "black_markers", low=0, high=BLACK_MARKERS)
        self.number("limits", "clover", low=0, high=CLOVER)
        self.number("limits", "luck", low=0, high=100)
        self.number("limits", "multipliers", low=0, high=100)
        self.number("solo", "set_points", low=0, high=1000)
        self.numbers_of("solo", "lifts", count=LEVELS, high=100)
        self.numbers_of("solo", "ranks", count=RANKS, high=100_000)

    def number(self, *path: str, low: int, high: int) -> None:
        self.deck.values[".".join(path)] = self.file.whole(path, low, high)

    def numbers_of(self, *path: str, count: int, high: int) -> None:
        self.deck.values[".".join(path)] = self.file.wholes(path, count, 0, high)

    def bonuses(self) -> None:
        rounds = self.file.length(("bonus",), 1, ROUNDS, phrase("data.deck.rounds", most=ROUNDS))
        several = phrase("data.deck.bonuses", most=OPTIONS)
        for row in range(rounds):
            for option in range(self.file.length(("bonus", row), 1, OPTIONS, several)):
                path = ("bonus", row, option)
                entries = self.file.table(path, ("luck", "card"), phrase("data.deck.bonus"))
                if "luck" in entries:
                    self.file.whole((*path, "luck"), 0, 100)
                if "card" in entries:
                    self.file.choice((*path, "card"), COLOUR_NAMES)
        self.deck.values["bonus"] = self.file.entry(("bonus",))

    # -- cards ------------------------------------------------------------------------------------------------------------

    def card_sections(self) -> None:
        self.file.table(
            ("start",), START_SETS, phrase("data.deck.sets", sets=", ".join(START_SETS))
        )
        for start in START_SETS:
            self.file.table(
                ("start", start),
                [f"level{level}" for level in START_COLOURS],
                phrase("data.deck.levels"),
            )
            for level, colour in START_COLOURS.items():
                self.section(("start", start, f"level{level}"), colour, start, level)
        self.file.table(("cards",), COLOUR_NAMES, phrase("data.deck.colours"))
        for colour in COLOUR_NAMES:
            self.section(("cards", colour), colour, "", 0)

    def section(self, path: Path, colour: str, start: str, level: int) -> None:
        entries = self.file.entry(path)
        if not isinstance(entries, dict):
            self.file.expected(path, phrase("data.deck.cards"))
            return
        for key, text in entries.items():
            if not (key.isascii() and key.isdecimal() and len(key) < 9 and 1 <= int(key) <= CARDS):
                self.file.error(
                    (*path, key),
                    phrase("data.deck.number", entry=name_of(path), most=CARDS, text=quote(key)),
                )
            elif not isinstance(text, str):
                self.file.error((*path, key), phrase("data.deck.quotes", number=key))
            else:
                self.card((*path, key), int(key), colour, text, start, level)

    def card(self, path: Path, number: int, colour: str, text: str, start: str, level: int) -> None:
        if number in self.stands_at:
            self.file.error(
                path,
                phrase(
                    "data.deck.twice",
                    number=number,
                    line=self.file.location(self.stands_at[number])[0],
                ),
            )
        self.stands_at[number] = path
        try:
            condition = parse(text)
        except ConditionError as error:
            self.file.error(
                path,
                phrase("data.deck.condition", number=number, what=error.wanted),
                shift=error.column,
            )
            return
        card = Card(number, colour, condition, write(condition), start, level)
        self.deck.cards.append(card)
        if card.outcomes == 0:
            self.file.error(
                path, phrase("data.deck.impossible", number=number, condition=card.text)
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
                        phrase("data.deck.start", number=per_level, found=found),
                    )
        for colour in COLOUR_NAMES:
            if sum(card.colour == colour for card in cards) > CARDS_OF_A_COLOUR:
                self.file.error(
                    ("cards", colour),
                    phrase("data.deck.most", entry=f"cards.{colour}", most=CARDS_OF_A_COLOUR),
                )

    def remarks(self) -> None:
        for colour, expected in PRINTED.items():
            found = sum(card.colour == colour and not card.start for card in self.deck.cards)
            if found != expected:
                self.file.remark(
                    ("cards", colour),
                    phrase(
                        "data.deck.printed", entry=f"cards.{colour}", printed=expected, found=found
                    ),
                )
        alike = Counter((card.colour, card.outcomes) for card in self.deck.cards)
        for card in self.deck.cards:
            entry = self.stands_at[card.number]
            if card.outcomes == EVERY:
                self.file.remark(
                    entry, phrase("data.deck.certain", number=card.number, condition=card.text)
                )
            count = alike.pop((card.colour, card.outcomes), 1)
            if count > 1:
                self.file.remark(
                    entry,
                    phrase(
                        "data.deck.alike",
                        number=card.number,
                        times=count,
                        colour=phrase(f"common.colour.{card.colour}"),
                        condition=card.text,
                    ),
                )
