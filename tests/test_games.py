"""One generic test for all games.

Random play of every game and player count, with everything checked after every move.
"""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clever_table import recount
from families import CLEVER
from foxclover import transcripts
from foxclover.core.errors import IllegalMove, MoveError
from foxclover.core.game import game, game_names
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.registry import UnknownGame
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.dice.sources import scripted, seeded, system
from foxclover.games.clever.rules.state import ACTIONS, EXTRA, REROLL
from foxclover.locale import LANGUAGES, catalogue

GAMES_EACH = 6
COMBINATIONS = [(key, players) for key in game_names() for players in game(key).players]


def next_move(position: Position, dice: seeded, choice: random.Random) -> Move:
    """A random move by anybody who may act."""
    seat = choice.choice(sorted(position.to_act))
    return dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))


def play(key: str, players: int, seed: int, **options: bool) -> Position:
    """A whole random game."""
    position = game(key).start(players, **options)
    dice, choice = seeded(seed), random.Random(seed)
    while not position.over:
        position.push(next_move(position, dice, choice))
    return position


@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_random_games_hold_all_invariants(key: str, players: int) -> None:
    variants = range(1 << len(game(key).options))
    for seed in range(GAMES_EACH):
        setup = game(key).unpack(variants[seed % len(variants)])
        position = game(key).start_with(players, setup)
        dice, choice = seeded(seed), random.Random(seed)
        while not position.over:
            before, history = position.copy(), len(position.moves_made)
            move = next_move(position, dice, choice)
            position.push(move)
            check_sheets(position)
            after = position.copy()
            assert position.pop() == move
            assert position == before
            assert len(position.moves_made) == history
            position.push(position.parse(move.text, move.seat))
            assert position == after
            assert position.game.load(position.dump()) == position
        assert position.winners
        assert not any(position.legal_moves(seat) for seat in range(players))
        replayed = transcripts.read(
            transcripts.write(
                transcripts.Header(position.game, ["A"] * players, f"seed {seed}", position.setup),
                position,
            )
        )
        assert replayed.position == position
        assert [move.text for move in replayed.position.moves_made] == [
            move.text for move in position.moves_made
        ]


CHANCE_TEXTS = st.from_regex(
    r"(begins|card|=|b)? ?[0-9]{0,7}b?( ?r[0-9]{0,4})?|([ybgopwus][0-9]){1,6}|=?[ybgopwus]{1,6}",
    fullmatch=True,
)


@pytest.mark.parametrize("key", game_names())
@settings(max_examples=100)
@given(data=st.data())
def test_a_text_of_chance_is_one_of_the_outcomes_or_refused(key: str, data: st.DataObject) -> None:
    position = game(key).start(2, start_player=data.draw(st.sampled_from([0, RANDOM])))
    dice, choice = seeded(data.draw(st.integers(0, 9))), random.Random(1)
    for _ in range(data.draw(st.integers(0, 40))):
        position.push(next_move(position, dice, choice))
    while not position.chance_due and not position.over:
        position.push(next_move(position, dice, choice))
    text = data.draw(CHANCE_TEXTS | st.text("0123456789byr= ²٣", max_size=8))
    with suppress(MoveError):
        assert position.parse(text, CHANCE) in position.legal_moves(CHANCE)


def check_sheets(position: Position) -> None:
    """Points recomputed from the sheet alone, and no action or fox out of range."""
    for seat in range(position.players):
        assert sum(position.breakdown(seat).values()) == position.score(seat)
        if position.game.family == "clever":
            definition, mine = position.game.definition, position.state.seats[seat]
            assert recount(definition, mine) == mine.points
            assert 0 <= mine.foxes <= definition.foxes
            for action in range(ACTIONS):
                assert (
                    0
                    <= mine.actions[action]
                    <= mine.unlocked[action]
                    <= definition.tables.action_fields[action]
                )


@pytest.mark.parametrize("key", CLEVER)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_entries_match_the_dice_used_plus_bonuses(key: str, players: int) -> None:
    for seed in range(GAMES_EACH):
        position = play(key, players, seed)
        definition = position.game.definition
        for seat in range(players):
            mine = position.state.seats[seat]
            made = [move for move in position.moves_made if move.seat == seat]
            entered = sum(">" in move.text or move.text.startswith("+") for move in made)
            full = sum(
                definition.tables.cells[area] * (1 + definition.tables.circles[area])
                for area in range(5)
            )
            assert entered == full - sum(mine.room)
            assert (
                sum(move.text == "reroll" for move in made)
                == mine.unlocked[REROLL] - mine.actions[REROLL]
            )
            assert mine.unlocked[EXTRA] >= mine.actions[EXTRA]


