"""The computer players of the Clever games, and the layout of their nets' inputs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from foxclover.ai.families import NetGraph, Node, PuzzleSettings, ReviewSettings, Strength
from foxclover.ai.nets import NetError
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
from foxclover.games.clever.area_kind import Area
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.state import (
    ACTION,
    AREAS,
    BONUSES,
    CELLS,
    GRID,
    PLACED,
    VALUES,
    Sheet,
)
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.kernel import Instance

if TYPE_CHECKING:
    from foxclover.ai.nets import Net as Arrays

__all__ = [
    "COARSE",
    "INPUTS",
    "PUZZLES",
    "REVIEW",
    "STEPS",
    "STRENGTHS",
    "Workspace",
    "equip",
    "feature_layout_of",
    "graph",
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
PUZZLES = PuzzleSettings(margin=4.0, span=12.0, tries=160, games=480)
COARSE = ("rows",)
STEPS = {"rows": 2.0**-16, "first": 2.0**-16, "scalars": 2.0**-11}
"""Units of the weights of the first hidden layer.

As scalars are multiples of 1/32, single floats hold its sums exactly.
"""


class Slot(NamedTuple):
    """An input slot: its name, and the number of its codes, 1 for a slot that is not used."""

    name: str
    codes: int


@cache
def feature_layout_of(game: Game) -> FeatureLayout:
    """Return the input layout of a game's net."""
    return make_feature_layout(cast(CleverDefinition, game.definition))


