"""The start player: the first seat, a chosen seat or a random one, in all games."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from families import CLEVER
from foxclover import simulate, transcripts
from foxclover.core.errors import MoveError
from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.dice.sources import seeded
from foxclover.games.clever.ai.network import passives_left, turns_left

every_game = pytest.mark.parametrize("key", game_names())


def play_on(position: Position, seed: int) -> list[int]:
    """Play at random to the end.

    Return who was to act first after each roll or, where all act at once, who is the fairy of each
    round.
    """
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
@pytest.mark.parametrize("start_player", [0, 1, 2])
def test_the_chosen_seat_begins_and_the_others_follow_clockwise(
    key: str, start_player: int
) -> None:
    position = game(key).start(3, start_player=start_player)
    order = [seat for seat, _ in groupby(play_on(position, 5))]
    assert order == [(start_player + turn) % 3 for turn in range(len(order))]
    assert len(order) >= 5


@every_game
def test_a_random_start_player_is_a_fair_chance_move(key: str) -> None:
    position = game(key).start(4, start_player=RANDOM)
    assert position.to_act == {CHANCE}
    assert [(move.text, weight) for move, weight in position.chance_moves()] == [
        (f"begins {seat}", 1) for seat in (1, 2, 3, 4)
    ]
    assert position.rollers == (0, 1, 2, 3)
    drawn = [str(game(key).start(4, start_player=RANDOM).roll(seeded(seed))) for seed in range(60)]
    assert set(drawn) == {"begins 1", "begins 2", "begins 3", "begins 4"}
    assert str(position.push_text("Begins 3", CHANCE)) == "begins 3"
    assert position == game(key).start(4, start_player=2)


@every_game
def test_a_random_start_player_is_part_of_the_transcript(key: str) -> None:
    position = game(key).start(2, start_player=RANDOM)
    play_on(position, 8)
    header = transcripts.Header(position.game, ["Ada", "Bo"], "seed 8", position.setup)
    text = transcripts.write(header, position)
    assert "begins: lot\n" in text
    assert "\nchance: begins " in text
    again = transcripts.read(text)
    assert again.position == position
    followed = again.follow_seed()
    assert followed is not None
    assert followed.foreign is None
    chosen = transcripts.write(
        transcripts.Header(position.game, ["Ada", "Bo"], "typed", game(key).setup(start_player=1)),
        game(key).start(2, start_player=1),
    )
    assert "begins: 2\n" in chosen
    assert transcripts.read(chosen).position == game(key).start(2, start_player=1)


@every_game
@pytest.mark.parametrize(
    ("players", "start_player"), [(1, 1), (1, RANDOM), (2, 2), (3, 14), (2, -1)]
)
def test_no_other_seat_can_begin(key: str, players: int, start_player: int) -> None:
    with pytest.raises(ValueError, match=r"no (seat|start player)|variant"):
        game(key).start(players, start_player=start_player)


@pytest.mark.parametrize("text", ["begins: 3", "begins: 0", "begins: Bo", "begins:"])
def test_a_header_with_a_wrong_start_player_is_refused(text: str) -> None:
    with pytest.raises(transcripts.TranscriptError, match="cannot be the start player of 2"):
        transcripts.read(
            f"{transcripts.TITLE}\ngame: ganz\nplayers: Ada, Bo\ndice: typed\n{text}\n"
        )
    with pytest.raises(transcripts.TranscriptError, match="cannot be the start player of 1"):
        transcripts.read(
            f"{transcripts.TITLE}\ngame: ganz\nplayers: Ada\ndice: typed\nbegins: lot\n"
        )


@every_game
@pytest.mark.parametrize(
    "text",
    [
        "begins 0010",
        "begins 0",
        "begins 4",
        "0009",
        "begins 999",
        "begins " + "9" * 5_000,
        "begins -1",
        "begins ²",
    ],
)
def test_a_random_start_player_without_a_seat_is_refused(key: str, text: str) -> None:
    position = game(key).start(3, start_player=RANDOM)
    with pytest.raises(MoveError, match="expected"):
        position.push_text(text, CHANCE)
    assert position.push_text("begins 003", CHANCE).text == "begins 3"


@pytest.mark.parametrize("key", CLEVER)
def test_seats_are_alike_but_for_their_order(key: str) -> None:
    """Another start player gives the same game with seats counted from them, for the net too."""
    one, other = game(key).start(3), game(key).start(3, start_player=2)
    dice, rng = seeded(3), random.Random(3)
    tables = game(key).definition.tables
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
def test_batches_of_games_draw_start_players_too(key: str) -> None:
    outcome = simulate(key, ["greedy", "random"], games=40, seed=2, start_player=RANDOM)
    assert outcome.scores.shape == (40, 2)
    assert (simulate(key, ["greedy", "random"], games=40, seed=2).scores != outcome.scores).any()