@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_every_move_has_words_and_a_view_in_every_language(key: str, players: int) -> None:
    position = game(key).start(players)
    dice, choice = seeded(1), random.Random(1)
    while not position.over:
        move = next_move(position, dice, choice)
        for language in LANGUAGES:
            translate = catalogue(language)
            assert move.words(translate)
            assert all(position.prompt(seat, translate) for seat in range(players))
        if move.seat != CHANCE:
            assert move.view(catalogue("en"))["id"] == move.number
        assert position.view()["acting"] == list(position.acting)
        position.push(move)
    assert position.view()["places"] == position.places()


@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_a_view_made_from_the_one_before_is_the_same(key: str, players: int) -> None:
    position = game(key).start(players)
    dice, choice = seeded(2), random.Random(2)
    seen = position.state, position.view()
    while not position.over:
        position.push(next_move(position, dice, choice))
        view = position.view(seen)
        assert view == position.view()
        assert position.game.views.totals(view) == [position.score(seat) for seat in range(players)]
        seen = position.state, view


@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_legal_moves_are_distinct_texts_in_a_pinned_order(key: str, players: int) -> None:
    position = game(key).start(players)
    dice, choice = seeded(2), random.Random(2)
    while not position.over:
        for seat in position.acting:
            moves = position.legal_moves(seat)
            texts = [move.text for move in moves]
            numbers = [move.number for move in moves]
            assert texts
            assert len(set(texts)) == len(texts)
            if position.game.family == "clever":
                assert numbers == sorted(numbers), (
                    "legal moves come in ascending order of their numbers"
                )
        position.push(next_move(position, dice, choice))


@pytest.mark.parametrize("key", game_names())
def test_the_same_seed_gives_the_same_game(key: str) -> None:
    assert [move.text for move in play(key, 2, 9).moves_made] == [
        move.text for move in play(key, 2, 9).moves_made
    ]
    assert [move.text for move in play(key, 2, 9).moves_made] != [
        move.text for move in play(key, 2, 10).moves_made
    ]


@pytest.mark.parametrize("key", game_names())
def test_a_move_of_another_position_is_refused(key: str) -> None:
    position = game(key).start(2)
    first = (
        seeded(1).draw(position)
        if position.chance_due
        else position.legal_moves(position.acting[0])[0]
    )
    while first.seat == CHANCE:
        position.push(first)
        first = (
            seeded(1).draw(position)
            if position.chance_due
            else position.legal_moves(position.acting[0])[0]
        )
    foreign = position.move(3, first.number)
    before = position.copy()
    with pytest.raises(IllegalMove):
        position.push(foreign)
    assert position == before


@pytest.mark.parametrize(("key", "most"), [("ganz", 4), ("doppelt", 4), ("geht", 8)])
def test_a_wrong_number_of_players_is_refused(key: str, most: int) -> None:
    game(key).start(most)
    for players in (0, most + 1):
        with pytest.raises(ValueError, match=f"is for 1 to {most} players, not {players}$"):
            game(key).start(players)


def test_games_are_found_by_any_unambiguous_beginning() -> None:
    assert game("ganz") is game("ganz-schoen-clever")
    with pytest.raises(UnknownGame, match=r"'g' could be ganz-schoen-clever or geht-noch-was$"):
        game("g")
    with pytest.raises(
        UnknownGame,
        match=(
            r"'skat' is no game; "
            r"the games are ganz-schoen-clever, doppelt-so-clever, geht-noch-was$"
        ),
    ):
        game("skat")


def test_dice_of_the_system_and_scripted_dice_make_chance_moves() -> None:
    position = game("ganz").start()
    assert system().draw(position).seat == CHANCE
    assert scripted(["112233"]).draw(position).text == "y1b1g2o2p3w3"


@pytest.mark.parametrize(
    ("name", "option"), [("solo-rules", "solo_rules"), ("free-placement", "free_placement")]
)
def test_variants_are_kept_in_the_transcript(name: str, option: str) -> None:
    position = play("geht", 2, 4, **{option: True})
    text = transcripts.write(
        transcripts.Header(position.game, ["Ada", "Bo"], "seed 4", position.setup), position
    )
    assert f"variant: {name}" in text
    assert transcripts.read(text).position == position


def test_remarks_may_stand_anywhere_in_a_transcript() -> None:
    position = play("ganz", 1, 3)
    text = transcripts.write(transcripts.Header(position.game, ["Ada"], "seed 3"), position)
    remarked = text.replace("game:", "# played on a train\ngame:").replace(
        "\n\n", "  # end of the header\n\n# let us begin\n"
    )
    assert transcripts.read(remarked).position == position
