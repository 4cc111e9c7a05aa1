"""The computer players of the Clever games, and the layout of their nets' inputs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any, cast

from foxclover.ai.families import ReviewSettings, Strength
from foxclover.ai.net_file import NetError
from foxclover.core.contract import Feature
from foxclover.core.game import Game
from foxclover.games.clever.ai import network
from foxclover.games.clever.ai.network import (
    FIRST,
    PATTERNS_PER_CELL,
    ROWS,
    SLOTS,
    FeatureLayout,
    Net,
    Workspace,
)
from foxclover.games.clever.ai.network import VERSION as INPUTS
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.notation import MOST_POINTS
from foxclover.games.clever.rules.state import (
    ACTION,
    ACTIONS,
    ANY_ORDER,
    AREAS,
    BY_GROUP,
    BY_PAIR,
    CELLS,
    DICE,
    GRID,
    PLACED,
    VALUES,
    Sheet,
)
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.kernel import Instance

__all__ = [
    "COARSE",
    "INPUTS",
    "REVIEW",
    "STEPS",
    "STRENGTHS",
    "Workspace",
    "equip",
    "feature_layout_of",
    "name_inputs",
    "shapes",
]

SEARCHING = Strength(seconds=0.5, tries=400, prior=50.0, to_win=True)
STRENGTHS = {
    "easy": Strength(noise=9.0),
    "medium": Strength(noise=4.5),
    "net": Strength(),
    "search": SEARCHING,
    "strong": SEARCHING,
}
REVIEW = ReviewSettings(
    classes=(1.0, 4.0, 8.0),
    tries=80,
    dice_luck_used=((0.0, 0.93), (2.2, 0.93), (10.6, 0.21), (15.3, 0.0)),
)
COARSE = ("rows",)
STEPS = {"rows": 2.0**-16, "first": 2.0**-16, "scalars": 2.0**-11}
"""Units of the weights of the first hidden layer.

As scalars are multiples of 1/32, single floats hold its sums exactly.
"""


@cache
def feature_layout_of(game: Game) -> FeatureLayout:
    """Return the input layout of a game's net."""
    return make_feature_layout(cast(Sheet, game.definition.tables))


def shapes(game: Game) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the net's arrays for a game."""
    return {name: shape.lengths for name, shape in Net.shapes.items()} | {
        "rows": (feature_layout_of(game).rows, FIRST)
    }


def equip(instance: Instance, workspace: Any, game: Game) -> None:
    """Give a workspace the input layout of the net."""
    instance.set(workspace.feature_layout, feature_layout_of(game))


def name_inputs(game: Game) -> list[Feature]:
    """Name the codes of the slots, then the scalars."""
    definition, feature_layout = cast(CleverDefinition, game.definition), feature_layout_of(game)
    ends = [*feature_layout.base[1 : feature_layout.slots], feature_layout.rows - 1]
    names = _slots(definition) | dict(enumerate(_patterns(definition), network.PATTERNS))
    codes = [
        Feature(names[slot], 0, ends[slot] - feature_layout.base[slot])
        for slot in range(feature_layout.slots)
    ]
    most = round(MOST_POINTS / network.UNIT)
    scalars = [f"{area.name} points" for area in definition.areas] + [
        "lowest points",
        "lowest points times foxes",
    ]
    return codes + [Feature(f"{name} / {network.UNIT:.0f}", -most, most) for name in scalars]


def _slots(definition: CleverDefinition) -> dict[int, str]:
    names = {
        network.TIME: "players and round",
        network.TURNS: "active turns to come",
        network.PASSIVES: "passive turns to come",
        network.ROLL_SLOT: "next roll and number of dice",
        network.HAND: "next roll and dice",
        network.FOXES: "foxes",
        network.LOW: "foxes and points of the lowest area",
        network.LOWEST: "foxes and which area is the lowest",
        network.FOLLOWS: "dice that may follow",
    }
    names |= {
        network.DIE + die: f"die {letter} where not rolled next"
        for die, letter in enumerate(definition.letters)
    }
    for action in range(ACTIONS):
        names[network.BANKED + action] = f"{ACTION_NAMES[action]} left"
        names[network.UNLOCKED + action] = f"{ACTION_NAMES[action]} unlocked"
    for bonus in range(network.POINTS - network.WAYS):
        name = (
            definition.bonus_names[bonus]
            if 0 < bonus < definition.tables.bonuses
            else f"unused {bonus}"
        )
        names[network.WAYS + bonus] = f"ways to bonus {name}"
        if bonus >= PLACED:
            names[network.HEAPED + bonus - PLACED] = f"bonus {name} to place"
    for index, area in enumerate(definition.areas):
        names[network.POINTS + index] = f"{area.name} points in steps"
        names[network.COUNT + index] = f"{area.name} entries"
        names[network.LAST + index] = f"{area.name} entries and last number"
        names[network.GAP + index] = f"{area.name} above the lowest area"
    return names


