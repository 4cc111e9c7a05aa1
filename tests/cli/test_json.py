"""Results for programs: ``--json`` of ``sheet``, ``deck``, ``play --list`` and ``train``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from foxclover import game, read_position
from foxclover.cli import saves
from foxclover.core.registry import game_entries

AGENT = """
class Broken:
    def __init__(self, game):
        pass

    def choose(self, position, seat):
        if len(position.moves_made) > 3:
            raise RuntimeError("out of ideas")
        return position.legal_moves(seat)[0]
"""


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("command", "key"), [("sheet", "ganz-schoen-clever"), ("deck", "geht-noch-was")]
)
def test_a_definition_is_checked_for_programs(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, key: str
) -> None:
    source = game_entries()[key].file
    assert run(command, source, "--json") == 0
    found = printed(capsys)
    assert found["ok"]
    assert found["summary"]
    assert not [finding for finding in found["findings"] if finding["error"]]
    broken = tmp_path / "broken.toml"
    broken.write_text(source.read_text(encoding="utf-8").replace("players = [1,", "players = [9,"))
    assert run(command, broken, "--json") == 1
    found = printed(capsys)
    assert not found["ok"]
    errors = [finding for finding in found["findings"] if finding["error"]]
    lines = broken.read_text(encoding="utf-8").splitlines()
    assert errors
    assert all(lines[error["line"] - 1].startswith("players") for error in errors)


def test_saved_games_are_listed_for_programs(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(saves, "data_folder", lambda: tmp_path)
    assert run("play", "--list", "--json") == 0
    assert printed(capsys) == []
    assert run("play", "ganz", "--players", "Ada,Bo", "--seed", 1, typed="quit\n") == 0
    capsys.readouterr()
    assert run("play", "--list", "--json") == 0
    (save,) = printed(capsys)
    assert (save["number"], save["game"], save["players"]) == (
        1,
        "ganz-schoen-clever",
        ["Ada", "Bo"],
    )
    assert (save["scores"], save["round"], save["over"]) == ([0, 0], 1, False)
    assert Path(save["file"]).exists()


def test_a_custom_agent_that_fails_shows_where_and_in_which_position(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "broken_agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    command = ["simulate", "ganz", "--agent", "broken_agent:Broken", "--games", 1, "--seed", 1]
    assert run(*command) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert run(*command, "--traceback") == 2
    error = capsys.readouterr().err
    assert 'raise RuntimeError("out of ideas")' in error
    note = next(line for line in error.splitlines() if line.startswith("seat 0 of the position: "))
    position = read_position(note.partition(": ")[2])
    assert position.game == game("ganz")
    assert position.acting == (0,)
