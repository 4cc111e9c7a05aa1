"""Damaged sheets and decks are refused with a message naming a line, or are playable."""

from __future__ import annotations

import copy
import random
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foxclover.core.data_file import DataError, DataFile
from foxclover.core.data_file import Path as Entry
from foxclover.core.game import Game, game_names
from foxclover.core.registry import game_entries, read_head
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded

WORDS = [
    "",
    "x",
    "-",
    "yellow",
    "yellow x",
    "yellow z",
    "blue ?",
    "green 3",
    "orange 99",
    "purple 6",
    "silver ?",
    "fox",
    "black",
    "reroll",
]
WORDS += [
    "grid",
    "track",
    "trak",
    "sum",
    "pairs",
    "summ",
    "rising",
    "falling",
    "1 2 3",
    "3 6 5 x",
    "#00ff00",
    "W6",
    ">BBB",
    "red",
    "y",
]
DAMAGES = st.one_of(
    st.integers(-2, 13),
    st.sampled_from(WORDS),
    st.booleans(),
    st.just([]),
    st.just({}),
    st.just([1]),
    st.floats(0, 1),
    st.integers(10**6, 10**20),
)


def paths(value: Any, path: Entry = ()) -> Iterator[Entry]:
    """Every entry of a data file."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def as_toml(value: Any) -> str:
    """A value behind a key, on a single line."""
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f'"{key}" = {as_toml(inner)}' for key, inner in value.items()) + " }"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower()


def written(data: dict[str, Any]) -> bytes:
    """A data file with a line for each entry of its top."""
    return "\n".join(f'"{key}" = {as_toml(value)}' for key, value in data.items()).encode()


def damaged(data: dict[str, Any], draw: st.DrawFn) -> dict[str, Any]:
    """Some entries removed, replaced, doubled or moved."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(paths(data))))
        inside: Any = data
        for key in path[:-1]:
            inside = inside[key]
        how = draw(st.sampled_from(["remove", "replace", "replace", "copy", "add"]))
        if how == "remove":
            del inside[path[-1]]
        elif how == "replace":
            inside[path[-1]] = copy.deepcopy(draw(DAMAGES))
        elif how == "copy":
            other: Any = data
            for key in draw(st.sampled_from(list(paths(data)))):
                other = other[key]
            inside[path[-1]] = copy.deepcopy(other)
        elif isinstance(inside, list):
            inside.insert(path[-1], copy.deepcopy(draw(DAMAGES)))
        else:
            inside[draw(st.sampled_from(WORDS))] = copy.deepcopy(draw(DAMAGES))
        if not data:
            return {"family": 0}
    return data


def play(found: Game, seed: int) -> None:
    """A random game to its end, with everything drawn and described on the way."""
    choice, dice = random.Random(seed), seeded(seed)
    position = found.start(choice.choice(found.players))
    for _ in range(5000):
        if position.over:
            break
        seat = choice.choice(sorted(position.to_act))
        moves = [dice.draw(position)] if seat == CHANCE else list(position.legal_moves(seat))
        assert moves, "a seat is to act and cannot"
        position.push(choice.choice(moves))
    assert position.over
    assert str(position)
    assert found.layout()


@pytest.mark.parametrize("key", game_names())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_file_is_refused_with_its_lines_or_played_to_the_end(
    key: str, data: st.DataObject
) -> None:
    source = written(
        damaged(tomllib.loads(game_entries()[key].file.read_text(encoding="utf-8")), data.draw)
    )
    found = opened(source)
    if found is not None:
        play(found, data.draw(st.integers(0, 99)))


@settings(max_examples=200, deadline=None)
@given(cut=st.integers(0, 10_000), key=st.sampled_from(game_names()), junk=st.binary(max_size=6))
def test_a_torn_file_is_refused_with_its_line(cut: int, key: str, junk: bytes) -> None:
    whole = game_entries()[key].file.read_bytes()
    opened(whole[: cut % len(whole)] + junk + whole[cut % len(whole) + len(junk) :])


def opened(source: bytes) -> Game | None:
    """The game that a file describes; None: it was refused as it should be."""
    try:
        return Game(read_head(source, "mine"), source)
    except DataError as error:
        refused = error
    assert refused.findings
    assert all(
        re.match(r"[\w-]+: line [1-9]\d*[:,]", line) for line in str(refused).splitlines()
    ), str(refused)
    return None


@pytest.mark.parametrize(
    "source", [b"a = " + b"[" * 5000 + b"]" * 5000, b"a = " + b"9" * 5000, b"\xff", b"a = 1\na = 2"]
)
def test_what_toml_itself_refuses_is_a_finding(source: bytes) -> None:
    assert [str(finding).startswith("line ") for finding in DataFile(source).errors] == [True]


def test_every_entry_knows_its_place() -> None:
    text = "\n".join(
        [
            'a."b.c".d = """two',
            'lines ]""" # not [here]',
            "[[list]]",
            "day = 1979-05-27 07:32:00",
            "[list.inner]",
            "z = [ 1, [2, { q = 3 }],",
            "  'x'] # more",
            "[[list]]",
            "\"x y\" = { u = -1.5e3, v = '' }",
        ]
    )
    file = DataFile(text.encode())
    assert not file.errors
    locations = {path: file.location(path) for path in paths(dict(file.data))}
    assert locations[("a", "b.c", "d")] == (1, 13)
    assert locations[("list", 0, "day")] == (4, 7)
    assert locations[("list", 0, "inner", "z", 1, 1, "q")] == (6, 20)
    assert locations[("list", 0, "inner", "z", 2)] == (7, 3)
    assert locations[("list", 1, "x y", "v")] == (9, 27)
    assert file.location(("list", 1, "none")) == (8, 0)
    assert file.location(("none",)) == (1, 0)
