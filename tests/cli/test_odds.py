"""The commands odds and deck, and the odds on request in terminal play."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from foxclover.core.game import game
from foxclover.locale import LANGUAGES

Run = Callable[..., int]


def test_odds_of_a_condition(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("odds", "=RR|=BB") == 0
    out = capsys.readouterr().out
    assert "=RR | =BB: 2 red dice of equal value or 2 blue dice of equal value" in out
    assert "84.57 % (236,736 of 279,936 rolls)" in out


@pytest.mark.parametrize(
    ("language", "chance"),
    [
        ("de", "84,57 % (236.736 von 279.936 Würfen)"),
        ("nl", "84,57 % (236.736 van 279.936 worpen)"),
    ],
)
def test_odds_with_the_signs_of_a_language(
    run: Run, capsys: pytest.CaptureFixture[str], language: str, chance: str
) -> None:
    assert run("odds", "=RR|=BB", "--lang", language) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"  {chance}"
    run("play", "geht", "--seed", "1", "--lang", language, typed="odds\nquit\n")
    shown = capsys.readouterr().out
    assert "\n 72,2 %  " in shown
    assert "\n  4,9 %  " in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_odds_for_programs(run: Run, capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert run("odds", "W4", "--json", "--lang", language) == 0
    assert json.loads(capsys.readouterr().out) == {
        "condition": "W4",
        "hits": 201_811,
        "of": 279_936,
        "probability": 201_811 / 279_936,
    }


def test_odds_of_at_least_one_of_several(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("odds", "W4", "W5") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  94.15 % (263,552 of 279,936 rolls)"
    assert run("odds", "W4", "W5", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["condition"], found["hits"]) == ("W4 | W5", 263_552)


def test_a_condition_that_cannot_be_read_names_the_column(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("odds", "W9") == 2
    assert (
        capsys.readouterr().err
        == "foxclover: “W9” is not a condition. Column 2, expected: a number from 1 to 6.\n"
    )


def test_the_standard_deck_is_fit_to_play(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deck.toml"
    file.write_bytes(game("geht").definition.source)
    assert run("deck", file) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "standard: 96 cards (start 24, green 36, yellow 21, red 15). No errors."
    assert out[0].endswith("card 1: 3 green cards need =BB")


def test_a_deck_with_an_impossible_card_is_refused(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deck.toml"
    file.write_bytes(game("geht").definition.source.replace(b'">BBB"', b'"=RRRR"'))
    assert run("deck", file) == 1
    assert "card 82: no roll fulfils =RRRR" in capsys.readouterr().err
    assert run("play", "geht", "--deck", file) == 2
    assert "card 82: no roll fulfils =RRRR" in capsys.readouterr().err


def test_a_deck_that_is_not_there(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("deck", tmp_path / "none.toml") == 2
    assert "cannot be read" in capsys.readouterr().err


def test_terminal_play_shows_the_odds_on_request(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run("play", "geht", "--seed", "1", typed="odds\nquit\n")
    out = capsys.readouterr().out
    assert "72.2 %  level 1: green 1 (2 blue dice of equal value)" in out
    assert "4.9 %  none of them" in out
    assert "Expected points of this round" in out


def test_games_without_odds_say_so(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("play", "ganz", "--seed", "1", typed="odds\nquit\n")
    assert "Only Geht noch was? has chances" in capsys.readouterr().out
