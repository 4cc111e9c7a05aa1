"""Drawings fit a common terminal and show what the view says."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace

import pytest

from climb_table import Table
from foxclover.cli import screen
from foxclover.cli.reading import shown_text
from foxclover.core.display import GREEN, TextGrid, coloured
from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.locale import LANGUAGES, catalogue

WIDTH, HEIGHT = 80, 24
NAMES = ["Ada Lovelace", "Bo", "Cy", "Di", "Eve", "Fox", "Gus", "Hal"]


def positions(key: str, players: int = 2) -> list[Position]:
    """Positions of a random game in which a player must decide."""
    position, dice, chooser = game(key).start(players), seeded(5), random.Random(5)
    shown = []
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            shown.append(position.copy())
            position.push(chooser.choice(position.legal_moves(position.acting[0])))
    return shown[::7]


def longest(key: str, players: int) -> list[Position]:
    """Moments of a random game with the most legal moves."""
    return sorted(
        positions(key, players), key=lambda position: -len(position.legal_moves(position.acting[0]))
    )[:12]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("key", "players"), [(key, players) for key in game_names() for players in game(key).players]
)
def test_dice_sheet_and_all_moves_fit_on_a_screen_of_80_by_24(
    key: str, players: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        screen, "shutil", SimpleNamespace(get_terminal_size=lambda _: (WIDTH, HEIGHT))
    )
    translate = catalogue(language)
    for position in longest(key, players):
        seat = position.acting[0]
        moves = position.legal_moves(seat)
        canvas = screen.draw_decision(position, NAMES[:players], seat, moves, translate)
        assert canvas.width <= WIDTH
        assert canvas.height < HEIGHT  # the answer is typed on the last line
        asked = [line.strip() for line in canvas.text(coloured=False).splitlines()].index(
            position.prompt(seat, translate)
        )
        listed = "\n".join(canvas.text(coloured=True).splitlines()[asked + 1 :])
        numbers = re.findall(rf"\x1b\[{coloured(GREEN)}m *(\d+) ", listed)
        assert numbers == [str(number) for number in range(1, len(moves) + 1)]
        assert all(
            move.words(translate) in listed or shown_text(move, position, translate) in listed
            for move in moves
        )


def test_moves_are_listed_by_die(monkeypatch: pytest.MonkeyPatch) -> None:
    position = game("ganz").start()
    position.push_text("y3b2g4o1p6w5", CHANCE)
    drawn = screen.draw_decision(
        position, ["Ada"], 0, position.legal_moves(0), catalogue("de")
    ).text(coloured=False)
    heads = [
        line.split()[:2] for line in drawn.splitlines()[-9:] if re.match(r" ?[a-z]{1,2} \d ", line)
    ]
    assert heads == [["ge", "3"], ["b", "2"], ["gr", "4"], ["o", "1"], ["l", "6"], ["w", "5"]]


def test_columns_of_the_others_have_heads() -> None:
    position = game("doppelt").start(2)
    drawn = (
        screen.draw_others(position, ["Ada", "Bo"], 0, catalogue("nl"))
        .text(coloured=False)
        .splitlines()
    )
    assert drawn[0].split() == [
        "Σ",
        "zilver",
        "geel",
        "blauw",
        "groen",
        "roze",
        "♦",
        "↻",
        "↩",
        "+1",
    ]
    assert drawn[1].split() == ["Bo", *"0000000100"]


def test_every_legal_place_is_marked() -> None:
    translate = catalogue("en")
    for position in positions("ganz"):
        seat = position.acting[0]
        moves = position.legal_moves(seat)
        places = {
            (shown["area"], shown["cell"])
            for move in moves
            if (shown := move.view(translate))["cell"] >= 0
        }
        assert screen.draw_player(position, seat, moves, translate).text(coloured=False).count(
            "›"
        ) == len(places)


def test_colours_change_nothing_but_colours() -> None:
    position = positions("doppelt")[3]
    canvas = screen.draw_player(position, 0, [], catalogue("en"))
    stripped = [
        line.rstrip()
        for line in re.sub(r"\x1b\[[0-9;]*m", "", canvas.text(coloured=True)).splitlines()
    ]
    assert stripped == canvas.text(coloured=False).splitlines()


def test_a_canvas_grows_and_keeps_what_was_written() -> None:
    canvas, small = TextGrid(), TextGrid()
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


def test_the_lucky_fairy_has_a_sign() -> None:
    translate = catalogue("en")
    position = game("geht").start(3, start_player=1)
    assert "✦" not in screen.draw_player(position, 0, [], translate).text(coloured=False)
    assert "in ✦" in screen.draw_player(position, 1, [], translate).text(coloured=False)
    others = position.game.drawing.draw_summaries(
        position.game.definition, position.state, {1: "Bo", 2: "Cy"}, translate
    )
    assert [
        line[:2] for line in others.text(coloured=False).splitlines() if line.endswith("✦")
    ] == ["Bo"]
    assert "✦" not in str(game("geht").start())
