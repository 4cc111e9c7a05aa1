"""A slow reader and evaluator of conditions, easy to check by eye.

Pick dice up, look whether they show what the card asks for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from typing import NamedTuple, Protocol


class Term(Protocol):
    """Dice that belong together: what the engine reads, or what is read here."""

    @property
    def kind(self) -> str: ...

    @property
    def dice(self) -> str: ...

    @property
    def value(self) -> int: ...


class Asked(NamedTuple):
    """A term as printed on the card."""

    kind: str
    dice: str
    value: int


Die = tuple[str, int]  # "B" or "R", and the number it shows


def read_condition(text: str) -> tuple[tuple[Asked, ...], ...]:
    """Read a condition in a normal form: order and counts before a die make no difference."""
    either = [
        tuple(sorted(term for part in way.split("&") for term in read_term(part.strip())))
        for way in text.split("|")
    ]
    return tuple(sorted(set(either)))


def read_term(text: str) -> list[Asked]:
    """One part of a condition; a count before a die is that many parts."""
    if text[0] in "=>":
        return [Asked("equal" if text[0] == "=" else "run", text[1:], 0)]
    if found := re.fullmatch(r"s([BRW])(\d+)\+", text):
        return [Asked("sum", found[1], int(found[2]))]
    found = re.fullmatch(r"(?:(\d)\*)?([BRW])(\d)(\+?)", text)
    assert found, text
    return [Asked("least" if found[4] else "exact", found[2], int(found[3]))] * int(found[1] or 1)


def is_fulfilled(condition: Sequence[Sequence[Term]], dice: tuple[Die, ...]) -> bool:
    """Does a roll fulfil a condition?"""
    return any(fulfil_all(terms, dice) for terms in condition)


def fulfil_all(terms: Sequence[Term], dice: tuple[Die, ...]) -> bool:
    """Take dice for the first term, then try the other terms with the remaining dice."""
    if not terms:
        return True
    usable = [die for die in dice if {"W", die[0]} & set(terms[0].dice)]
    sizes = range(1, len(usable) + 1) if terms[0].kind == "sum" else [len(terms[0].dice)]
    for size in sizes:
        for picked in set(combinations(usable, size)):
            if shows(terms[0], picked) and fulfil_all(terms[1:], without(dice, picked)):
                return True
    return False


def without(dice: tuple[Die, ...], picked: tuple[Die, ...]) -> tuple[Die, ...]:
    left = list(dice)
    for die in picked:
        left.remove(die)
    return tuple(left)


def shows(term: Term, picked: tuple[Die, ...]) -> bool:
    """Do exactly these dice, in some order, show what one term asks for?"""
    if term.kind == "sum":
        return (
            all(term.dice in ("W", colour) for colour, _ in picked)
            and sum(face for _, face in picked) >= term.value
        )
    # order makes no difference, but a run is read from low to high
    if len(set(term.dice)) == 1:
        return shows_in_order(term, tuple(sorted(picked, key=lambda die: die[1])))
    return any(shows_in_order(term, row) for row in permutations(picked))


def shows_in_order(term: Term, row: tuple[Die, ...]) -> bool:
    """The same for dice laid down in the order of the letters."""
    if any(letter not in ("W", colour) for letter, (colour, _) in zip(term.dice, row, strict=True)):
        return False
    faces = [face for _, face in row]
    if term.kind == "exact":
        return all(face == term.value for face in faces)
    if term.kind == "least":
        return all(face >= term.value for face in faces)
    if term.kind == "equal":
        return len(set(faces)) == 1
    return all(high == low + 1 for low, high in pairwise(faces))
