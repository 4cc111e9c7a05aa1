"""What the library hands out for a screen is the caller's: changing it changes nothing else."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable

import pytest

from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.locale import catalogue

SAY = catalogue("en")


def spoil(value: object) -> None:
    """Change everything that can be changed, down to the innermost list."""
    if isinstance(value, dict):
        for inner in value.values():
            spoil(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            spoil(inner)
        value.append("spoilt")


def handed_out(position: Position) -> list[Callable[[], object]]:
    """All that a position gives for a screen."""
    found: list[Callable[[], object]] = [position.view, position.places, position.game.layout]
    for seat in range(position.players):
        found += [
            lambda seat=seat: position.breakdown(seat),
            lambda seat=seat: position.reasons(seat, SAY),
        ]
        moves = position.legal_moves(seat)
        found.append(lambda moves=moves: list(moves.views(SAY)))
        if moves:
            found += [lambda move=moves[0]: move.view(SAY), moves[0].preview]
    return found


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("players", [1, 3])
def test_changing_what_was_handed_out_changes_nothing_else(key: str, players: int) -> None:
    position = game(key).start(players)
    dice, choice = seeded(4), random.Random(4)
    while not position.over:
        for give in handed_out(position) if len(position.moves_made) % 5 == 0 else ():
            given = give()
            expected = copy.deepcopy(given)
            spoil(given)
            assert give() == expected
        seat = choice.choice(sorted(position.to_act))
        position.push(
            dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        )


@pytest.mark.parametrize("key", game_names())
def test_moves_and_previews_name_their_family(key: str) -> None:
    position = game(key).start(2)
    dice = seeded(4)
    while CHANCE in position.to_act:
        position.push(dice.draw(position))
    moves = [move for seat in position.to_act for move in position.legal_moves(seat)]
    family = position.view()["kind"]
    assert moves
    assert {move.view(SAY)["family"] for move in moves} == {family}
    assert {move.preview()["family"] for move in moves} == {family}