def make_feature_layout(definition: CleverDefinition) -> FeatureLayout:
    """Derive the input layout of a sheet; raises ``NetError`` if it is too large."""
    layout, slots = FeatureLayout(), _slots(definition)
    base = list(accumulate((slot.codes - 1 for slot in slots), initial=-1))  # code 0 has no row
    layout.slots, layout.rows = len(slots), base.pop() + 1
    if layout.slots > SLOTS or layout.rows > ROWS:
        raise NetError(
            f"the sheet has {layout.slots} inputs with {layout.rows} states, "
            f"more than the {SLOTS} and {ROWS} a net can take"
        )
    layout.base[: layout.slots] = base
    layout.shows_points = [int(_shows_points(area)) for area in definition.areas]
    layout.shows_last = [int(_shows_last(area)) for area in definition.areas]
    layout.cell_slots = [[-1] * PATTERNS_PER_CELL for _ in layout.cell_slots]
    for slot, (area, cells) in enumerate(_patterns(definition), network.PATTERNS):
        for digit, cell in enumerate(cells):
            at = area.index * CELLS + cell
            free = layout.cell_slots[at].index(-1)
            layout.cell_slots[at][free] = slot
            layout.cell_weights[at][free] = _marks(area) ** digit
    return layout


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
    definition = cast(CleverDefinition, game.definition)
    bounds = [area.point_bounds for area in definition.areas]
    lowest = min(low for low, _ in bounds), min(high for _, high in bounds)
    scalars = {
        **{f"{area.name} points": area.point_bounds for area in definition.areas},
        "lowest points": lowest,
        "lowest points times foxes": (
            min(0, lowest[0]) * definition.foxes,
            lowest[1] * definition.foxes,
        ),
    }
    unit = round(network.UNIT)
    return [
        *(Feature(slot.name, 0, slot.codes - 1) for slot in _slots(definition)),
        *(
            Feature(f"{name} / {unit}", low // unit, -(-high // unit))
            for name, (low, high) in scalars.items()
        ),
    ]


GRAPH = (
    Node("Slice", ("inputs", "zero", "slots", "axis"), "codes as floats"),
    Node("Cast", ("codes as floats",), "codes", {"to": 7}),  # int64
    Node("Add", ("codes", "offsets"), "active"),
    Node("Gather", ("rows", "active"), "active rows"),
    Node("ReduceSum", ("active rows", "axis"), "sum of rows", {"keepdims": 0}),
    Node("Slice", ("inputs", "slots", "end", "axis"), "scalar inputs"),
    Node("MatMul", ("scalar inputs", "scalars"), "sum of scalars"),
    Node("Add", ("sum of rows", "sum of scalars"), "sums"),
    Node("Add", ("sums", "first"), "biased sums"),
    Node("Relu", ("biased sums",), "first layer"),
    Node("Gemm", ("first layer", "weights", "second"), "sums of the second layer"),
    Node("Relu", ("sums of the second layer",), "second layer"),
    Node("MatMul", ("second layer", "out"), "weighted"),
    Node("Add", ("weighted", "bias"), "output"),
    Node("Mul", ("output", "unit"), "points to come"),
    Node("MatMul", ("scalar inputs", "areas"), "points of areas"),
    Node("Add", ("points to come", "points of areas"), "column"),
    Node("Squeeze", ("column", "axis"), "points"),
)
RATES = (
    "The final points that a player may expect right after their move, before the next roll. "
    "A position in which nothing can happen any more on the player's sheet is not for the net: "
    "count its points."
)
UNITS = (
    "All inputs but the last seven are codes: whole numbers, each with a row of weights of its "
    "own, and 0 without one. The last seven are points divided by 32. Codes of several things are "
    "numbered one after another: 6 × (players − 1) + round, 6 × (roll − 1) + dice, "
    "64 × (roll − 1) + the dice as bits, 24 × foxes + points, 7 × area + foxes, "
    "6 × entries + last number. Points count in steps of 3 from −12, gaps in steps of 4. "
    "A die has its face, plus 6 if it was chosen."
)
LEARNT = (
    "TD(0.8) on self-play with Adam, 82 % of the games solo. "
    "The net rates afterstates: positions after a move and all that follows without dice."
)


def graph(game: Game, net: Arrays) -> NetGraph:
    """Return the net as operations of ONNX: a row for each code of a slot, summed up."""
    import numpy as np

    from foxclover.games.clever.ai.rating import SCALE

    layout = feature_layout_of(game)
    codes = [slot.codes for slot in _slots(cast(CleverDefinition, game.definition))]
    table = np.zeros((sum(codes), FIRST), np.float32)  # the row of each slot's code 0 stays 0
    offsets = np.array([0, *accumulate(codes)][:-1])
    for slot, count in enumerate(codes):
        first = layout.base[slot] + 1
        table[offsets[slot] + 1 : offsets[slot] + count] = net["rows"][first : first + count - 1]
    areas = np.zeros((network.SCALARS, 1), np.float32)
    areas[:AREAS] = network.UNIT
    numbers = {"zero": 0, "slots": layout.slots, "end": layout.slots + network.SCALARS, "axis": 1}
    arrays = {
        **net,
        "rows": table,
        "offsets": offsets,
        "out": net["out"][:, None],
        "unit": np.array([SCALE], np.float32),
        "areas": areas,
        **{name: np.array([number]) for name, number in numbers.items()},
    }
    return NetGraph(arrays, GRAPH, RATES, UNITS, LEARNT, "docs/training.md")


def _slots(definition: CleverDefinition) -> list[Slot]:
    sheet = definition.tables
    slots = {
        network.TIME: Slot("players and round", 25),
        network.TURNS: Slot("active turns to come", 7),
        network.PASSIVES: Slot("passive turns to come", 13),
        network.ROLL_SLOT: Slot("next roll and number of dice", 19),
        network.HAND: Slot("next roll and dice", 192),
        network.FOXES: Slot("foxes", 7),
        network.LOW: Slot("foxes and points of the lowest area", 7 * network.LOW_CODES),
        network.LOWEST: Slot("foxes and which area is the lowest", 35),
        network.FOLLOWS: Slot("dice that may follow", 6),
    }
    for die, letter in enumerate(definition.letters):
        slots[network.DIE + die] = Slot(f"die {letter} where not rolled next", 13)
    for action, name in enumerate(ACTION_NAMES):
        codes = sheet.action_fields[action] + 1
        slots[network.BANKED + action] = Slot(f"{name} left", codes)
        slots[network.UNLOCKED + action] = Slot(f"{name} unlocked", codes)
    for bonus in range(BONUSES):
        exists = 0 < bonus < sheet.bonuses
        name = definition.bonus_names[bonus] if exists else f"unused {bonus}"
        locked = ACTION <= bonus < PLACED and sheet.action_fields[bonus - ACTION] == 0
        codes = 16 if exists and not locked else 1
        slots[network.WAYS + bonus] = Slot(f"ways to bonus {name}", codes)
        if bonus >= PLACED:
            slot = network.HEAPED + bonus - PLACED
            slots[slot] = Slot(f"bonus {name} to place", 4 if exists else 1)
    for index, area in enumerate(definition.areas):
        cells, name = len(area.cells), area.name
        points = network.POINTS_CODES if _shows_points(area) else 1
        last = (cells + 1) * VALUES if _shows_last(area) else 1
        slots[network.POINTS + index] = Slot(f"{name} points in steps", points)
        slots[network.COUNT + index] = Slot(f"{name} entries", cells * (1 + area.circles) + 1)
        slots[network.LAST + index] = Slot(f"{name} entries and last number", last)
        slots[network.GAP + index] = Slot(f"{name} above the lowest area", network.GAP_CODES)
    patterns = [
        Slot(
            f"{area.name} pattern {' '.join(area.cells[cell].name for cell in cells)}",
            _marks(area) ** len(cells),
        )
        for area, cells in _patterns(definition)
    ]
    return [slots[n] for n in range(network.PATTERNS)] + patterns


def _shows_points(area: Area) -> bool:
    """Return whether the points of an area are more than a function of its entries."""
    return area.scoring != "groups" or len(area.groups) > 1


def _shows_last(area: Area) -> bool:
    """Return whether the number entered last matters."""
    return area.order != "any" or area.scoring == "pairs"


def _marks(area: Area) -> int:
    """Return the number of states of a cell."""
    return 2 + area.circles


def _patterns(definition: CleverDefinition) -> Iterator[tuple[Area, tuple[int, ...]]]:
    for area in definition.areas:
        for cells in patterns(definition.tables, area.index):
            yield area, cells


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
