"""Transcripts are verified move by move."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Run


@pytest.fixture
def transcript(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    file = tmp_path / "game.txt"
    assert run("play", "ganz", "--seed", 4, "--players", "Ada,Bo:greedy", "--save", file, typed="1\n" * 500) == 0
    capsys.readouterr()
    return file


def change(file: Path, number: int, line: str) -> None:
    lines = file.read_text().splitlines()
    lines[number - 1] = line
    file.write_text("\n".join(lines))


def test_a_good_transcript_shows_sheets_and_scores(run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", transcript) == 0
    out = capsys.readouterr().out
    assert "── Ada ──" in out
    assert "all legal." in out
    assert "not over" not in out


def test_it_can_answer_as_json(run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", transcript, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["game"] == "ganz-schoen-clever"
    assert answer["over"] is True
    assert [sum(score["parts"].values()) for score in answer["scores"]] == [score["score"] for score in answer["scores"]]


def test_a_transcript_can_come_from_a_pipe(run: Run, transcript: Path) -> None:
    assert run("replay", "-", typed=transcript.read_text()) == 0


def test_an_unfinished_game_is_fine_and_said_to_be_unfinished(run: Run, transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transcript.write_text("\n".join(transcript.read_text().splitlines()[:20]))
    assert run("replay", transcript) == 0
    assert "The game is not over." in capsys.readouterr().out


WRONG = {
    "unreadable": ("1: hello", "Line 8: “hello” cannot be read."),
    "illegal": ("1: y>y6d9", "Line 8: “y>y6d9”"),
    "ambiguous": ("1: w", "Line 8: “w” could be more than one move. Possible: w>"),
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


@pytest.mark.parametrize("line", ["Dear Ada", "game: skat", "players:", "players: A,B,C,D,E", "weather: fine"])
def test_a_broken_header_is_told(run: Run, transcript: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    change(transcript, {"D": 1, "g": 2, "p": 3, "w": 4}[line[0]], line)
    assert run("replay", transcript) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"foxclover: {transcript}: ")
    assert error.count("\n") == 1


def test_an_empty_file_is_no_transcript(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").write_text("")
    assert run("replay", tmp_path / "empty") == 1
    assert "no transcript" in capsys.readouterr().err
