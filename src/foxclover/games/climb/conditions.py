"""Conditions of task cards: their notation, and the rolls that fulfil them.

A roll of four blue and three red dice is a pair of multisets: 126 x 56 = 7,056 different
*outcomes*. A set of outcomes is one integer, with bit ``n`` for outcome ``n``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Literal, NamedTuple

from foxclover.core.errors import ConditionError
from foxclover.locale import lazy_message

BLUE_DICE = 4
RED_DICE = 3
DICE = BLUE_DICE + RED_DICE
FACES = range(1, 7)
LETTERS = "BRW"
BLUES = tuple(combinations_with_replacement(FACES, BLUE_DICE))
REDS = tuple(combinations_with_replacement(FACES, RED_DICE))
OUTCOMES = len(BLUES) * len(REDS)
ROLLS: int = 6**DICE
EVERY = (1 << OUTCOMES) - 1


class Term(NamedTuple):
    """Dice that belong together.

    ``dice`` has a letter for each die; a sum names its colour once.
    """

    kind: Literal["exact", "least", "equal", "run", "sum"]
    dice: str
    value: int = 0


Condition = tuple[tuple[Term, ...], ...]  # any of the outer, all of the inner


# -- notation


class _Reader:
    """Read a text from left to right, skipping blanks between signs."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, signs: str, wanted: str) -> str:
        sign = self.peek()
        if not sign or sign not in signs:
            raise ConditionError(self.at + 1, lazy_message(f"expected.{wanted}"))
        self.at += 1
        return sign

    def skip(self, sign: str) -> bool:
        found = self.peek() == sign
        self.at += found
        return found

    def number(self, low: int, high: int, wanted: str) -> int:
        self.peek()
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        digits = self.text[start : self.at]
        if not 0 < len(digits) <= 2 or not low <= int(digits) <= high:
            raise ConditionError(start + 1, lazy_message(f"expected.{wanted}", low=low, high=high))
        return int(digits)

    def letters(self) -> str:
        found = self.take(LETTERS, "die")
        while self.peek() and self.peek() in LETTERS:
            found += self.take(LETTERS, "die")
            if len(found) > DICE:
                raise ConditionError(self.at, lazy_message("expected.most_dice", most=DICE))
        if len(found) < 2:
            raise ConditionError(self.at + 1, lazy_message("expected.second_die"))
        return found


def parse(text: str) -> Condition:
    """Read a condition; raises ``ConditionError``."""
    reader = _Reader(text)
    either = [_conjunction(reader)]
    while reader.skip("|"):
        either.append(_conjunction(reader))
    if reader.peek():
        raise ConditionError(reader.at + 1, lazy_message("expected.end"))
    return tuple(either)


def _conjunction(reader: _Reader) -> tuple[Term, ...]:
    terms = [_term(reader)]
    while reader.skip("&"):
        terms.append(_term(reader))
    return tuple(terms)


def _term(reader: _Reader) -> Term:
    if reader.skip("="):
        return Term("equal", reader.letters())
    if reader.skip(">"):
        return Term("run", reader.letters())
    if reader.skip("s"):
        letter = reader.take(LETTERS, "colour")
        total = reader.number(1, 6 * DICE, "total")
        reader.take("+", "plus")
        return Term("sum", letter, total)
    count = 1
    if reader.peek().isdigit():
        count = reader.number(1, DICE, "count")
        reader.take("*", "times")
    letter = reader.take(LETTERS, "die" if count > 1 else "condition")
    value = reader.number(1, 6, "face")
    return Term("least" if reader.skip("+") else "exact", letter * count, value)


def write(condition: Condition) -> str:
    """Write a condition in its canonical notation."""
    return " | ".join(" & ".join(map(_write_term, terms)) for terms in condition)


def _write_term(term: Term) -> str:
    if term.kind == "sum":
        return f"s{term.dice}{term.value}+"
    if term.kind in ("equal", "run"):
        return ("=" if term.kind == "equal" else ">") + term.dice
    count = f"{len(term.dice)}*" if len(term.dice) > 1 else ""
    return f"{count}{term.dice[0]}{term.value}" + ("+" if term.kind == "least" else "")


# -- outcomes

Die = tuple[str, int]  # colour and number
Dice = tuple[Die, ...]  # sorted


