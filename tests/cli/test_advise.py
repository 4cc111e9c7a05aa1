"""Advice at the end of a transcript."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.ai import agent
from foxclover.cli.reading import shown_text
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.dice.sources import seeded
from foxclover.locale import catalogue


def write(position: Position, path: Path) -> Path:
    names = [f"Player {seat + 1}" for seat in range(position.players)]
    path.write_text(
        transcripts.write(transcripts.Header(position.game, names), position), encoding="utf-8"
    )
    return path


def some_position(moves: int, players: int = 1) -> Position:
    chosen = game("ganz")
    position, dice, player = chosen.start(players), seeded(6), agent("greedy", chosen)
    while not position.over and len(position.moves_made) < moves:
        position.push(
            dice.draw(position)
            if position.chance_due
            else player.choose(position, position.acting[0])
        )
    return position


def test_every_move_is_ranked_in_words(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = some_position(21)
    assert position.acting
    assert run("advise", write(position, tmp_path / "game.txt"), "--json") == 0
    advice = json.loads(capsys.readouterr().out)
    (seat,) = advice["seats"]
    texts = [move["move"] for move in seat["moves"]]
    assert sorted(texts) == sorted(move.text for move in position.legal_moves(0))
    best = seat["moves"][0]
    assert best["difference"] == 0
    assert best["se"] >= 0
    assert run("advise", tmp_path / "game.txt") == 0
    shown = capsys.readouterr().out
    assert f"{best['words']}" in shown


@pytest.mark.parametrize(("language", "sign"), [("de", ","), ("en", r"\."), ("nl", ",")])
def test_figures_are_aligned_in_every_language(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, language: str, sign: str
) -> None:
    position = some_position(21)
    assert run("advise", write(position, tmp_path / "game.txt"), "--lang", language) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    row = re.compile(rf"  [ \d]{{4}}{sign}\d .{{6}} [ +\-\d]{{4}}{sign}\d  (\S+) +\S")
    texts = [found[1] for line in lines if (found := row.match(line))]
    assert sorted(texts) == sorted(
        shown_text(move, position, catalogue(language)) for move in position.legal_moves(0)
    )
    assert run("play", "ganz", "--seed", 1, "--lang", language, typed="hint\nquit\n") == 0
    assert re.search(
        rf"^  [ \d]{{4}}{sign}\d   \+0{sign}0  ", capsys.readouterr().out, re.MULTILINE
    )


@pytest.mark.parametrize(("moves", "sentence"), [(10_000, "is over"), (0, "waits for a roll")])
def test_nothing_to_advise_is_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, moves: int, sentence: str
) -> None:
    file = write(some_position(moves), tmp_path / "game.txt")
    assert run("advise", file) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_a_transcript_may_come_in(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = some_position(21)
    typed = write(position, tmp_path / "game.txt").read_text(encoding="utf-8")
    assert run("advise", "-", "--json", typed=typed) == 0
    (seat,) = json.loads(capsys.readouterr().out)["seats"]
    assert len(seat["moves"]) == len(position.legal_moves(0))
    assert run("advise", "-", typed="nonsense") == 1
    assert "foxclover: -: " in capsys.readouterr().err


def test_a_position_is_advised_on_from_a_file_or_as_it_is(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = some_position(20, players=2)
    assert position.acting
    (tmp_path / "position.txt").write_text(position.text, encoding="utf-8")
    for source in (position.text, tmp_path / "position.txt"):
        assert run("advise", source) == 0
        shown = capsys.readouterr().out
        assert f"Player {position.acting[0] + 1}" in shown
        assert all(move.words() in shown for move in position.legal_moves(position.acting[0]))


def test_a_wrong_position_is_refused_in_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("advise", "ganz-schoen-clever round:9 /") == 1
    error = capsys.readouterr().err
    assert error == "foxclover: table, round: expected a number from 1 to 6, not “9”\n"
    assert run("advise", "chess round:9 /") == 2
    assert "chess" in capsys.readouterr().err
