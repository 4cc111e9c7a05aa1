"""Drawings fit a common terminal and show what the view says."""

from __future__ import annotations

import random

import pytest

from climb_table import Table
from foxclover.canvas import Canvas
from foxclover.chance import seeded
from foxclover.cli import screen
from foxclover.game import Position, game, games
from foxclover.locale import LANGUAGES, catalogue

WIDTH = 80


def positions(key: str) -> list[Position]:
    """Moments of a random game in which somebody is to decide."""
    position, dice, chooser = game(key).start(2), seeded(5), random.Random(5)
    shown = []
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            shown.append(position.copy())
            position.push(chooser.choice(position.legal_moves(position.acting[0])))
    return shown[::7]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", games())
def test_a_table_fits_into_a_common_terminal(key: str, language: str) -> None:
    say = catalogue(language)
    for position in positions(key):
        seat = position.acting[0]
        canvas = screen.draw_table(position, ["Ada", "Bo"], seat, position.legal_moves(seat), say)
        assert max(map(len, canvas.text(coloured=False).splitlines())) <= WIDTH


def test_every_legal_place_is_marked() -> None:
    say = catalogue("en")
    for position in positions("ganz"):
        seat = position.acting[0]
        moves = position.legal_moves(seat)
        places = {(shown["area"], shown["cell"]) for move in moves if (shown := move.view(say))["cell"] >= 0}
        assert screen.draw_player(position, seat, moves, say).text(coloured=False).count("›") == len(places)


def test_colours_change_nothing_but_colours() -> None:
    import re

    position = positions("doppelt")[3]
    canvas = screen.draw_player(position, 0, [], catalogue("en"))
    stripped = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", canvas.text(coloured=True)).splitlines()]
    assert stripped == canvas.text(coloured=False).splitlines()


def test_a_canvas_grows_and_keeps_what_was_written() -> None:
    canvas, small = Canvas(), Canvas()
    small.put(0, 0, "ab", "1")
    canvas.put(1, 3, "xyz")
    canvas.paste(small, 1, 4)
    assert canvas.text(coloured=False) == "\n   xab"
    assert canvas.text(coloured=True) == "\n   x\x1b[1mab\x1b[0m"
    assert (canvas.width, canvas.height) == (6, 2)


def test_a_card_offered_for_exchange_is_shown_once() -> None:
    table = Table()
    table.to_round(2)
    table.lay(0, {1: [1]}, {1: [25, 26], 2: [27]})
    table.do("take 2 luck", "turn in 27", "buy green")
    table.card(33)
    assert table.legal() == {"keep", "exchange"}
    drawn = screen.draw_player(table.position, 0, [], catalogue("en")).text(coloured=False)
    assert drawn.count(" g33 ") == 1
