"""Positions as readable text: every reachable one comes back, and errors say what is wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foxclover import (
    RANDOM,
    Game,
    Position,
    PositionError,
    UnknownGame,
    agent,
    game,
    game_names,
    read_position,
    scripted,
    seeded,
)
from foxclover.core.registry import game_entries
from foxclover.locale import LANGUAGES, catalogue
from random_files import random_game

SETUPS = [
    pytest.param(key, players, tuple(options), id=f"{key}-{players}-{'-'.join(options) or 'plain'}")
    for key in game_names()
    for players in game(key).players
    for options in (
        [[], ["solo_rules"], ["free_placement"], ["solo_rules", "free_placement"]]
        if game(key).options and players in (1, 2, 8)
        else [[]]
    )
]


def play(
    chosen: Game, players: int, options: tuple[str, ...] = (), seed: int = 0, start_player: int = 0
) -> Iterator[Position]:
    """Yield every position of a game; computer players and random ones alternate."""
    setup = chosen.setup(options, start_player)
    position, dice, choice = chosen.start_with(players, setup), seeded(seed), random.Random(seed)
    greedy = agent("greedy", chosen, seed)
    while True:
        yield position
        if position.is_over:
            return
        if position.chance_due:
            position.roll(dice)
        else:
            seat = choice.choice(position.acting)
            moves = position.legal_moves(seat)
            random_move = choice.random() < 0.3
            position.push(choice.choice(moves) if random_move else greedy.choose(position, seat))


def some_position(key: str, moves: int, players: int = 2, seed: int = 3) -> Position:
    """A position in which players are to act, after about so many moves."""
    found = game(key).start(players)
    for position in play(game(key), players, seed=seed):
        if position.acting:
            found = position.copy()
        if len(position.moves_made) >= moves and position.acting:
            break
    return found


# --- round trips


@pytest.mark.parametrize(("key", "players", "options"), SETUPS)
def test_every_position_of_a_game_comes_back(
    key: str, players: int, options: tuple[str, ...]
) -> None:
    drawn = RANDOM if players > 1 else 0
    for position in play(game(key), players, options, seed=players, start_player=drawn):
        again = read_position(position.text)
        assert again == position, position.text
        assert again.text == position.text
        assert again.options == position.options
        assert again.to_act == position.to_act


@given(
    key=st.sampled_from(game_names()),
    players=st.integers(1, 4),
    seed=st.integers(0, 2**32),
    choices=st.lists(st.integers(0, 2**16), max_size=60),
)
@settings(max_examples=60, deadline=None)
def test_positions_after_any_choices_come_back(
    key: str, players: int, seed: int, choices: list[int]
) -> None:
    position, dice = game(key).start(players), seeded(seed)
    for number in choices:
        while position.chance_due:
            position.roll(dice)
        if position.is_over:
            break
        seat = position.acting[number % len(position.acting)]
        moves = position.legal_moves(seat)
        position.push(moves[number % len(moves)])
    assert read_position(position.text) == position


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("seed", range(4))
def test_positions_of_custom_sheets_and_decks_come_back(key: str, seed: int) -> None:
    chosen = random_game(key, seed)
    for position in play(chosen, min(2, chosen.players[-1]), seed=seed):
        assert chosen.read_position(position.text) == position


@pytest.mark.parametrize("key", game_names())
def test_a_position_that_was_set_up_is_played_on(key: str) -> None:
    position = some_position(key, 60)
    twin = read_position(position.text)
    for seed in range(3):
        ahead = [position.copy(), twin.copy()]
        for played in ahead:
            dice, choice = seeded(seed), random.Random(seed)
            while not played.is_over:
                if played.chance_due:
                    played.roll(dice)
                else:
                    seat = choice.choice(played.acting)
                    played.push(choice.choice(played.legal_moves(seat)))
        assert ahead[0].result == ahead[1].result


def test_a_text_is_short_and_readable() -> None:
    position = game("ganz").start(2)
    position.roll(scripted(["y3b2g4o1p6w5"]))
    assert position.text == (
        "ganz-schoen-clever round:1 phase:rolling roll:1 hand:y3b2g4o1p6w5 / stage:choose /"
    )
    position.push_text("y>y3a")
    assert position.text == (
        "ganz-schoen-clever round:1 phase:rolling roll:2 due:roll hand:g4p6w5 platter:b2o1 "
        "fields:y3,-,- / y:3a /"
    )
    assert game("geht").start().text == (
        "geht-noch-was round:1 phase:rolling due:roll / marker:in luck:1 1:1,2 2:3,4 3:5,6"
    )


@pytest.mark.parametrize("key", game_names())
def test_a_text_fits_into_a_link_and_may_have_line_breaks(key: str) -> None:
    position = some_position(key, 50)
    link = position.text.replace(" ", "_")
    assert all(sign.isalnum() or sign in "-._~!$&'()*+,;=:@/?" for sign in link)
    assert read_position(link) == position
    assert read_position("\n".join(position.text.split()).upper()) == position


def test_a_position_of_a_custom_deck_needs_that_deck(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(game_entries()["geht-noch-was"].file.read_bytes() + b"\n# mine\n")
    own = game("geht", str(file))
    text = own.start(2).text
    assert own.read_position(text) == own.start(2)
    with pytest.raises(PositionError, match="digest: the position needs another deck file"):
        read_position(text)


# --- errors

GANZ = (
    "ganz-schoen-clever round:2 phase:rolling roll:1 hand:y3b2g4o1p6w5 / stage:choose y:3a o:4 / "
)
GEHT = (
    "geht-noch-was round:2 phase:rolling roll:1 dice:B1336R225 / "
    "stage:decide marker:in luck:1 1:1,2 2:3 / "
)
DOPPELT = "doppelt-so-clever round:2 phase:rolling roll:1 hand:s1y3b2g4p6w5 / stage:choose b:12"
WRONG = {
    "": "table: a position begins with the name of its game, such as ganz-schoen-clever",
    "ganz-schoen-clever": "table: Ganz schön clever is for 1 to 4 players, each behind a “/”, "
    "not for 0",
    GANZ.replace("round:2", "round:9"): "table, round: expected a number from 1 to 6, not “9”",
    GANZ.replace("round:2", "round"): "table: expected a word such as round:3, not “round”",
    GANZ.replace("round:2", "round:2 round:2"): "table, round: this word is given twice",
    GANZ.replace("y3b2", "y3"): "table: these dice are nowhere: b",
    GANZ.replace("y3b2", "y3y3b2"): "table, hand: the die y is in two places",
    GANZ.replace("w5", "w7"): "table, hand: expected dice with their faces, such as y4b1, "
    "not “y3b2g4o1p6w7”",
    GANZ.replace("w5", "w"): "table: these dice need a face: w",
    GANZ.replace("y:3a", "y:4a"): "player 1, y: expected one of 3a, 6a, 5a, 2b, 1b, 5b, 1c, 2c, "
    "4c, 3d, 4d, 6d, not “4a”",
    GANZ.replace("y:3a", "y:3a,3a"): "player 1, y: the field “3a” is given twice",
    GANZ.replace("o:4", "o:7"): "player 1, o: expected a number from 1 to 6, not “7”",
    DOPPELT.replace("b:12", "b:12,1"): "player 1, b: expected a number from 2 to 12, not “1”",
    GANZ.replace("o:4", "o:" + ",".join("4" * 12)): "player 1, o: there is room for 11 only",
    GANZ.replace("o:4", "spent:extra,extra"): "player 1, spent: extra was unlocked only once",
    GANZ.replace("o:4", "spent:fox"): "player 1, spent: expected one of reroll, return, extra, "
    "not “fox”",
    GANZ.replace("o:4", "q:4"): "player 1: there is no word “q” here; the words are stage, y, b, "
    "g, o, p, spent, bonus, extra",
    GANZ.replace("stage:choose", "stage:take"): "player 1, stage: expected one of closed, return, "
    "choose, follow, not “take”",
    GANZ.replace("stage:choose", ""): "table: nobody is to act, nothing is due by chance, and the "
    "game is not over",
    GANZ.replace("/ stage", "/ bonus:bx / stage"): "player 1, bonus: a player with a bonus to "
    "place needs a stage",
    GANZ + "bonus:b4": "player 2, bonus: expected one of bx, o4, gx, o5, yx, p6, o6, black, "
    "not “b4”",
    GANZ.replace("phase:rolling", "phase:over"): "table, phase: the game is over after the last "
    "round only",
    GEHT.replace("R225", "R22"): "table, dice: expected the dice of the roll, such as B1336R225, "
    "not “b1336r22”",
    GEHT.replace("2:3", "2:2"): "player 1, 2: the card 2 is in two places",
    GEHT.replace("2:3", "2:97"): "player 1, 2: “97” is no card of this game",
    GEHT.replace("2:3", "2:3b"): "player 1, 2: “3b” is no card of this game",
    GEHT.replace("2:3", "2:3,4,5,6,7"): "player 1, 2: there is room for 4 only",
    GEHT.replace("luck:1", "luck:9"): "player 1, luck: expected a number from 0 to 4, not “9”",
    GEHT.replace("stage:decide", "stage:buy"): "player 1, stage: expected one of decide, leave, "
    "not “buy”",
    GEHT.replace("phase:rolling", "due:draw phase:rolling"): "table, draw: expected seat, colour "
    "and reason of the card that is drawn, such as 1,green,purchase",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_text_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_position(text)
    assert str(caught.value) == WRONG[text]
    for language in LANGUAGES:
        assert caught.value.words(catalogue(language))


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame, match="'chess' is no game"):
        read_position("chess round:1 /")
    with pytest.raises(PositionError, match="this is a position of “geht-noch-was”"):
        game("ganz").read_position(game("geht").start().text)


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("seed", range(40))
def test_a_text_with_changed_words_is_refused_or_can_be_played(key: str, seed: int) -> None:
    choice = random.Random(seed)
    words = some_position(key, choice.randrange(70), seed=seed).text.split(" ")
    others = some_position(key, choice.randrange(70), seed=seed + 999).text.split(" ")
    for _ in range(2):
        at = choice.randrange(1, len(words))
        name = words[at].partition(":")[0]
        same = [word for word in others if word.partition(":")[0] == name]
        words[at] = choice.choice(same or [""])
    try:
        position = read_position(" ".join(words))
    except PositionError:
        return
    assert read_position(position.text) == position
    dice = seeded(seed)
    while not position.is_over:
        if position.chance_due:
            position.roll(dice)
        else:
            seat = choice.choice(position.acting)
            position.push(choice.choice(position.legal_moves(seat)))
