"""Deck files: read and checked, with the line of everything that is wrong.

A deck is a TOML file: the values of the game, the cards of the four start sets and those of the three piles, each card its
number and its condition. ``decks/standard.toml`` is the example to copy.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from foxclover.climb.conditions import EVERY, Condition, ConditionError, fulfilling, parse, write
from foxclover.climb.state import (
    BLACK_MARKERS,
    CARDS,
    CARDS_OF_A_COLOUR,
    CLOVER,
    LEVELS,
    OPTIONS,
    RANKS,
    ROUNDS,
    SLOTS,
    START_CARDS,
    WAITING,
)

COLOUR_NAMES = ("green", "yellow", "red")
START_SETS = "ABCD"
START_COLOURS = {1: "green", 2: "green", 3: "yellow"}  # by the level a start card is laid on
PRINTED = {"green": 36, "yellow": 21, "red": 15}  # cards of the piles in the printed game

_SECTION = re.compile(r"\s*\[+\s*([^\]]+?)\s*\]")
_ENTRY = re.compile(r"""(?<![\w])["']?(\w+)["']?\s*=\s*""")


class Finding(NamedTuple):
    """Something the checker noticed; an ``error`` makes a deck unusable."""

    line: int  # 0: the file as a whole
    column: int  # 0: the line as a whole
    text: str
    error: bool

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.text}" if self.line else self.text


class DeckError(ValueError):
    """A deck that cannot be used: one line for each reason."""

    def __init__(self, key: str, findings: list[Finding]) -> None:
        super().__init__("\n".join(f"{key}: {finding}" for finding in findings))
        self.findings = findings


@dataclass(frozen=True)
class Card:
    """A task card; ``start`` and ``level`` (from 1) are those of a start card, else "" and 0."""

    number: int
    colour: str
    condition: Condition
    text: str
    start: str
    level: int
    line: int

    @property
    def outcomes(self) -> int:
        """The set of outcomes that fulfil it."""
        return fulfilling(self.condition)


@dataclass
class DeckFile:
    """What a deck file says, as far as it could be read."""

    name: str
    note: str
    values: dict[str, Any]  # "limits.room" and so on
    cards: list[Card]
    findings: list[Finding]

    @property
    def errors(self) -> list[Finding]:
        """What makes the deck unusable."""
        return [finding for finding in self.findings if finding.error]


def read_deck(source: str) -> DeckFile:
    """Read a deck file and check it; nothing is raised, everything wrong is among the findings."""
    deck = DeckFile("", "", {}, [], [])
    try:
        data = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at line ")
        line = re.match(r"\d+", place)
        deck.findings.append(Finding(int(line[0]) if line else 0, 0, f"not TOML: {message}", True))
        return deck
    _Check(source, data, deck).run()
    deck.findings.sort(key=lambda finding: (finding.line, finding.column))
    return deck


