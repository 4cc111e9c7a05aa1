"""``foxclover daily``: the game of the day at the terminal, once a day.

And games checked by the key of their day.
"""

from __future__ import annotations

import json
import time
from datetime import datetime
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.cli import daily as command
from foxclover.dice import daily
from foxclover.dice.sources import keyed
from foxclover.server.stores.sqlite import SqliteStore
from test_keyed_dice import played

DAY = "2026-11-16"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    monkeypatch.setattr(command, "FOR_PEOPLE", ("greedy",))
    now = [datetime.fromisoformat(f"{DAY}T12:00:00+00:00").timestamp()]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


def test_the_game_of_a_day_is_gone_on_with_and_counts_once(
    run: Run, clock: list[float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(*typed: str) -> str:
        assert (
            run(
                "daily",
                "geht",
                "--data",
                tmp_path / "data",
                "--name",
                "Ada",
                typed="\n".join(typed) + "\n",
            )
            == 0
        )
        return capsys.readouterr().out

    assert "12:00" in play("hint", "1", "quit")
    assert run("play", "--resume") == 2
    assert "foxclover daily geht-noch-was" in capsys.readouterr().err
    clock[0] = daily.ends(DAY) + 60
    out = play(*["1"] * 400)
    assert "place 1 of 1" in out
    file = next(tmp_path.glob(f"**/daily-{DAY}-*.txt"))
    before = file.read_text()
    clock[0] = daily.ends(DAY) - 60
    assert "place 1 of 1" in play("1")
    assert file.read_text() == before, "it is over"
    file.unlink()
    assert run("daily", "geht", "--data", tmp_path / "data") == 2
    assert "first start of a day counts" in capsys.readouterr().err
    file.write_text(before)
    clock[0] = daily.closes(DAY)
    assert run("daily", "geht", "--data", tmp_path / "data", "--closed") == 0
    out = capsys.readouterr().out
    key = out.partition("key ")[2][:64]
    assert "foxclover review" in out
    assert run("verify", file) == 1
    assert "--key" in capsys.readouterr().err
    assert run("verify", file, "--key", key) == 0
    computer = next(tmp_path.glob(f"**/daily-{DAY}-*-greedy.txt"))
    capsys.readouterr()
    assert run("verify", computer, "--json") == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True


def test_standing_and_commitment_are_printed(
    run: Run, clock: list[float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("daily", "--data", tmp_path / "data") == 0
    today = capsys.readouterr().out
    assert today.count("not started") == 3
    clock[0] = daily.closes(daily.day_after(DAY))
    assert run("daily", "--data", tmp_path / "data", "--closed") == 0
    closed = capsys.readouterr().out
    promises = [line.rpartition(" ")[2] for line in today.splitlines() if "SHA-256" in line]
    assert len(promises) == 3
    assert all(promise in closed for promise in promises)


def test_while_the_server_runs_its_page_is_named(
    run: Run, clock: list[float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = SqliteStore(tmp_path / "data")
    assert run("daily", "ganz", "--data", tmp_path / "data") == 2
    assert "on its page" in capsys.readouterr().err
    store._jobs.put(None)
    store._thread.join()


def test_a_game_of_a_day_is_checked_by_its_key(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, other = daily.day_key(b"secret", DAY, "ganz-schoen-clever"), bytes(32)
    position, file = played("ganz", 1, 3, keyed(key)), tmp_path / "game.txt"

    def write(dice: str) -> None:
        file.write_text(
            transcripts.write(transcripts.Header(position.game, ["Ada"], dice), position)
        )

    write(daily.dice_words(DAY, key, with_key=True))
    assert run("verify", file) == 0
    assert daily.promise(key) in capsys.readouterr().out
    assert run("verify", file, "--key", other.hex()) == 1
    assert "does not match the commitment" in capsys.readouterr().err
    write(daily.dice_words(DAY, other, with_key=True))
    assert run("verify", file) == 1
    assert "Draw 1 does not match the key of the day" in capsys.readouterr().err
    for bad in ("xyz", "00"):
        assert run("verify", file, "--key", bad) == 2
        assert "64" in capsys.readouterr().err
