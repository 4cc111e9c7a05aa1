"""Previews: what a move would do."""

import random
from pathlib import Path

import pytest

from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE

GOLDEN = Path(__file__).parent / "golden" / "ganz-schoen-clever-1.txt"


@pytest.mark.parametrize("key", game_names())
def test_a_preview_contains_the_points_of_the_move_and_of_what_it_forces(key: str) -> None:
    chooser, seen = random.Random(5), 0
    for seed in range(3):
        position, rng = game(key).start(2), [seed, 2, 3, 4]
        while not position.over:
            if position.chance_due:
                position.push_unchecked(position.draw(rng))
                continue
            seat = chooser.choice(position.acting)
            move = chooser.choice(position.legal_moves(seat))
            shown, before = move.preview(), position.score(seat)
            position.push(move)
            follow_forced_bonuses(position, seat)
            assert (shown["id"], shown["points"]) == (move.number, position.score(seat) - before)
            seen += shown["points"] > 0
    assert seen > 20


def follow_forced_bonuses(position: Position, seat: int) -> None:
    while len(moves := position.legal_moves(seat)) == 1 and moves[0].text.startswith("+"):
        position.push(moves[0])


def ganz_before(move: str, occurrence: int = 0) -> Position:
    """The golden game up to a move of its player."""
    position = game("ganz-schoen-clever").start(1)
    lines = [
        line.split(": ")
        for line in GOLDEN.read_text(encoding="utf-8").splitlines()
        if line.startswith(("1: ", "chance: "))
    ]
    for who, text in lines:
        if text == move:
            occurrence -= 1
            if occurrence < 0:
                return position
        position.push_text(text, CHANCE if who == "chance" else 0)
    raise AssertionError(f"{move} is not in the golden game")


def test_a_preview_names_the_field_and_the_dice_that_go_to_the_platter() -> None:
    shown = ganz_before("w>y4c").parse("w>y4c", 0).preview()
    yellow = game("ganz-schoen-clever").layout()["areas"][0]
    assert [
        (cell["area"], yellow["cells"][cell["cell"]]["name"], cell["mark"])
        for cell in shown["cells"]
    ] == [(0, "4c", 2)]
    assert shown["platter"] == [2, 4]  # green 3 and purple 1 are lower than white 4
    assert shown["bonuses"] == []


def test_a_preview_follows_a_bonus_that_has_one_place_only() -> None:
    shown = ganz_before("w>y1b").parse("w>y1b", 0).preview()
    assert shown["bonuses"][0] == "orange 4"
    assert {(cell["area"], cell["value"]) for cell in shown["cells"]} >= {(0, 0), (3, 4)}
    assert shown["points"] >= 4
