"""Who begins: the first seat, a chosen one or one drawn by lot, in all games and all ways to play."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from families import CLEVER
from foxclover import notation, simulate
from foxclover.ai.clever.inputs import passives_left, turns_left
from foxclover.chance import seeded
from foxclover.game import CHANCE, LOT, Position, game, games

every_game = pytest.mark.parametrize("key", games())


def play_on(position: Position, seed: int) -> list[int]:
    """Play at random to the end; return who was to act first after each roll or, where all act at once, who is the fairy of each round."""
    dice, rng, order = seeded(seed), random.Random(seed), []
    while not position.over:
        if position.chance_due:
            if position.view()["chance"] == "roll" and position.view()["roll"] in (0, 1):
                order.append(
                    position.state.active
                    if position.game.family == "clever"
                    else position.state.fairy
                )
            position.roll(dice)
        else:
            seat = rng.choice(position.acting)
            position.push(rng.choice(position.legal_moves(seat)))
    return order


@every_game
@pytest.mark.parametrize("begins", [0, 1, 2])
def test_the_chosen_seat_begins_and_the_others_follow_clockwise(key: str, begins: int) -> None:
    position = game(key).start(3, begins=begins)
    order = [seat for seat, _ in groupby(play_on(position, 5))]
    assert order == [(begins + turn) % 3 for turn in range(len(order))]
    assert len(order) >= 5


@every_game
def test_the_lot_is_a_move_of_chance_that_falls_on_everybody_alike(key: str) -> None:
    position = game(key).start(4, begins=LOT)
    assert position.to_act == {CHANCE}
    assert [(move.text, weight) for move, weight in position.chance_moves()] == [
        (f"begins {seat}", 1) for seat in (1, 2, 3, 4)
    ]
    assert position.rollers == (0, 1, 2, 3)
    drawn = [str(game(key).start(4, begins=LOT).roll(seeded(seed))) for seed in range(60)]
    assert set(drawn) == {"begins 1", "begins 2", "begins 3", "begins 4"}
    assert str(position.push_text("Begins 3", CHANCE)) == "begins 3"
    assert position == game(key).start(4, begins=2)


@every_game
def test_the_lot_stands_in_the_transcript(key: str) -> None:
    position = game(key).start(2, begins=LOT)
    play_on(position, 8)
    header = notation.Header(position.game, ["Ada", "Bo"], "seed 8", position.variant)
    text = notation.write(header, position)
    assert "begins: lot\n" in text
    assert "\nchance: begins " in text
    again = notation.read(text)
    assert again.position == position
    followed = again.follow_seed()
    assert followed is not None
    assert followed.foreign is None
    chosen = notation.write(
        notation.Header(position.game, ["Ada", "Bo"], "typed", game(key).variant([], 1)),
        game(key).start(2, begins=1),
    )
    assert "begins: 2\n" in chosen
    assert notation.read(chosen).position == game(key).start(2, begins=1)


@every_game
@pytest.mark.parametrize(("players", "begins"), [(1, 1), (1, LOT), (2, 2), (3, 14), (2, -1)])
def test_nobody_else_can_begin(key: str, players: int, begins: int) -> None:
    with pytest.raises(ValueError, match=r"begin|variant"):
        game(key).start(players, begins=begins)


@pytest.mark.parametrize("text", ["begins: 3", "begins: 0", "begins: Bo", "begins:"])
def test_a_header_with_a_wrong_beginner_is_refused(text: str) -> None:
    with pytest.raises(notation.TranscriptError, match="cannot begin in a game of 2"):
        notation.read(f"{notation.TITLE}\ngame: ganz\nplayers: Ada, Bo\ndice: typed\n{text}\n")
    with pytest.raises(notation.TranscriptError, match="cannot begin in a game of 1"):
        notation.read(f"{notation.TITLE}\ngame: ganz\nplayers: Ada\ndice: typed\nbegins: lot\n")


@pytest.mark.parametrize("key", CLEVER)
def test_seats_are_alike_but_for_their_order(key: str) -> None:
    """The same dice and choices with another beginner are the same game, seats counted from the beginner on; the net sees no difference."""
    one, other = game(key).start(3), game(key).start(3, begins=2)
    dice, rng = seeded(3), random.Random(3)
    tables = game(key).book.tables
    while not one.over:
        seat = rng.choice(sorted(one.to_act))
        move = dice.draw(one) if seat == CHANCE else rng.choice(one.legal_moves(seat))
        one.push(move)
        other.push(other.move(seat if seat == CHANCE else (seat + 2) % 3, move.number))
        for mine in range(3):
            theirs = (mine + 2) % 3
            assert one.score(mine) == other.score(theirs)
            assert turns_left(tables, one.state, mine) == turns_left(tables, other.state, theirs)
            assert passives_left(tables, one.state, mine) == passives_left(
                tables, other.state, theirs
            )
    assert other.over


@every_game
def test_many_games_at_once_draw_lots_too(key: str) -> None:
    outcome = simulate(key, ["greedy", "random"], games=40, seed=2, begins=LOT)
    assert outcome.scores.shape == (40, 2)
    assert (simulate(key, ["greedy", "random"], games=40, seed=2).scores != outcome.scores).any()
