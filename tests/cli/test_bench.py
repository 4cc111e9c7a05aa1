from __future__ import annotations

import json

import pytest

from cli.conftest import Run
from foxclover.cli import bench
from foxclover.core.game import game_names


def test_bench_prints_speeds(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    for name, games in (("PLAIN_GAMES", 20), ("KERNEL_GAMES", 200), ("NET_GAMES", 1)):
        monkeypatch.setattr(bench, name, games)
    monkeypatch.setattr(
        bench, "first_game", lambda _: {"first_net_game_s": 2.0, "first_net_game_cached_s": 1.0}
    )
    assert run("bench", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["games"]) == game_names()
    for speeds in result["games"].values():
        assert {
            "cpython_games_per_s",
            "compiled_games_per_s",
            "compiled_games_per_s_4p",
            "net_ms_per_game_2p",
        } <= speeds.keys()
        assert speeds["compiled_games_per_s"] > speeds["cpython_games_per_s"] > 0
    assert run("bench") == 0
    assert "2.00 s of processor time, then 1.00 s" in capsys.readouterr().out
