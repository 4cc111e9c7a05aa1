"""A slow evaluator of conditions that is easy to check by eye: pick dice up, look whether they show what the card asks for."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

from foxclover.climb.conditions import Condition, Term

Die = tuple[str, int]  # "B" or "R", and the number it shows


def is_fulfilled(condition: Condition, dice: tuple[Die, ...]) -> bool:
    """Does a roll fulfil a condition?"""
    return any(fulfil_all(terms, dice) for terms in condition)


def fulfil_all(terms: tuple[Term, ...], dice: tuple[Die, ...]) -> bool:
    """Pick dice up for the first term, then try the other terms with the dice that are left on the table."""
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
        return all(term.dice in ("W", colour) for colour, _ in picked) and sum(face for _, face in picked) >= term.value
    if len(set(term.dice)) == 1:  # the order makes no difference, except that a run is looked at from low to high
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
