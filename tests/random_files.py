"""Random sheets and decks.

Those of the package with other numbers, bonuses and choices.
"""

from __future__ import annotations

import copy
import json
import random
import tomllib
from typing import Any

from foxclover.core.data_file import DataError
from foxclover.core.game import Game
from foxclover.core.registry import game_entries, read_head

BONUS_LISTS = ("row_bonus", "column_bonus", "bonus")
ACTIONS = ("reroll", "return", "extra")  # which are counted


def as_toml(value: Any) -> str:
    """A value behind a key, on a single line."""
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{json.dumps(key)} = {as_toml(inner)}" for key, inner in value.items())
            + " }"
        )
    return f"[{', '.join(map(as_toml, value))}]" if isinstance(value, list) else json.dumps(value)


def as_game(data: dict[str, Any], name: str) -> Game | None:
    """The game of a file with these entries; None if it is refused."""
    source = "\n".join(
        f"{json.dumps(key)} = {as_toml(value)}" for key, value in data.items()
    ).encode()
    try:
        return Game(read_head(source, name), source, f"{name}.toml")
    except DataError:
        return None


def random_game(key: str, seed: int) -> Game:
    """A game like one of the package."""
    choice = random.Random(seed)
    data = tomllib.loads(game_entries()[key].file.read_text(encoding="utf-8")) | {"game": "random"}
    change = change_deck if data["family"] == "climb" else change_sheet
    while True:
        changed = change(copy.deepcopy(data), choice)
        found = as_game(changed, "random")
        if found is not None:
            return found


def change_sheet(data: dict[str, Any], choice: random.Random) -> dict[str, Any]:
    """Few kinds of bonuses in many places, so that several that fit one field are won together."""
    areas = {area["name"]: area for area in data["area"]}
    data["black"] = [
        f"{name} {choice.choice(gives(area))}"
        for name, area in areas.items()
        if choice.random() < 0.8
    ] or ["blue x"]
    area = choice.choice(data["black"]).partition(" ")[0]
    few = [
        "black",
        *(f"{area} {given}" for given in gives(areas[area])),
        choice.choice(data["black"]),
    ]
    for area in areas.values():
        for entry in BONUS_LISTS:
            if entry in area:
                area[entry] = [
                    bonus if bonus in ACTIONS or choice.random() < 0.2 else choice.choice(few)
                    for bonus in area[entry]
                ]
    return data


def gives(area: dict[str, Any]) -> list[str]:
    """What a bonus may give in an area."""
    if area["kind"] == "grid":
        return ["x", "?"]
    return ["?", "6", "3"] if area["points"] in ("sum", "pairs") else ["x", "?", "6"]


def change_deck(data: dict[str, Any], choice: random.Random) -> dict[str, Any]:
    """Other bonuses of the rounds, other factors."""
    bonuses = [
        {"luck": luck} | ({"card": card} if card else {})
        for luck in (0, 1, 2)
        for card in ("", "green", "yellow", "red")
    ]
    data["bonus"] = [choice.choices(bonuses, k=choice.randint(1, 2)) for _ in data["bonus"]]
    data["strip"]["star"] = sorted(choice.randint(1, 9) for _ in range(5))
    return data
