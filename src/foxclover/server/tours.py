"""Scripted rounds that show a newcomer how to play a game.

A script lists moves in the notation, one a line. ``[name]`` begins a step: the player makes its
only move, and the text ``<family>.tour.<name>`` says which. The moves before the first step are
made beforehand.
"""

from __future__ import annotations

import re
from functools import cache

from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.locale import Translator, catalogue
from foxclover.server import games
from foxclover.server.errors import require
from foxclover.server.protocol.tables import Tour, TourStep

STEP = re.compile(r"\[(\w+)\]")


@cache
def tour(key: str, language: str) -> Tour:
    """Return the steps of a game's scripted round, or refuse a game without one."""
    game, translate = games.find(key), catalogue(language)
    require(script := games.tour_script(game), "not_found")
    position, steps = game.start(1), list[TourStep]()
    for line in script.splitlines():
        if found := STEP.fullmatch(line):
            steps.append(_step(position, f"{game.family}.tour.{found[1]}", translate))
            continue
        seat = CHANCE if position.chance_due else 0
        move = position.parse(line, seat)
        if steps and seat != CHANCE:
            steps[-1]["move"] = move.view(translate)
        position.push(move)
    return {"steps": steps}


def _step(position: Position, key: str, translate: Translator) -> TourStep:
    return {
        "words": translate(key),
        "view": position.view(),
        "move": None,
        "roll": position.chance_due,
        "score": position.score(0),
    }
