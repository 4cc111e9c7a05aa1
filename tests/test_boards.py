"""Positions and moves read by name, with types, and players that are written with them."""

from __future__ import annotations

import importlib.util
import json
import pkgutil
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from foxclover import CHANCE, IllegalMove, Position, agent, game, game_names, scripted, seeded
from foxclover.games import clever, climb

EXAMPLES = Path(__file__).parents[1] / "examples"
CACHE = EXAMPLES.parent / ".mypy_cache" / "examples"
PLAYERS = {
    "ganz-schoen-clever": ("clever_heuristic", "Tidy"),
    "doppelt-so-clever": ("clever_heuristic", "Tidy"),
    "geht-noch-was": ("climb_heuristic", "Careful"),
}
BOARDS: dict[str, Any] = {"clever": clever.Board, "climb": climb.Board}


def play_randomly(key: str, players: int, seed: int = 4) -> Any:
    """Yield a position again and again, while random moves are made in it."""
    position, dice, choice = game(key).start(players), seeded(seed), random.Random(seed)
    while not position.is_over:
        yield position
        if position.chance_due:
            position.roll(dice)
        else:
            seat = choice.choice(position.acting)
            position.push(choice.choice(position.legal_moves(seat)))
    yield position


# --- the Clever games


def test_a_clever_board_shows_dice_fields_and_actions() -> None:
    position = game("ganz").start(2)
    position.roll(scripted(["y3b2g4o1p6w5"]))
    before = clever.Board(position)
    position.push_text("y>y3a")
    board = clever.Board(position)
    assert before.dice["yellow"] == clever.Die("yellow", "y", 3, "hand", False)
    assert [die.name for die in before.dice_at("hand")] == list(before.dice)
    assert before.sheets[0].areas["yellow"].crossed == (), "a board stays as it was"
    assert board.sheets[0].areas["yellow"].crossed == ("3a",)
    assert board.sheets[0].areas["yellow"]["3a"].is_crossed
    assert not board.sheets[0].areas["yellow"]["6a"].is_crossed
    assert {die.name: die.face for die in board.dice_at("platter")} == {"blue": 2, "orange": 1}
    assert board.dice_fields[0] == clever.Die("yellow", "y", 3, "field", False)
    assert board.dice_fields[1:] == (None, None)
    assert board.dice["white"].is_joker
    assert board.sheets[0].actions["reroll"].left == 1, "the first round brings one"
    assert (board.active, board.round, board.rounds) == (0, 1, 6)


def test_entries_of_tracks_are_read_from_the_left() -> None:
    position = game("ganz").start()
    for roll, move in (("y6b6g6o5p6w6", "o>o5"), ("y6b6g6p6w6", "w>o6")):
        position.roll(scripted([roll]))
        position.push_text(move)
    orange = clever.Board(position).sheets[0].areas["orange"]
    assert (orange.entries, orange.points) == ((5, 6), 11)
    assert orange.next_field is not None
    assert orange.next_field.name == "#3"
    assert orange.next_field.bonus == "reroll"


def test_a_clever_choice_names_what_it_writes_and_wins() -> None:
    position = game("ganz").start()
    position.roll(scripted(["y3b2g4o1p6w5"]))
    board = clever.Board(position)
    choice = {choice.move.text: choice for choice in board.choices(0)}["p>p6"]
    assert (choice.kind, choice.area, choice.value, choice.points) == ("use", "purple", 6, 6)
    assert choice.die == board.dice["purple"]
    assert choice.marks == (clever.Mark("purple", "#1", 6),)
    assert set(choice.to_platter) == {"yellow", "blue", "green", "orange", "white"}
    assert choice.wins == ()
    reroll = board.read(position.parse("reroll"))
    assert (reroll.kind, reroll.die, reroll.field, reroll.area) == ("reroll", None, None, "")


def test_wins_are_those_that_the_game_grants() -> None:
    for position in play_randomly("doppelt", 2):
        for seat in position.acting:
            board = clever.Board(position)
            for choice in board.choices(seat):
                after = position.copy()
                after.push(choice.move)
                then = clever.Board(after)
                gained = then.sheets[seat].foxes - board.sheets[seat].foxes
                assert choice.wins.count("fox") >= gained
                if not then.sheets[seat].bonuses:
                    assert after.score(seat) - position.score(seat) <= choice.points


# --- Geht noch was?


def test_a_climb_board_shows_cards_on_levels() -> None:
    position = game("geht").start(2)
    board = climb.Board(position)
    mine = board.tableaus[0]
    assert [[active.card.name for active in level.active] for level in mine.levels] == [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
        [],
        [],
    ]
    assert [level.factor for level in mine.levels] == [1, 1, 2, 4, 8]
    assert [active.card.name for active in mine.next_cards] == ["1", "2"]
    assert (board.phase, board.fairy, board.roll, board.blue) == ("rolling", 0, 0, ())
    assert board.card("1").condition == "=BB"
    assert 0.7 < board.card("1").probability < 0.8
    assert board.piles["green"].size == board.piles["green"].shuffled


def test_a_climb_choice_names_its_card_and_level() -> None:
    position = game("geht").start()
    position.roll(scripted(["B1336 R225"]))
    board = climb.Board(position)
    by_text = {choice.move.text: choice for choice in board.choices(0)}
    fulfil = by_text["fulfil 1"]
    assert (fulfil.kind, fulfil.level, fulfil.colour) == ("fulfil", 1, "green")
    assert fulfil.card == board.card("1")
    assert by_text["fail"].card is None
    assert [active.card.name for active in board.tableaus[0].active if active.is_met] == [
        "1",
        "4",
        "6",
    ]


