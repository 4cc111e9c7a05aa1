"""Sheets at the edge of what the checker accepts.

Rules and computer players stay inside their tables, whatever the sheet says.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from foxclover.ai import nets
from foxclover.ai.families import family_of
from foxclover.ai.nets import NetError
from foxclover.core.game import Game
from foxclover.core.registry import read_head
from foxclover.games.clever.area_kind import MOST_PRINTED
from foxclover.games.clever.grid import ALIKE
from foxclover.games.clever.rules.state import (
    AREAS,
    BONUSES,
    FIELDS,
    PLACED,
    SEATS,
    TOP_FACE,
    VALUES,
)
from foxclover.games.clever.sheet_file import (
    ACTION_NAMES,
    FOXES,
    ROUNDS,
    read_sheet,
)
from foxclover.kernel.program import program
from foxclover.kernel.wasm import WasmKernel
from foxclover.simulation.workers import Runner
from kernels import build
from test_data_files import written

COLOURS = ["yellow", "blue", "green", "orange", "purple"]
BONUS_ENTRIES = ("row_bonus", "column_bonus", "bonus")
HEAD = {
    "family": "clever",
    "title": "Edge",
    "designer": "-",
    "year": 2026,
    "publisher": "-",
    "players": [1, SEATS],
}


@pytest.fixture(scope="module")
def kernel() -> WasmKernel:
    """The kernel that traps at every index outside its buffer."""
    return WasmKernel("clever", build(program("clever"), checking=True))


def edge_sheet(rng: random.Random) -> dict[str, Any]:
    """Return a sheet with the longest tracks, fullest grids, greatest numbers and most bonuses."""
    joined, followed = rng.sample(range(AREAS), 2)
    areas = [edge_area(rng, index, index == joined, index == followed) for index in range(AREAS)]
    given = [f"{area['name']} {rng.choice(gifts(area))}" for area in areas for _ in range(2)][
        : BONUSES - PLACED - 1
    ]
    foxes = ["fox"] * rng.choice([0, FOXES])
    pool = [*given, "black", *foxes, *rng.choices([*ACTION_NAMES, *given], k=30)]
    rng.shuffle(pool)
    for area in areas:
        for entry in BONUS_ENTRIES:
            area.update(
                {entry: [pool.pop() if pool and name else "" for name in area[entry]]}
                if entry in area
                else {}
            )
    rewards = [pool.pop() if pool else "" for _ in range(ROUNDS)]
    shown = Counter(rewards) + Counter(
        name
        for area in areas
        for entry in ("row_bonus", "column_bonus", "bonus")
        for name in area.get(entry, [])
    )
    return HEAD | {
        "dice": [*COLOURS, "white"],
        "joker": "white",
        "dice_are_optional": rng.random() < 0.5,
        "rounds": {"1": ROUNDS, "2": ROUNDS, "3": ROUNDS, "4": 4},
        "rewards": rewards,
        "rating": [10_000],
        "black": [f"{area['name']} {gifts(area)[-1]}" for area in areas],
        "colours": dict.fromkeys([*COLOURS, "white"], "#808080"),
        "actions": {name: {"fields": shown[name]} for name in ACTION_NAMES if shown[name]},
        "area": areas,
    }


def edge_area(rng: random.Random, index: int, joined: bool, followed: bool) -> dict[str, Any]:
    """The largest area of a kind; ``True`` in a list of bonuses marks a place to be filled."""
    area: dict[str, Any] = {"name": COLOURS[index]} | ({"adds_joker": True} if joined else {})
    numbers = range(2, VALUES) if joined else range(1, TOP_FACE + 1)
    if followed or rng.random() < 0.4:
        area |= {"kind": "grid", "circles": rng.random() < 0.5} | (
            {"follow_ups": True} if followed else {}
        )
        row = " ".join(map(str, numbers))
        if joined:
            return area | {"rows": [row], "row_bonus": [True], "points": rising(rng, len(numbers))}
        area |= {
            "rows": [row] * (2 if rng.random() < 0.3 else ALIKE),
            "column_bonus": [rng.random() < 0.4 for _ in numbers],
        }
        return area | (
            {"row_points": rising(rng, TOP_FACE)}
            if rng.random() < 0.7
            else {"column_points": [MOST_PRINTED] * TOP_FACE}
        )
    area |= {
        "kind": "track",
        "bonus": [rng.random() < 0.6 for _ in range(FIELDS)],
        "factor": [9] * FIELDS,
    }
    area["points"] = rng.choice(["sum", "pairs", rising(rng, FIELDS)])
    area["bonus_minimum"] = [rng.choice([0, numbers[-1]]) for _ in range(FIELDS)]
    area["order"] = rng.choice(["any", "falling"] if joined else ["any", "rising", "falling"])
    if area["order"] != "falling":
        area["minimum"] = [rng.choice([0, numbers[-1]]) for _ in range(FIELDS)]
    return area


def rising(rng: random.Random, count: int) -> list[int]:
    """Points for so many crosses."""
    return sorted(rng.choice([0, 1, MOST_PRINTED]) for _ in range(count))


def gifts(area: dict[str, Any]) -> list[str]:
    """What a bonus can give in an area."""
    if area["kind"] == "grid":
        return ["x", "?"]
    return [
        *("x" for _ in range(isinstance(area["points"], list))),
        "12" if "adds_joker" in area else "6",
        "?",
    ]


@pytest.mark.parametrize("number", range(16))
def test_players_stay_inside_their_tables_with_any_sheet(
    number: int, kernel: WasmKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(number)
    source = written(edge_sheet(rng))
    while read_sheet(
        source
    ).file.errors:  # more lines, groups or ways to place a bonus than the tables hold
        source = written(edge_sheet(rng))
    found = Game(read_head(source, "edge"), source)
    monkeypatch.setattr(nets, "open_kernel", lambda _: kernel)
    players = rng.randint(1, SEATS)
    assert Runner(found, ["random", "greedy", "random", "greedy"][:players])(
        number, 0, 20
    ).shape == (20, players)
    try:
        shapes = family_of(found).shapes(found)
    except NetError:  # too many inputs for a net: nobody can think about this sheet
        return
    numbers = np.random.default_rng(number)
    net = {name: numbers.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    assert Runner(found, ["net", "easy", "net", "easy"][:players], net=net)(number, 0, 2).shape == (
        2,
        players,
    )


def test_most_edge_sheets_are_accepted() -> None:
    rng = random.Random(1)
    accepted = sum(not read_sheet(written(edge_sheet(rng))).file.errors for _ in range(100))
    assert accepted >= 10
