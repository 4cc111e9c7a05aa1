"""The command that lets nets learn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover.ai import nets
from foxclover.cli.output import Progress
from foxclover.core.game import game
from foxclover.games.clever.ai import training


@pytest.fixture(autouse=True)
def short_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = training.Training.evaluate
    monkeypatch.setattr(training, "GAMES_PER_ITERATION", 8)
    monkeypatch.setattr(training.Training, "evaluate", lambda student: evaluate(student, games=4))


def test_a_training_leaves_a_net_and_its_curve(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "training"
    assert run("train", "ganz", "--episodes", 16, "--workers", 1, "--out", folder) == 0
    assert str(folder) in capsys.readouterr().out
    assert nets.load(folder / "ganz-schoen-clever.net", game("ganz"))["bias"][0] > 0
    assert (folder / "curve.png").stat().st_size > 1000
    assert [
        progress.iteration for progress in training.Training.resume(game("ganz"), folder).curve
    ] == [
        1,
        2,
    ]
    assert run("train", "ganz", "--resume", folder) == 0, "nothing is left to do"
    capsys.readouterr()
    assert run("train", "ganz", "--resume", folder, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["net"] == str(folder / "ganz-schoen-clever.net")
    assert result["games"] == 16


def test_a_trained_net_is_refined_and_goes_on_after_a_break(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ganz = game("ganz")
    start, broken, whole = nets.shipped(ganz), tmp_path / "broken", tmp_path / "whole"
    assert (
        run("train", "ganz", "--net", start, "--episodes", 16, "--workers", 1, "--out", whole) == 0
    )
    with monkeypatch.context() as patched:
        patched.setattr("foxclover.cli.train.draw_curve", stop)  # after the first checkpoint
        assert (
            run("train", "ganz", "--net", start, "--episodes", 16, "--workers", 1, "--out", broken)
            != 0
        )
    assert training.Training.resume(ganz, broken).iteration == 1
    assert run("train", "ganz", "--resume", broken, "--workers", 1) == 0
    resumed, straight = (
        training.Training.resume(ganz, folder).arrays() for folder in (broken, whole)
    )
    assert resumed.keys() == straight.keys()
    assert all((resumed[name] == straight[name]).all() for name in resumed)
    assert (resumed["average.out"] != nets.shipped_net(ganz)["out"]).any()
    assert (whole / "curve.csv").read_text().splitlines()[0] == "term,three_players,solo,solo_p10"


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_net_that_cannot_be_read_is_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run("train", "ganz", "--net", tmp_path / "missing.net", "--out", tmp_path) == 2
    error = capsys.readouterr().err
    assert "missing.net cannot be read" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("episodes", [8, 20])
def test_the_progress_of_a_training_counts_every_game_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, episodes: int
) -> None:
    bars: list[Progress] = []

    def watched(total: int, label: str) -> Progress:
        bars.append(Progress(total, label))
        return bars[-1]

    monkeypatch.setattr("foxclover.cli.train.Progress", watched)
    assert (
        run("train", "ganz", "--episodes", episodes, "--workers", 2, "--out", tmp_path / "training")
        == 0
    )
    (bar,) = bars
    assert bar.done == bar.total == -(-episodes // 8) * 8


def test_a_folder_without_checkpoint_is_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run("train", "ganz", "--resume", tmp_path) == 2
    error = capsys.readouterr().err
    assert "has no checkpoint" in error
    assert error.count("\n") == 1


def test_a_damaged_checkpoint_is_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "checkpoint.npz").write_bytes(b"PK\x03\x04 and then nothing")
    assert run("train", "ganz", "--resume", tmp_path) == 2
    error = capsys.readouterr().err
    assert "has no checkpoint" in error
    assert error.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_reported_before_the_training(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert run("train", "ganz", "--out", tmp_path / "file" / "training") == 2
    assert "cannot be written" in capsys.readouterr().err