class _Check:
    """Goes through the entries of a deck file, one method a topic."""

    def __init__(self, source: str, data: dict[str, Any], deck: DeckFile) -> None:
        self.data = data
        self.deck = deck
        self.where = dict(reversed(list(_entries(source))))

    def run(self) -> None:
        self.deck.name = self.text("name")
        self.deck.note = self.text("note")
        self.numbers()
        self.bonuses()
        self.card_sections()
        if not self.deck.errors:
            self.sets_and_counts()
            self.remarks()

    def error(self, line: int, column: int, text: str) -> None:
        self.deck.findings.append(Finding(line, column, text, True))

    def remark(self, line: int, text: str) -> None:
        self.deck.findings.append(Finding(line, 0, text, False))

    def place(self, path: str) -> tuple[int, int]:
        """Line of an entry and column of its value; the line of its section, or 0, if it has none of its own."""
        while path not in self.where and "." in path:
            path = path.rpartition(".")[0]
        return self.where.get(path, (0, 0))

    def entry(self, path: str) -> Any:
        value: Any = self.data
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return value

    # -- values -----------------------------------------------------------------------------------------------------------

    def text(self, path: str) -> str:
        value = self.entry(path)
        if isinstance(value, str):
            return value
        self.error(self.place(path)[0], 0, f"{path}: expected a text")
        return ""

    def numbers(self) -> None:
        for colour in COLOUR_NAMES:
            self.number(f"colours.{colour}.points", 0, 100)
            self.number(f"colours.{colour}.cost", 1, 100)
            path = f"colours.{colour}.income"
            self.deck.values[path] = self.entry(path)
            if not isinstance(self.entry(path), bool):
                self.error(self.place(path)[0], 0, f"{path}: expected true or false")
        for side in ("star", "solo"):
            self.numbers_of(f"strip.{side}", LEVELS, 100)
        self.number("strip.build_levels", 1, LEVELS)
        self.number("strip.room", START_CARDS // len(START_COLOURS), SLOTS)
        self.number("limits.purchases", 0, WAITING - 1)
        self.number("limits.black_markers", 0, BLACK_MARKERS)
        self.number("limits.clover", 0, CLOVER)
        for name in ("luck", "multipliers"):
            self.number(f"limits.{name}", 0, 100)
        self.number("solo.set_points", 0, 1000)
        self.numbers_of("solo.lifts", LEVELS, 100)
        self.numbers_of("solo.ranks", RANKS, 100_000)

    def number(self, path: str, low: int, high: int) -> None:
        value = self.entry(path)
        self.deck.values[path] = value
        if not _is_whole(value, low, high):
            self.error(self.place(path)[0], 0, f"{path}: expected a whole number from {low} to {high}")

    def numbers_of(self, path: str, count: int, high: int) -> None:
        value = self.entry(path)
        self.deck.values[path] = value
        if not isinstance(value, list) or len(value) != count or not all(_is_whole(item, 0, high) for item in value):
            self.error(self.place(path)[0], 0, f"{path}: expected {count} whole numbers from 0 to {high}")

    def bonuses(self) -> None:
        rounds = self.entry("bonus")
        self.deck.values["bonus"] = rounds
        line = self.place("bonus")[0]
        if not isinstance(rounds, list) or not 1 <= len(rounds) <= ROUNDS:
            self.error(line, 0, f"bonus: expected a list for each of 1 to {ROUNDS} rounds")
            return
        for number, options in enumerate(rounds, start=1):
            if not isinstance(options, list) or not 1 <= len(options) <= OPTIONS or not all(map(_is_bonus, options)):
                self.error(line, 0, f'bonus of round {number}: expected one or two like {{ luck = 1, card = "green" }}')

    # -- cards ------------------------------------------------------------------------------------------------------------

    def card_sections(self) -> None:
        for start in START_SETS:
            for level, colour in START_COLOURS.items():
                self.section(f"start.{start}.level{level}", colour, start, level)
        for colour in COLOUR_NAMES:
            self.section(f"cards.{colour}", colour, "", 0)
        for path, known in (("start", set(START_SETS)), ("cards", set(COLOUR_NAMES))):
            for key in (self.entry(path) or {}).keys() - known:
                self.error(self.place(f"{path}.{key}")[0], 0, f"{path}.{key}: expected one of {', '.join(sorted(known))}")

    def section(self, path: str, colour: str, start: str, level: int) -> None:
        entries = self.entry(path)
        if not isinstance(entries, dict):
            self.error(self.place(path)[0], 0, f"{path}: expected cards, each a number and its condition")
            return
        for key, text in entries.items():
            line, column = self.place(f"{path}.{key}")
            if not key.isdecimal() or not 1 <= int(key) <= CARDS:
                self.error(line, 0, f"{path}: expected a card number from 1 to {CARDS}, not {key!r}")
            elif not isinstance(text, str):
                self.error(line, 0, f"card {key}: expected a condition in quotes")
            else:
                self.card(int(key), colour, text, start, level, line, column)

    def card(self, number: int, colour: str, text: str, start: str, level: int, line: int, column: int) -> None:
        for other in self.deck.cards:
            if other.number == number:
                self.error(line, 0, f"card {number} stands on line {other.line} already")
        try:
            condition = parse(text)
        except ConditionError as error:
            self.error(line, column + error.column if column else 0, f"card {number}: expected {error.expected}")
            return
        card = Card(number, colour, condition, write(condition), start, level, line)
        self.deck.cards.append(card)
        if card.outcomes == 0:
            self.error(line, 0, f"card {number}: no roll fulfils {card.text}")

    def sets_and_counts(self) -> None:
        cards = self.deck.cards
        per_level = START_CARDS // len(START_COLOURS)
        for start in START_SETS:
            for level in START_COLOURS:
                found = sum(card.start == start and card.level == level for card in cards)
                if found != per_level:
                    path = f"start.{start}.level{level}"
                    self.error(self.place(path)[0], 0, f"{path}: expected {per_level} cards, found {found}")
        for colour in COLOUR_NAMES:
            if sum(card.colour == colour for card in cards) > CARDS_OF_A_COLOUR:
                self.error(self.place(f"cards.{colour}")[0], 0, f"cards.{colour}: more than {CARDS_OF_A_COLOUR} cards are {colour}")

    def remarks(self) -> None:
        for colour, expected in PRINTED.items():
            found = sum(card.colour == colour and not card.start for card in self.deck.cards)
            if found != expected:
                self.remark(self.place(f"cards.{colour}")[0], f"cards.{colour}: the printed game has {expected} cards, this deck {found}")
        alike = Counter((card.colour, card.text) for card in self.deck.cards)
        for card in self.deck.cards:
            if card.outcomes == EVERY:
                self.remark(card.line, f"card {card.number}: every roll fulfils {card.text}")
            count = alike.pop((card.colour, card.text), 1)
            if count > 1:
                self.remark(card.line, f"card {card.number}: {count} {card.colour} cards say {card.text}")


def _entries(source: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every ``section.key`` of a TOML text with its line and the column of its value, and every section with its line."""
    section = ""
    for number, line in enumerate(source.splitlines(), start=1):
        header = _SECTION.match(line)
        if header:
            section = re.sub(r"[\s\"']", "", header[1]) + "."
            yield section[:-1], (number, 0)
            continue
        path = section
        for entry in _ENTRY.finditer(line.partition("#")[0]):
            yield path + entry[1], (number, entry.end() + 1)
            if line[entry.end() : entry.end() + 1] == "{":
                path += entry[1] + "."


def _is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_bonus(option: Any) -> bool:
    if not isinstance(option, dict) or not option.keys() <= {"luck", "card"}:
        return False
    return _is_whole(option.get("luck", 0), 0, 100) and option.get("card", "green") in COLOUR_NAMES
