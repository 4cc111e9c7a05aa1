"""A custom sheet, added as CONTRIBUTING describes.

A file is enough to play it everywhere.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from clever_table import recount
from foxclover.ai import nets
from foxclover.cli import main
from foxclover.core.display import nearest_terminal_colour
from foxclover.core.game import Game, game, game_names
from foxclover.core.registry import UnknownGame, add_search_path
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.kernel.python_backend import PythonKernel
from foxclover.locale import LANGUAGES, catalogue
from foxclover.simulation.workers import Runner
from own_sheet import KEY, write_sheet
from tables import ME, ROBOT, context


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The sheet in a folder of its own."""
    return write_sheet(tmp_path / "own")


@pytest.fixture
def offered(file: Path) -> Iterator[Game]:
    """The game among all others."""
    add_search_path(file.parent)
    yield game(KEY)
    add_search_path(None)


def test_the_sheet_is_checked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "sheet", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown == (
        "Ganz bunt: dice y=yellow b=blue g=green o=ochre u=burgundy w=white; "
        "56 fields, 6 foxes. No errors.\n"
    )
    file.write_text(
        file.read_text()
        .replace('"burgundy 5"', '"burgundy 7"')
        .replace("year = 2026", 'year = "now"')
    )
    assert main(["--lang", "en", "sheet", str(file)]) == 1
    first, second, last = capsys.readouterr().err.splitlines()
    assert first.endswith("column 8: year: expected a whole number from 1 to 9999")
    assert (
        "area 1.row_bonus 1: expected burgundy with one of ?, 1, 2, 3, 4, 5, 6, not 'burgundy 7'"
        in second
    )
    assert last == f"foxclover: {file} has 2 errors. Correct them and check it again."


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_random_games_hold_the_invariants(file: Path, players: int) -> None:
    own = game(str(file))
    position, dice, choice = own.start(players), seeded(players), random.Random(players)
    while not position.over:
        seat = choice.choice(sorted(position.to_act))
        move = dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        assert position.parse(move.text, move.seat) == move
        assert all(move.words(catalogue(language)) for language in LANGUAGES)
        position.push(move)
        assert isinstance(own.definition, CleverDefinition)
        for seat in range(players):
            assert (
                recount(own.definition, position.state.seats[seat])
                == position.state.seats[seat].points
            )
    assert own.load(position.dump()) == position
    assert position.winners


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_the_kernel_plays_like_cpython(
    file: Path, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = game(str(file))
    compiled = Runner(own, [player] * 3)(5, 0, 4).tolist()
    monkeypatch.setattr(nets, "open_kernel", PythonKernel)
    assert Runner(own, [player] * 3)(5, 0, 4).tolist() == compiled


def test_its_words_letters_and_colours(file: Path) -> None:
    own = game(str(file))
    words = [
        own.words.part_words(own.definition, "burgundy", catalogue(language))
        for language in ("en", "de", "nl")
    ]
    assert words == ["burgundy", "Weinrot", "burgundy"]  # no Dutch word: the English one
    forms = ("noun", "adjective", "nominative", "dative")
    german = [own.definition.colour("burgundy", catalogue("de"), form) for form in forms]
    assert german == ["Weinrot", "weinrote", "weinroter", "weinroten"]
    german = [own.definition.colour("ochre", catalogue("de"), form) for form in forms]
    assert german == ["Ocker", "ocker", "ocker", "ocker"]  # a word without an adjective
    layout = own.layout()
    assert next(die["letter"] for die in layout["dice"] if die["name"] == "burgundy") == "u"
    assert layout["paints"][3:5] == [
        {"name": "ochre", "colour": "#b87333", "ink": "#25170a"},
        {"name": "burgundy", "colour": "#800020", "ink": "#ffffff"},
    ]
    position = own.start()
    position.push_text("y3b2g4o1u6w5", CHANCE)
    assert "u>u6" in [move.text for move in position.legal_moves(0)]


@pytest.mark.parametrize(
    "words",
    [["play", "FILE"], ["play", "--sheet", "FILE"], ["play", "ganz-schoen", "--sheet", "FILE"]],
)
def test_it_is_played_in_the_terminal(
    words: list[str],
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    options = [
        "--lang",
        "de",
        "--seed",
        "3",
        "--players",
        "Ada,greedy",
        "--save",
        str(tmp_path / "saved.txt"),
    ]
    main([str(file) if word == "FILE" else word for word in words] + options)
    shown = capsys.readouterr().out
    assert f"48;5;{nearest_terminal_colour('#800020')};" in shown
    assert "weinrot" in shown.lower()
    assert f"sheet: {file}" in (tmp_path / "saved.txt").read_text()


def test_it_is_played_through_the_server(offered: Game, tmp_path: Path) -> None:
    with context(tmp_path / "data") as server:
        listed = {info["key"]: info for info in server.client.get("/api/games").json()["games"]}
        assert listed[KEY]["name"] == "Ganz bunt"
        layout = server.client.get(f"/api/games/{KEY}/layout?lang=de").json()
        assert [layout["words"][name] for name in ("ochre", "burgundy", "burgundy 5", "fox")] == [
            "Ocker",
            "Weinrot",
            "Weinrot 5",
            "Fuchs",
        ]
        code, tokens = server.create(ME, ROBOT, game=KEY, options={"seed": 8})
        with server.sit(code, *tokens, language="de") as guest:
            while not guest.state["view"]["over"]:
                if guest.moves() or 0 in guest.state["rollers"]:
                    guest.play()
                else:
                    guest.until("state")
            said = " ".join(entry["words"] for entry in guest.log)
            assert "weinrote 6" in said
            assert "in Weinrot" in said
            assert "Ocker" in said


def test_a_game_whose_name_begins_like_another_one_is_found_by_its_own(file: Path) -> None:
    file.rename(file.with_name("ganz.toml"))
    add_search_path(file.parent)
    try:
        assert [game(name).key for name in ("ganz", "GANZ ", "ganz-")] == [
            "ganz",
            "ganz",
            "ganz-schoen-clever",
        ]
        with pytest.raises(
            UnknownGame, match=r"'g' could be ganz-schoen-clever or geht-noch-was or ganz$"
        ):
            game("g")
    finally:
        add_search_path(None)


def test_a_folder_with_a_bad_file_is_refused_by_serve(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = file.with_name("broken.toml")
    serve = ["--lang", "en", "serve", "--port", "0", "--sheets"]
    for source, problem in {
        'family = "clever"\n': (
            "broken cannot be used: line 1: title: expected a text of 1 to 80 letters"
        ),
        file.read_text().replace('"burgundy 5"', '"burgundy 7"'): (
            "broken cannot be used: line 43, column 14: area 1.row_bonus 1: expected burgundy"
        ),
        f'game = "ganz-schoen-clever"\n{file.read_text()}': (
            "broken.toml cannot be used: line 1: "
            "ganz-schoen-clever.toml already has the name ganz-schoen-clever"
        ),
    }.items():
        broken.write_text(source)
        assert main([*serve, str(file.parent)]) == 2
        assert capsys.readouterr().err.startswith(f"foxclover: {problem}")
        assert KEY not in game_names()
    assert main([*serve, str(broken)]) == 2
    assert capsys.readouterr().err == f"foxclover: {broken} is not a folder. Name another one.\n"
