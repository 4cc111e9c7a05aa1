"""Legal moves of a seat have unique texts that parse back, on generated sheets and decks."""

from __future__ import annotations

import random

import pytest

from foxclover import transcripts
from foxclover.cli.reading import read_move, shown_text
from foxclover.core.game import Game, game, game_names
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.locale import LANGUAGES, catalogue
from random_files import random_game

SEEDS = range(12)


def check_texts(position: Position, seat: int) -> None:
    """Check that every legal move has its own text in the notation, the views and all languages."""
    moves = list(position.legal_moves(seat))
    texts = [move.text for move in moves]
    assert len(set(texts)) == len(texts), texts
    assert [position.parse(text, seat) for text in texts] == moves
    assert [view["text"] for view in position.legal_moves(seat).views(catalogue("en"))] == texts
    if any("(" in text for text in texts):
        for translate in map(catalogue, LANGUAGES):
            assert [
                read_move(shown_text(move, position, translate), position, seat, translate)
                for move in moves
            ] == moves


def fills_a_grid(move: Move) -> bool:
    """Is a cross made in a grid? Who fills its lines wins several bonuses at once."""
    return move.text[-1:].isalnum() and move.text[2:3] in "yb" and ">" in move.text


def play(found: Game, seed: int) -> int:
    """A random game with all texts checked; return how many named their bonus."""
    position = found.start(1 + seed % 2)
    dice, choice, named = seeded(seed), random.Random(seed), 0
    while not position.over:
        seat = choice.choice(sorted(position.to_act))
        if seat == CHANCE:
            position.roll(dice)
            continue
        check_texts(position, seat)
        moves = position.legal_moves(seat)
        move = max(choice.sample(moves, min(3, len(moves))), key=fills_a_grid)
        named += "(" in move.text
        position.push(move)
    header = transcripts.Header(found, ["A"] * position.players)
    lines = transcripts.write(header, position).split("\n\n", 1)[1]
    again = found.start(position.players)
    for line in lines.splitlines():
        if not line.startswith("#"):
            who, _, text = line.partition(": ")
            again.push_text(text, CHANCE if who == "chance" else int(who) - 1)
    assert again == position
    return named


@pytest.mark.parametrize("key", game_names())
def test_texts_of_legal_moves_are_unique_on_random_files(key: str) -> None:
    named = sum(play(random_game(key, seed), seed) for seed in SEEDS)
    assert named > 0 or key == "geht-noch-was", "no game came to a doubtful bonus"


@pytest.mark.parametrize("key", game_names())
def test_games_of_the_package_need_no_name_of_a_bonus(key: str) -> None:
    assert not play(game(key), 1)