# --- every game


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("players", [1, 3])
def test_boards_of_whole_games_agree_with_the_position(key: str, players: int) -> None:
    for position in play_randomly(key, players):
        board = BOARDS[position.game.family](position)
        assert board.acting == position.acting
        for seat, sheet in enumerate(getattr(board, "sheets", None) or board.tableaus):
            assert sheet.total == position.score(seat)
        for seat in position.acting:
            choices = board.choices(seat)
            assert [choice.move for choice in choices] == list(position.legal_moves(seat))
            assert board.read(choices[-1].move) == choices[-1]


@pytest.mark.parametrize("key", game_names())
def test_moves_of_elsewhere_are_not_read(key: str) -> None:
    position = game(key).start(2)
    board = BOARDS[position.game.family](position)
    with pytest.raises(IllegalMove):
        board.read(position.legal_moves(CHANCE)[0])


def test_a_board_of_the_other_family_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="Geht noch was\\? is no Clever game"):
        clever.Board(game("geht").start())
    with pytest.raises(ValueError, match="Ganz schön clever is not played with task cards"):
        climb.Board(game("ganz").start())


# --- your own players


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def average(key: str, player: Any, games: int = 12) -> float:
    points = 0
    for seed in range(games):
        position, dice = game(key).start(), seeded(seed)
        while not position.is_over:
            if position.turn == CHANCE:
                position.roll(dice)
            else:
                position.push(player.choose(position, 0))
        assert position.result is not None
        points += position.result.scores[0]
    return points / games


@pytest.mark.parametrize("key", game_names())
def test_the_hand_written_players_beat_the_greedy_one(key: str) -> None:
    module, name = PLAYERS[key]
    player = getattr(load(module), name)(game(key))
    assert average(key, player) > average(key, agent("greedy", game(key), seed=1))


MISTAKE = """
from foxclover import Position
from foxclover.games.clever import Board

def faces(position: Position) -> int:
    face: int = Board(position).dice["yellow"].fase
    return face
"""


def test_mypy_accepts_the_players_and_finds_a_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(MISTAKE)
    files = [*(EXAMPLES / f"{name}.py" for name in {name for name, _ in PLAYERS.values()}), wrong]
    checked = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            f"--cache-dir={CACHE}",
            *files,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    found = [line for line in checked.stdout.splitlines() if ": error:" in line]
    assert len(found) == 1, checked.stdout + checked.stderr
    assert '"Die" has no attribute "fase"' in found[0]


def test_pyright_accepts_the_players_and_finds_a_mistake(tmp_path: Path) -> None:
    pytest.importorskip("basedpyright", reason="pyright needs the package basedpyright")
    (tmp_path / "wrong.py").write_text(MISTAKE)
    names = {name for name, _ in PLAYERS.values()}
    files = [str(tmp_path / "wrong.py"), *(str(EXAMPLES / f"{name}.py") for name in names)]
    settings = {"typeCheckingMode": "strict", "include": files}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    checked = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    found = json.loads(checked.stdout)["generalDiagnostics"]
    assert {Path(problem["file"]).name for problem in found} == {"wrong.py"}, found
    assert any("fase" in problem["message"] for problem in found)


# --- names people know


@pytest.mark.parametrize("key", game_names())
def test_turn_and_result_say_who_is_next_and_who_has_won(key: str) -> None:
    position: Position = game(key).start()
    for position in play_randomly(key, 2):
        assert position.is_over == position.over == (position.turn is None)
        if position.chance_due:
            assert position.turn == CHANCE
        elif not position.over:
            assert position.turn == position.acting[0]
        assert (position.result is None) != position.over
    assert position.result is not None
    assert position.result.scores == (position.score(0), position.score(1))
    assert position.result.places == tuple(position.places())
    assert position.result.winners == position.winners


def test_moves_need_no_seat_where_only_one_can_act() -> None:
    position = game("ganz").start(2)
    position.roll(scripted(["y3b2g4o1p6w5"]))
    assert list(position.legal_moves()) == list(position.legal_moves(0))
    position.push_text("y>y3a")
    assert position.turn == CHANCE
    assert list(position.legal_moves()) == list(position.legal_moves(CHANCE))
    assert position.parse("g4p6w5").seat == CHANCE
    position.roll()
    assert position.moves_made[-1].seat == CHANCE


def test_several_seats_that_may_act_must_be_named() -> None:
    position = game("geht").start(3, free_placement=True)
    for ask in (position.legal_moves, lambda: position.parse("build 1 on 1")):
        with pytest.raises(ValueError, match="several seats may act: 0, 1, 2; name one of them"):
            ask()
    assert position.turn == 0


def test_nothing_is_left_to_do_after_the_end() -> None:
    position = [*play_randomly("geht", 1)][-1]
    assert list(position.legal_moves()) == []
    with pytest.raises(IllegalMove):
        position.roll()


def test_rolls_without_dice_differ() -> None:
    rolls = {str(game("ganz").start().roll()) for _ in range(20)}
    assert len(rolls) > 10


def test_no_module_is_hidden_by_a_function_of_its_name() -> None:
    for part in ("", ".core", ".dice", ".ai", ".games", ".simulation", ".transcripts"):
        package = import_module(f"foxclover{part}")
        for found in pkgutil.iter_modules(package.__path__):
            shown = getattr(package, found.name, None)
            assert shown is None or isinstance(shown, ModuleType), found.name