def _patterns(definition: CleverDefinition) -> Iterator[str]:
    for area in definition.areas:
        for cells in patterns(definition.tables, area.index):
            yield f"{area.name} pattern {' '.join(area.cells[cell].name for cell in cells)}"


PATTERN_CELLS = 6  # longer lines are no pattern


def patterns(sheet: Sheet, area: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of cells of a grid that belong together: lines, groups, equal numbers."""
    if sheet.kind[area] != GRID:  # as ``network.collect`` has it
        return
    seen = set()
    whole = range(sheet.cells[area])
    sets = [
        [
            cell
            for cell in whole
            if line in (sheet.first_line[area][cell], sheet.second_line[area][cell])
        ]
        for line in range(1, 16)
    ]
    sets += [
        [cell for cell in whole if sheet.group[area][cell] == group]
        for group in set(sheet.group[area][: sheet.cells[area]])
    ]
    sets += [
        [cell for cell in sheet.showing[area * VALUES + value] if cell >= 0]
        for value in range(VALUES)
    ]
    for cells in map(tuple, sets):
        if 2 <= len(cells) <= PATTERN_CELLS and cells not in seen:
            seen.add(cells)
            yield cells


def make_feature_layout(sheet: Sheet) -> FeatureLayout:
    """Derive the input layout of a sheet; raises ``NetError`` if it is too large."""
    feature_layout = FeatureLayout()
    sizes = dict.fromkeys(range(network.PATTERNS), 1)
    sizes |= {
        network.TIME: 25,
        network.TURNS: 7,
        network.PASSIVES: 13,
        network.ROLL_SLOT: 19,
        network.HAND: 192,
    }
    sizes |= {
        network.FOXES: 7,
        network.LOW: 7 * network.LOW_CODES,
        network.LOWEST: 35,
        network.FOLLOWS: 6,
    }
    sizes |= {network.DIE + die: 13 for die in range(DICE)}
    for action in range(ACTIONS):
        sizes[network.BANKED + action] = sizes[network.UNLOCKED + action] = (
            sheet.action_fields[action] + 1
        )
    for bonus in range(1, sheet.bonuses):
        used = bonus < ACTION or bonus >= PLACED or sheet.action_fields[bonus - ACTION] > 0
        sizes[network.WAYS + bonus] = 16 if used else 1
        if bonus >= PLACED:
            sizes[network.HEAPED + bonus - PLACED] = 4
    for slots in feature_layout.cell_slots:
        slots[:] = [-1] * PATTERNS_PER_CELL
    for area in range(AREAS):
        groups = {sheet.group[area][cell] for cell in range(sheet.cells[area])}
        feature_layout.shows_points[area] = int(sheet.scoring[area] != BY_GROUP or len(groups) > 1)
        feature_layout.shows_last[area] = int(
            sheet.order[area] != ANY_ORDER or sheet.scoring[area] == BY_PAIR
        )
        sizes[network.COUNT + area] = sheet.cells[area] * (1 + sheet.circles[area]) + 1
        sizes[network.POINTS + area] = (
            network.POINTS_CODES if feature_layout.shows_points[area] else 1
        )
        sizes[network.LAST + area] = (
            (sheet.cells[area] + 1) * VALUES if feature_layout.shows_last[area] else 1
        )
        sizes[network.GAP + area] = network.GAP_CODES
        _add_patterns(sheet, area, feature_layout, sizes)
    feature_layout.slots = len(sizes)
    base = list(
        accumulate((sizes[slot] - 1 for slot in range(feature_layout.slots)), initial=-1)
    )  # code 0 has no row
    feature_layout.rows = base.pop() + 1
    if feature_layout.slots > SLOTS or feature_layout.rows > ROWS:
        raise NetError(
            f"the sheet has {feature_layout.slots} inputs with {feature_layout.rows} states, "
            f"more than the {SLOTS} and {ROWS} a net can take"
        )
    feature_layout.base[: feature_layout.slots] = base
    return feature_layout


def _add_patterns(
    sheet: Sheet, area: int, feature_layout: FeatureLayout, sizes: dict[int, int]
) -> None:
    states = 2 + sheet.circles[area]
    for cells in patterns(sheet, area):
        slot = len(sizes)
        for digit, cell in enumerate(cells):
            free = feature_layout.cell_slots[area * CELLS + cell].index(-1)
            feature_layout.cell_slots[area * CELLS + cell][free] = slot
            feature_layout.cell_weights[area * CELLS + cell][free] = states**digit
        sizes[slot] = states ** len(cells)
