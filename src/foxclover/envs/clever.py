"""Names and bounds of what ``ai.clever.showing`` writes: the inputs of a Clever game's net."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from foxclover.ai.clever import inputs
from foxclover.ai.clever.plan import patterns
from foxclover.ai.clever.players import plan_of
from foxclover.clever.features import MOST_POINTS
from foxclover.clever.sheet_file import ACTION_NAMES
from foxclover.clever.state import ACTIONS, GRID, PLACED
from foxclover.clever.tables import CleverBook
from foxclover.contract import Feature
from foxclover.game import Game


def name_inputs(game: Game) -> list[Feature]:
    """The codes of the slots, then the scalars."""
    book, plan = cast(CleverBook, game.book), plan_of(game)
    ends = [*plan.base[1 : plan.slots], plan.rows - 1]
    names = _slots(book) | dict(enumerate(_patterns(book), inputs.PATTERNS))
    codes = [Feature(names[slot], 0, ends[slot] - plan.base[slot]) for slot in range(plan.slots)]
    most = round(MOST_POINTS / inputs.UNIT)
    scalars = [f"{area.name} points" for area in book.areas] + [
        "lowest points",
        "lowest points times foxes",
    ]
    return codes + [Feature(f"{name} / {inputs.UNIT:.0f}", -most, most) for name in scalars]


def _slots(book: CleverBook) -> dict[int, str]:
    names = {
        inputs.TIME: "players and round",
        inputs.TURNS: "active turns to come",
        inputs.PASSIVES: "passive turns to come",
        inputs.ROLL_SLOT: "next roll and number of dice",
        inputs.HAND: "next roll and dice",
        inputs.FOXES: "foxes",
        inputs.LOW: "foxes and points of the lowest area",
        inputs.LOWEST: "foxes and which area is the lowest",
        inputs.FOLLOWS: "dice that may follow",
    }
    names |= {
        inputs.DIE + die: f"die {letter} where not rolled next"
        for die, letter in enumerate(book.letters)
    }
    for action in range(ACTIONS):
        names[inputs.BANKED + action] = f"{ACTION_NAMES[action]} left"
        names[inputs.UNLOCKED + action] = f"{ACTION_NAMES[action]} unlocked"
    for bonus in range(inputs.POINTS - inputs.WAYS):
        name = book.bonus_name(bonus) if 0 < bonus < book.tables.bonuses else f"unused {bonus}"
        names[inputs.WAYS + bonus] = f"ways to bonus {name}"
        if bonus >= PLACED:
            names[inputs.HEAPED + bonus - PLACED] = f"bonus {name} to place"
    for index, area in enumerate(book.areas):
        names[inputs.POINTS + index] = f"{area.name} points in steps"
        names[inputs.COUNT + index] = f"{area.name} entries"
        names[inputs.LAST + index] = f"{area.name} entries and last number"
        names[inputs.GAP + index] = f"{area.name} above the lowest area"
    return names


def _patterns(book: CleverBook) -> Iterator[str]:
    for index, area in enumerate(book.areas):
        if book.tables.kind[index] == GRID:
            for cells in patterns(book.tables, index):
                yield f"{area.name} pattern {' '.join(str(area.cells[cell].name or cell + 1) for cell in cells)}"
