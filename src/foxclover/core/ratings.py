"""Ratings of solo scores: the bands printed in a rulebook, and their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from foxclover.locale import Translator

GRADES = 11  # names that the catalogues have for ratings


class Rating(TypedDict):
    """A band of scores in the rulebook."""

    lowest: int | None  # score of the band; None for everything below all others
    grade: int  # number of its name, 0 for the best


class RatedScore(NamedTuple):
    """A solo score among the ratings."""

    step: int  # counted from the lowest rating; 0 below all of them
    steps: int
    missing: int  # points to the next rating; 0 for the best one


def grade_ratings(lowest: Sequence[int | None]) -> list[Rating]:
    """Return the ratings with these lowest scores, best first.

    The best and the last always have the same names.
    """
    last = max(1, len(lowest) - 1)
    return [
        {"lowest": score, "grade": round(index * (GRADES - 1) / last)}
        for index, score in enumerate(lowest)
    ]


def rate(ratings: Sequence[Rating], points: int) -> RatedScore:
    """Find the rating of a score."""
    above = [low for rating in ratings if (low := rating["lowest"]) is not None and low > points]
    return RatedScore(len(ratings) - len(above), len(ratings), above[-1] - points if above else 0)


def rating_words(ratings: Sequence[Rating], points: int, translate: Translator) -> list[str]:
    """Describe the rating of a score and the distance to the next one."""
    step, steps, missing = rate(ratings, points)
    lines = [
        translate("rating.level", step=step, steps=steps, grade=_name(ratings[-step], translate))
        if step
        else translate("rating.none")
    ]
    if missing:
        grade = _name(ratings[-step - 1], translate)
        lines.append(translate("rating.next", count=missing, grade=grade))
    return lines


def rating_lines(ratings: Sequence[Rating], points: int | None, translate: Translator) -> list[str]:
    """List all ratings, best first, with a mark at the rating of a score."""
    reached = None if points is None else len(ratings) - rate(ratings, points).step
    scores = [
        translate("rating.below", points=ratings[index - 1]["lowest"])
        if rating["lowest"] is None
        else translate("rating.from", points=rating["lowest"])
        for index, rating in enumerate(ratings)
    ]
    width = max(map(len, scores))
    return [
        f"{'▸' if index == reached else ' '} {score:>{width}}  {_name(rating, translate)}"
        for index, (score, rating) in enumerate(zip(scores, ratings, strict=True))
    ]


def _name(rating: Rating, translate: Translator) -> str:
    return translate(f"rating.grade.{rating['grade']}")
