"""Transcripts are verified move by move."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.core.game import game


@pytest.fixture
def transcript(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    file = tmp_path / "game.txt"
    assert (
        run(
            "play",
            "ganz",
            "--seed",
            4,
            "--players",
            "Ada,Bo:greedy",
            "--save",
            file,
            typed="1\n" * 500,
        )
        == 0
    )
    capsys.readouterr()
    return file


def change(file: Path, number: int, line: str) -> None:
    lines = file.read_text().splitlines()
    lines[number - 1] = line
    file.write_text("\n".join(lines))


def test_a_good_transcript_shows_sheets_and_scores(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", transcript) == 0
    out = capsys.readouterr().out
    assert "── Ada ──" in out
    assert "all legal." in out
    assert "not over" not in out


def test_it_can_answer_as_json(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", transcript, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["game"] == "ganz-schoen-clever"
    assert answer["over"] is True
    assert [sum(score["parts"].values()) for score in answer["scores"]] == [
        score["score"] for score in answer["scores"]
    ]


def test_a_transcript_can_come_from_a_pipe(run: Run, transcript: Path) -> None:
    assert run("replay", "-", typed=transcript.read_text()) == 0


def test_an_unfinished_game_is_fine_and_said_to_be_unfinished(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript.write_text("\n".join(transcript.read_text().splitlines()[:20]))
    assert run("replay", transcript) == 0
    assert "The game is not over." in capsys.readouterr().out


WRONG = {
    "unreadable": ("1: hello", "Line 8: “hello” cannot be read."),
    "illegal": ("1: y>y6d9", "Line 8: “y>y6d9”"),
    "ambiguous": ("1: w", "Line 8: “w” could be several moves. Possible: w>"),
    "no seat": ("Ada rolls", "Line 8: “Ada rolls” cannot be read."),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_moves_name_line_text_and_what_would_be_legal(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    line, sentence = WRONG[kind]
    change(transcript, 8, line)
    assert run("replay", transcript) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_rolls_are_checked_against_the_seed(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", transcript) == 0
    assert "All rolls follow from seed 4." in capsys.readouterr().out
    transcript.write_text(transcript.read_text().replace("dice: seed 4", "dice: seed 5"))
    assert run("replay", transcript, "--lang", "de") == 1
    error = capsys.readouterr().err
    assert "Zeile 7: seed 5 ergibt nicht „" in error
    assert error.count("\n") == 1


def test_rolls_without_a_seed_are_said_to_be_taken_as_written(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript.write_text(transcript.read_text().replace("dice: seed 4", "dice: typed"))
    assert run("replay", transcript) == 0
    assert "The rolls are not checked" in capsys.readouterr().out


def test_games_of_a_batch_are_checked_against_their_seed(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for key in ("ganz", "geht"):
        assert (
            run(
                "simulate",
                key,
                "--games",
                2,
                "--seed",
                3,
                "--players",
                2,
                "--transcripts",
                tmp_path / key,
            )
            == 0
        )
        for file in (tmp_path / key).iterdir():
            assert run("replay", file) == 0
            assert "All rolls follow from seed 3 game" in capsys.readouterr().out


def test_a_byte_order_mark_is_fine(run: Run, transcript: Path) -> None:
    transcript.write_text("\ufeff" + transcript.read_text())
    assert run("replay", transcript) == 0


def test_long_lines_and_signs_for_the_terminal_are_not_echoed(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, line in (
        (8, "1: " + "y" * 5000),
        (4, "x" * 5000),
        (2, "game: \x1b[31m" + "g" * 5000),
        (3, "players: \x1b[31m" + "a" * 5000),
    ):
        change(transcript, number, line)
        assert run("replay", transcript) == 1
        error = capsys.readouterr().err
        assert len(error) < 1000
        assert "\x1b" not in error


@pytest.mark.parametrize(
    ("line", "language", "sentence"),
    [
        ("variant: solo-rules", "en", "Ganz schön clever has no options"),
        ("variant:", "de", "Ganz schön clever hat keine Optionen"),
        ("deck: mine.toml", "nl", "Ganz schön clever heeft geen regel “deck:”"),
        ("digest: 0123", "en", "“digest:” does not belong in the header"),
        ("sheet: nowhere.toml", "de", "nowhere.toml lässt sich nicht verwenden"),
    ],
)
def test_what_does_not_belong_into_a_clever_header_is_refused(
    run: Run,
    transcript: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    language: str,
    sentence: str,
) -> None:
    transcript.write_text(transcript.read_text().replace("dice: seed 4", f"dice: seed 4\n{line}"))
    assert run("replay", transcript, "--lang", language) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.fixture
def own_deck(tmp_path: Path) -> Path:
    deck = tmp_path / "mine.toml"
    deck.write_bytes(game("geht").definition.source)
    return deck


def test_a_deck_that_was_changed_is_noticed(
    run: Run,
    own_deck: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "game.txt"
    assert run("play", "geht", "--deck", own_deck, "--players", "Bo:greedy", "--save", file) == 0
    assert run("replay", file) == 0
    position = transcripts.read(file.read_text()).position
    assert game("geht", str(own_deck)).load(position.dump()) == position
    kept = own_deck.read_text()
    own_deck.write_text(kept.replace('96 = "W6 & W6 & W6"', '96 = "W5 & W5 & W5"'))
    capsys.readouterr()
    assert run("replay", file) == 1
    assert "mine.toml has changed since" in capsys.readouterr().err
    with pytest.raises(ValueError, match="has been changed since"):
        game("geht", str(own_deck)).load(position.dump())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.toml").write_text(kept)
    own_deck.unlink()
    monkeypatch.chdir(elsewhere)
    assert run("replay", file) == 0


def test_a_bad_deck_is_one_sentence(
    run: Run, own_deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    assert run("play", "geht", "--deck", own_deck, "--players", "Bo:greedy", "--save", file) == 0
    own_deck.write_text(
        own_deck.read_text().replace("room = 4", "room = 9").replace("clover = 4", "clover = 99")
    )
    capsys.readouterr()
    for command in (("replay", file), ("play", "geht", "--deck", own_deck), ("review", file)):
        assert run(*command) != 0
        error = capsys.readouterr().err
        assert "mine.toml cannot be used: line" in error
        assert "and one more error" in error
        assert error.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["Dear Ada", "game: skat", "players:", "players: A,B,C,D,E", "weather: fine"]
)
def test_a_broken_header_is_reported(
    run: Run, transcript: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    change(transcript, {"D": 1, "g": 2, "p": 3, "w": 4}[line[0]], line)
    assert run("replay", transcript) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"foxclover: {transcript}: ")
    assert error.count("\n") == 1


def test_an_empty_file_is_no_transcript(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").write_text("")
    assert run("replay", tmp_path / "empty") == 1
    assert "not a transcript" in capsys.readouterr().err
