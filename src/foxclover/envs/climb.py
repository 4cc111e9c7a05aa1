"""Names and bounds of what ``ai.climb.showing`` writes: the inputs of the nets of Geht noch was?."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log

from foxclover.ai.climb.inputs import LEAST_MISS
from foxclover.ai.climb.network import KNOWN_LUCK, KNOWN_PLAYERS
from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.state import CARDS, COPIES, FOURFOLD, LEVELS, SLOTS
from foxclover.contract import Feature
from foxclover.game import Game


def name_inputs(_: Game) -> Iterator[Feature]:
    """What the nets see of a tableau, in their order."""
    cells = [f"level {level + 1} {colour}" for level in range(LEVELS) for colour in COLOUR_NAMES]
    for cell in cells:
        yield Feature(f"{cell} cards", 0, SLOTS)
    for cell in cells:
        yield Feature(f"{cell} sum of chances", 0, SLOTS)
    for level in range(LEVELS):
        yield Feature(
            f"level {level + 1} logarithm of the chance of a miss",
            floor(2 * SLOTS * log(LEAST_MISS)),
            0,
        )
    for cell in cells:
        yield Feature(f"{cell} scored", 0, FOURFOLD * COPIES * CARDS)
    for luck in range(KNOWN_LUCK + 1):
        yield Feature(f"luck is {luck}" + (" or more" if luck == KNOWN_LUCK else ""), 0, 1)
    for players in range(1, KNOWN_PLAYERS + 1):
        yield Feature(
            f"players are {players}" + (" or more" if players == KNOWN_PLAYERS else ""), 0, 1
        )
    yield Feature("always 1", 0, 1)
