"""Pictures of positions: well-formed, inside their frame, and showing what is on the table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from foxclover import Position, UnknownSeat, game, game_names, read_position, seeded
from foxclover.core.game import Game
from foxclover.core.svg import PIPS, SHAPES
from foxclover.games import clever, climb
from foxclover.locale import catalogue
from random_files import random_game

SVG = "{http://www.w3.org/2000/svg}"
CROSSES = 'stroke="#1f2f66" stroke-width="3"'  # of fields


def play(chosen: Game, players: int, seed: int = 2) -> Iterator[Position]:
    position, dice, choice = chosen.start(players), seeded(seed), random.Random(seed)
    while True:
        yield position
        if position.is_over:
            return
        if position.chance_due:
            position.roll(dice)
        else:
            position.push(choice.choice(position.legal_moves(choice.choice(position.acting))))


def check_frame(svg: str) -> None:
    """Every box and text is inside the picture."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for box in root.findall(f"{SVG}rect"):
        x, y, wide, high = (float(box.get(name, 0)) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + wide <= width + 0.1, ElementTree.tostring(box)
        assert y + high <= height + 0.1, ElementTree.tostring(box)
        assert wide > 0
        assert high > 0
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height
        assert float(text.attrib["font-size"]) > 5


@pytest.mark.parametrize("key", game_names())
def test_pictures_of_a_whole_game_stay_inside_their_frame(key: str) -> None:
    for number, position in enumerate(play(game(key), 2)):
        if number % 9 == 0 or position.is_over:
            for seat in range(2):
                check_frame(position.svg(seat))


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("seed", range(3))
def test_custom_sheets_and_decks_are_drawn(key: str, seed: int) -> None:
    for number, position in enumerate(play(random_game(key, seed), 1)):
        if number % 20 == 0 or position.is_over:
            check_frame(position.svg(0))


@pytest.mark.parametrize("key", ["ganz-schoen-clever", "doppelt-so-clever"])
def test_every_cross_of_a_sheet_is_drawn(key: str) -> None:
    for number, position in enumerate(play(game(key), 1)):
        if number % 20:
            continue
        areas = clever.Board(position).sheets[0].areas.values()
        crossed = sum(
            field.is_crossed
            for area in areas
            for field in area.fields
            if area.kind == "grid" or field.minimum or not field.written
        )
        assert position.svg(0).count(CROSSES) == crossed


def test_every_card_of_a_tableau_is_drawn() -> None:
    for number, position in enumerate(play(game("geht"), 2)):
        if number % 20:
            continue
        mine = climb.Board(position).tableaus[1]
        svg = position.svg(1)
        for active in mine.active:
            assert f">{active.card.name}</text>" in svg
        assert f">Σ {mine.total}</text>" in svg


def test_a_picture_contains_its_position_and_title() -> None:
    position = game("ganz").start(2)
    position.roll(seeded(1))
    root = ElementTree.fromstring(position.svg(1, catalogue("de")))
    assert root.attrib["aria-label"] == "Ganz schön clever · Runde 1 von 6 · Spieler 2"
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert description.text is not None
    assert read_position(description.text) == position


def test_a_notebook_shows_the_player_to_act() -> None:
    position = game("ganz").start(3, start_player=2)
    position.roll(seeded(1))
    assert position._repr_svg_() == position.svg(2)
    with pytest.raises(UnknownSeat):
        position.svg(3)


def test_pips_and_signs_are_those_of_the_page() -> None:
    page = (Path(__file__).parents[1] / "web" / "src" / "art" / "pips.tsx").read_text("utf-8")
    assert [len(places) for places in PIPS] == list(range(7))
    for colour in SHAPES:
        assert f"  {colour}: " in page
