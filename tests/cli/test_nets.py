"""``--net FILE`` and ``net=FILE`` in commands with computer players."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import game, seeded
from foxclover.ai import nets


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A net of Ganz schön clever that prefers other moves."""
    chosen = game("ganz")
    changed = {name: array.copy() for name, array in nets.shipped_net(chosen).items()}
    changed["out"] *= -1
    nets.save(tmp_path / "other.net", chosen, changed)
    return tmp_path / "other.net"


def test_simulate_takes_a_net_as_an_option_and_in_names(
    run: Run, capsys: pytest.CaptureFixture[str], other: Path
) -> None:
    means = []
    for arguments in (
        ["--agent", "net", "--net", other],
        ["--agent", f"net={other}"],
        ["--agent", "net"],
    ):
        assert run("simulate", "ganz", "--games", 4, "--seed", 4, "--json", *arguments) == 0
        means.append(json.loads(capsys.readouterr().out)["mean"])
    assert means[0] == means[1] != means[2]


def test_play_and_advise_take_a_net(
    run: Run, capsys: pytest.CaptureFixture[str], other: Path, tmp_path: Path
) -> None:
    position = game("ganz").start()
    position.roll(seeded(1))
    shown = []
    for arguments in ([], ["--net", other]):
        assert run("advise", position.text, *arguments) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] != shown[1]
    players = f"Ada,Bo:net={other}"
    save = tmp_path / "game.txt"
    assert run("play", "ganz", "--players", players, "--save", save, typed="quit\n") == 0
    assert f"Bo:net={other}" in save.read_text(encoding="utf-8")


def test_a_foreign_net_is_refused_in_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    position = game("ganz").start()
    position.roll(seeded(1))
    assert run("advise", position.text, "--net", nets.shipped(game("geht"))) == 2
    error = capsys.readouterr().err
    assert "is for geht-noch-was, not for ganz-schoen-clever" in error
    assert error.count("\n") == 1
