"""Rate skill by the points that decisions lose, on a scale of computer players.

Dice luck does not count: a loss compares the moves of one decision. docs/rating.md explains the
scale, and ``bench/skill.py`` measures its marks.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from foxclover.core.game import Game
from foxclover.core.registry import GAMES

LATEST = 20  # reviewed games that count
MARKS = "skill.toml"  # in a family's package


class Lost(NamedTuple):
    """The points that a player's decisions have lost in a game."""

    points: float
    decisions: int


class Skill(NamedTuple):
    """The mean loss of a decision and its standard error, which one game does not have."""

    loss: float
    error: float | None
    games: int


class Neighbours(NamedTuple):
    """The computer players around a loss, "" beyond the scale; both equal: it plays alike."""

    weaker: str
    stronger: str


def rate(games: Sequence[Lost], most: int = LATEST) -> Skill | None:
    """Return the skill that the last games show, the newest last."""
    latest = [game for game in games if game.decisions][-most:]
    if not latest:
        return None
    count, decisions = len(latest), sum(game.decisions for game in latest)
    loss = math.fsum(game.points for game in latest) / decisions
    if count == 1:
        return Skill(loss, None, count)
    # The error of a ratio: decisions of one game depend on each other, games do not.
    squares = math.fsum((game.points - loss * game.decisions) ** 2 for game in latest)
    return Skill(loss, math.sqrt(count / (count - 1) * squares) / decisions, count)


def curve(games: Sequence[Lost]) -> list[float]:
    """Return the skill after each game, the oldest first."""
    played = [game for game in games if game.decisions]
    found = (rate(played[:end]) for end in range(1, len(played) + 1))
    return [skill.loss for skill in found if skill]


def neighbours(skill: Skill, marks: Mapping[str, Skill]) -> Neighbours:
    """Return the computer players between which a skill is, the closest ones."""
    for name, mark in marks.items():
        if abs(mark.loss - skill.loss) <= (skill.error or 0.0):
            return Neighbours(name, name)
    weaker = {name: mark.loss for name, mark in marks.items() if mark.loss >= skill.loss}
    stronger = {name: mark.loss for name, mark in marks.items() if mark.loss < skill.loss}
    return Neighbours(
        min(weaker, key=weaker.__getitem__, default=""),
        max(stronger, key=stronger.__getitem__, default=""),
    )


@cache
def marks_of(game: Game, several: bool) -> Mapping[str, Skill]:
    """Return the skills of computer players, the weakest first; none if nobody has measured."""
    path = GAMES / game.family / MARKS
    if not path.exists():
        return {}
    measured = tomllib.loads(path.read_text("utf-8")).get(game.key, {})
    marks = measured.get("several" if several else "solo", {})
    return {name: Skill(*mark) for name, mark in marks.items()}
