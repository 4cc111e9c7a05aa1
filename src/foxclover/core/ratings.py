"""How good a score alone is: the levels printed in a rulebook, and the words for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from foxclover.locale import Say

GRADES = 11  # names that the catalogues have for levels


class Level(TypedDict):
    """A level of the rating."""

    lowest: int | None  # score it begins with; None: whatever is below all others
    grade: int  # which name it has, 0 is the best


class Rating(NamedTuple):
    """How good a solo score is."""

    step: int  # the higher the better; 0: below all levels
    steps: int
    missing: int  # points to the next level; 0 on the best one


def grade_levels(lowest: Sequence[int | None]) -> list[Level]:
    """The levels that begin with these scores, the best first; the best and the last have always the same names."""
    last = max(1, len(lowest) - 1)
    return [
        {"lowest": score, "grade": round(index * (GRADES - 1) / last)}
        for index, score in enumerate(lowest)
    ]


def rate(levels: Sequence[Level], points: int) -> Rating:
    """The level of a score."""
    beyond = [
        level["lowest"]
        for level in levels
        if level["lowest"] is not None and level["lowest"] > points
    ]
    return Rating(len(levels) - len(beyond), len(levels), beyond[-1] - points if beyond else 0)


def rating_words(levels: Sequence[Level], points: int, say: Say) -> list[str]:
    """The level of a score and how far it is to the next one, as sentences."""
    step, steps, missing = rate(levels, points)
    lines = [
        say("rating.level", step=step, steps=steps, grade=_name(levels[-step], say))
        if step
        else say("rating.none")
    ]
    if missing:
        lines.append(say("rating.next", count=missing, grade=_name(levels[-step - 1], say)))
    return lines


def level_lines(levels: Sequence[Level], points: int | None, say: Say) -> list[str]:
    """All levels, the best first, with a mark at the one reached by a score."""
    reached = None if points is None else len(levels) - rate(levels, points).step
    scores = [
        say("rating.below", points=levels[index - 1]["lowest"])
        if level["lowest"] is None
        else say("rating.from", points=level["lowest"])
        for index, level in enumerate(levels)
    ]
    width = max(map(len, scores))
    return [
        f"{'▸' if index == reached else ' '} {score:>{width}}  {_name(level, say)}"
        for index, (score, level) in enumerate(zip(scores, levels, strict=True))
    ]


def _name(level: Level, say: Say) -> str:
    return say(f"rating.grade.{level['grade']}")