def outcome_of(blue: Iterable[int], red: Iterable[int]) -> int:
    """Return the number of the outcome of a roll, with its dice in any order."""
    return BLUES.index(tuple(sorted(blue))) * len(REDS) + REDS.index(tuple(sorted(red)))


def dice_of(outcome: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the blue and red dice of an outcome, in rising order."""
    return BLUES[outcome // len(REDS)], REDS[outcome % len(REDS)]


def _orders(dice: tuple[int, ...]) -> int:
    """Count the ways in which distinguishable dice show these numbers."""
    return factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))


@cache
def weights() -> tuple[int, ...]:
    """Return how many of the 279,936 rolls give each outcome."""
    return tuple(_orders(blue) * _orders(red) for blue in BLUES for red in REDS)


@cache
def _outcomes_by_weight() -> dict[int, int]:
    """Return the set of outcomes of each weight."""
    sets: dict[int, int] = {}
    for outcome, weight in enumerate(weights()):
        sets[weight] = sets.get(weight, 0) | 1 << outcome
    return sets


def hits(outcomes: int) -> int:
    """Count the rolls, of 279,936, that give one of a set of outcomes."""
    return sum(
        weight * (outcomes & having).bit_count() for weight, having in _outcomes_by_weight().items()
    )


@cache
def _outcomes_with(colour: str, face: int, count: int) -> int:
    """Return the outcomes with at least some dice of one colour and number."""
    found = 0
    if colour == "B":
        row = (1 << len(REDS)) - 1
        for index, blue in enumerate(BLUES):
            if blue.count(face) >= count:
                found |= row << index * len(REDS)
        return found
    row = sum(1 << index for index, red in enumerate(REDS) if red.count(face) >= count)
    for index in range(len(BLUES)):
        found |= row << index * len(REDS)
    return found


# -- what fulfils a condition


def _colours(letter: str) -> str:
    return "BR" if letter == "W" else letter


def _available(dice: Iterable[Die]) -> bool:
    colours = Counter(colour for colour, _ in dice)
    return colours["B"] <= BLUE_DICE and colours["R"] <= RED_DICE


@cache
def _ways(term: Term) -> frozenset[Dice]:
    """Return every smallest choice of dice that fulfils a term."""
    if term.kind == "sum":
        return frozenset(_sums(_colours(term.dice), term.value))
    if term.kind == "exact":
        numbers = [(term.value,) * len(term.dice)]
    elif term.kind == "least":
        numbers = list(combinations_with_replacement(range(term.value, 7), len(term.dice)))
    elif term.kind == "equal":
        numbers = [(face,) * len(term.dice) for face in FACES]
    else:
        numbers = [tuple(range(low, low + len(term.dice))) for low in range(1, 8 - len(term.dice))]
    found = {
        tuple(sorted(zip(colours, faces, strict=True)))
        for faces in numbers
        for colours in product(*map(_colours, term.dice))
    }
    return frozenset(filter(_available, found))


def _sums(colours: str, total: int) -> Iterable[Dice]:
    """Yield dice whose total reaches ``total``, but not without any one of them."""
    kinds = list(product(colours, FACES))
    for count in range(1, DICE + 1):
        for dice in combinations_with_replacement(kinds, count):
            faces = [face for _, face in dice]
            if 0 <= sum(faces) - total < min(faces) and _available(dice):
                yield dice


@cache
def _conjunction_outcomes(terms: tuple[Term, ...]) -> int:
    """Return the outcomes that fulfil all terms with different dice."""
    if sum(-(-term.value // 6) if term.kind == "sum" else len(term.dice) for term in terms) > DICE:
        return 0  # needs more dice than there are
    needs: set[Dice] = {()}
    for term in terms:
        joined = {tuple(sorted(have + way)) for have in needs for way in _ways(term)}
        needs = set(filter(_available, joined))
    found = 0
    for need in needs:
        fitting = EVERY
        for (colour, face), count in Counter(need).items():
            fitting &= _outcomes_with(colour, face, count)
        found |= fitting
    return found


def fulfilling(condition: Condition) -> int:
    """Return the set of outcomes that fulfil a condition."""
    found = 0
    for terms in condition:
        found |= _conjunction_outcomes(terms)
    return found
