from __future__ import annotations

import json

import pytest

from cli.conftest import Run
from foxclover.cli import bench
from foxclover.game import GAMES


def test_bench_tells_speeds_and_compile_times(run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    monkeypatch.setattr(bench, "compile_times", lambda _: {"cold_s": 2.0, "cached_s": 1.0})
    assert run("bench", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["games"]) == list(GAMES)
    for speeds in result["games"].values():
        assert {"cpython_games_per_s", "compiled_games_per_s", "compiled_games_per_s_4p"} <= speeds.keys()
        assert speeds["compiled_games_per_s"] > speeds["cpython_games_per_s"] > 0
    assert run("bench") == 0
    assert "with a filled cache 1.0 s" in capsys.readouterr().out
