"""One generic test for all games: random play of every game and player count, with everything checked after every move."""

from __future__ import annotations

import random

import pytest

from families import CLEVER
from foxclover import notation
from foxclover.chance import scripted, seeded, system
from foxclover.clever.scoring import recount
from foxclover.clever.state import ACTIONS, EXTRA, REROLL
from foxclover.climb.state import FREE_PLACEMENT, SOLO_RULES
from foxclover.game import CHANCE, IllegalMove, Move, Position, UnknownGame, game, games
from foxclover.locale import LANGUAGES, catalogue

GAMES_EACH = 6
COMBINATIONS = [(key, players) for key in games() for players in game(key).players]


def next_move(position: Position, dice: seeded, choice: random.Random) -> Move:
    """A random move by anybody who may act."""
    seat = choice.choice(sorted(position.to_act))
    return dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))


def play(key: str, players: int, seed: int, variant: int = 0) -> Position:
    """A whole random game."""
    position = game(key).start(players, variant)
    dice, choice = seeded(seed), random.Random(seed)
    while not position.over:
        position.push(next_move(position, dice, choice))
    return position


@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_random_games_hold_all_invariants(key: str, players: int) -> None:
    variants = range(1 << len(game(key).options))
    for seed in range(GAMES_EACH):
        position = game(key).start(players, variants[seed % len(variants)])
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
        replayed = notation.read(
            notation.write(
                notation.Header(position.game, ["A"] * players, f"seed {seed}", position.variant),
                position,
            )
        )
        assert replayed.position == position
        assert [move.text for move in replayed.position.moves_made] == [
            move.text for move in position.moves_made
        ]


def check_sheets(position: Position) -> None:
    """Points recomputed from the sheet alone, and no action or fox out of range."""
    for seat in range(position.players):
        assert sum(position.breakdown(seat).values()) == position.score(seat)
        if position.game.family == "clever":
            book, mine = position.game.book, position.state.seats[seat]
            assert recount(book, mine) == mine.points
            assert 0 <= mine.foxes <= book.foxes
            for action in range(ACTIONS):
                assert (
                    0
                    <= mine.actions[action]
                    <= mine.unlocked[action]
                    <= book.tables.action_fields[action]
                )


@pytest.mark.parametrize("key", CLEVER)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_entries_match_the_dice_used_plus_bonuses(key: str, players: int) -> None:
    for seed in range(GAMES_EACH):
        position = play(key, players, seed)
        book = position.game.book
        for seat in range(players):
            mine = position.state.seats[seat]
            made = [move for move in position.moves_made if move.seat == seat]
            entered = sum(">" in move.text or move.text.startswith("+") for move in made)
            full = sum(
                book.tables.cells[area] * (1 + book.tables.circles[area]) for area in range(5)
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
            say = catalogue(language)
            assert move.words(say)
            assert all(position.prompt(seat, say) for seat in range(players))
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


@pytest.mark.parametrize("key", games())
def test_the_same_seed_gives_the_same_game(key: str) -> None:
    assert [move.text for move in play(key, 2, 9).moves_made] == [
        move.text for move in play(key, 2, 9).moves_made
    ]
    assert [move.text for move in play(key, 2, 9).moves_made] != [
        move.text for move in play(key, 2, 10).moves_made
    ]


@pytest.mark.parametrize("key", games())
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
        match=r"'skat' is no game; the games are ganz-schoen-clever, doppelt-so-clever, geht-noch-was$",
    ):
        game("skat")


def test_dice_of_the_system_and_scripted_dice_make_chance_moves() -> None:
    position = game("ganz").start()
    assert system().draw(position).seat == CHANCE
    assert scripted(["112233"]).draw(position).text == "y1b1g2o2p3w3"


@pytest.mark.parametrize(
    ("name", "variant"), [("solo-rules", SOLO_RULES), ("free-placement", FREE_PLACEMENT)]
)
def test_variants_are_kept_in_the_transcript(name: str, variant: int) -> None:
    position = play("geht", 2, 4, variant)
    text = notation.write(
        notation.Header(position.game, ["Ada", "Bo"], "seed 4", variant), position
    )
    assert f"variant: {name}" in text
    assert notation.read(text).position == position


def test_remarks_may_stand_anywhere_in_a_transcript() -> None:
    position = play("ganz", 1, 3)
    text = notation.write(notation.Header(position.game, ["Ada"], "seed 3"), position)
    remarked = text.replace("game:", "# played on a train\ngame:").replace(
        "\n\n", "  # end of the header\n\n# let us begin\n"
    )
    assert notation.read(remarked).position == position
