"""``foxclover puzzle``: one sentence where there is nothing to solve, and puzzles by id."""

from __future__ import annotations

import json

import pytest

from cli.conftest import Run
from foxclover import puzzles
from foxclover.cli import main
from foxclover.core.game import game
from foxclover.locale import catalogue


def test_a_game_without_puzzles_is_named_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_shipped(_: object) -> None:
        raise puzzles.PuzzleError("there are no puzzles for Ganz schön clever")

    monkeypatch.setattr(puzzles, "load", none_shipped)
    assert main(["puzzle", "ganz"]) == 2
    assert capsys.readouterr().err == "foxclover: there are no puzzles for Ganz schön clever\n"


def test_unknown_ids_and_themes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = next(iter(puzzles.load(game("ganz")).values()))
    assert main(["puzzle", "ganz", "--id", "nothing"]) == 2
    assert main(["puzzle", "ganz", "--theme", "nothing"]) == 2
    assert main(["puzzle", "ganz", "--id", puzzle.id, "--json"]) == 0
    shown = capsys.readouterr()
    assert shown.err.count("foxclover: ") == 2
    assert puzzle.position.text in shown.out


def test_a_theme_chooses_puzzles_and_json_has_their_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["puzzle", "geht", "--theme", "push_or_score", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "push_or_score" in found["themes"]
    position = game("geht").read_position(found["position"])
    assert [move.text for move in position.legal_moves(found["seat"])] == found["legal"]
    assert found["options"][0]["loss"] == 0 < found["options"][1]["loss"]


def test_one_move_is_the_answer(capsys: pytest.CaptureFixture[str], run: Run) -> None:
    puzzle = next(iter(puzzles.load(game("ganz")).values()))
    best, second = (option.move for option in puzzle.options[:2])
    why = puzzles.explain(puzzle, second, catalogue("en"))
    assert why
    for typed, sentences, solved in (
        (f"nothing\n{best.text}", ["Solved: that is the best move."], 1),
        (second.text, [f"That loses {puzzle.options[1].loss} points.", *why], 0),
        ("show", ["Best: "], 0),
    ):
        assert run("puzzle", "ganz", "--id", puzzle.id, typed=f"{typed}\n") == 0
        shown = capsys.readouterr().out
        assert all(sentence in shown for sentence in sentences)
        assert f"Solved: {solved} of 1." in shown
    assert run("puzzle", "ganz", typed="quit\n") == 0
    assert "Solved: 0 of 0." in capsys.readouterr().out
