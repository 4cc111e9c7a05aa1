"""``foxclover puzzle``: one sentence where there is nothing to solve, and puzzles by id."""

from __future__ import annotations

import pytest

from foxclover import puzzles
from foxclover.cli import main
from foxclover.core.game import game


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
