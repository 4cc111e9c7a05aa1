"""The benchmark: frozen tasks, results that can be checked, agents that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from foxclover.benchmark import FINGERPRINTS, budget, find_task, fingerprint, results, tasks
from foxclover.cli import main
from foxclover.core.game import game_names
from foxclover.simulation import simulate

AGENTS = """import os, time


class First:
    def __init__(self, game):
        pass

    def choose(self, position, seat):
        return position.legal_moves(seat)[0]


class Illegal(First):
    def choose(self, position, seat):
        return "nonsense"


class Raising(First):
    def choose(self, position, seat):
        raise KeyError("lost")


class Slow(First):
    def choose(self, position, seat):
        time.sleep(60)


class Dying(First):
    def choose(self, position, seat):
        os._exit(3)
"""


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "bench_agents.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.delitem(sys.modules, "bench_agents", raising=False)
    return "bench_agents"


def test_every_game_has_frozen_tasks() -> None:
    assert sorted(FINGERPRINTS) == sorted(game_names())
    names = [task.name for task in tasks()]
    assert names[:4] == ["ganz-v1", "doppelt-v1", "geht-v1", "ganz-2p-v1"]
    assert len(set(names)) == 9


@pytest.mark.parametrize("key", FINGERPRINTS)
def test_changed_rules_actions_or_observations_need_a_new_version(key: str) -> None:
    assert fingerprint(key) == FINGERPRINTS[key]


def test_a_budget_is_the_smallest_that_contains_the_steps() -> None:
    assert [budget(steps) for steps in (0, 10**6, 10**6 + 1, 10**9, None)] == [
        *("1M", "1M", "100M", "unlimited", "unlimited")
    ]


def test_a_result_has_the_points_of_the_frozen_seed() -> None:
    result = results.play(find_task("ganz-v1"), "greedy", games=30)
    scores = simulate("ganz", "greedy", games=30, seed=331_001).scores
    assert result.figures["mean"] == pytest.approx(scores.mean(), abs=0.001)
    assert result.figures["max"] == scores.max()


def test_agents_take_every_seat_against_every_opponent() -> None:
    result = results.play(find_task("ganz-2p-v1"), "net", games=4)
    assert result.figures["games"] == 12
    assert result.figures["wins"]["greedy"]["share"] > 0.9
    assert result.figures["wins"]["net"] == {"share": 0.5, "se": 0.0}  # itself, on the same dice
    assert list(result.digests) == ["net of net", "net of medium"]


@pytest.mark.parametrize("task", ["ganz-v1", "geht-2p-v1"])
def test_a_result_is_checked_without_its_agent(
    agents: str, tmp_path: Path, task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "result.json"
    assert (
        main(["benchmark", f"{agents}:First", "--task", task, "--games", "2", "--out", str(file)])
        == 0
    )
    (tmp_path / "bench_agents.py").unlink()
    assert main(["benchmark", "--check", str(file)]) == 0
    assert "is right" in capsys.readouterr().out
    written = json.loads(file.read_text(encoding="utf-8"))
    changes = {
        "figures": {**written["figures"], "mean": 400.0},
        "transcripts": "0" * 64,
        "moves": [["; ".join(["x"] * 9)] * len(games) for games in written["moves"]],
        "set": "holdout",
        "fingerprint": "",
        "games": 3,
        "protocol": 0,
        "task": "chess-v1",
    }
    for name, value in changes.items():
        file.write_text(json.dumps({**written, name: value}), encoding="utf-8")
        assert main(["benchmark", "--check", str(file)]) == 1, name
        assert "is wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("bench_agents:Illegal", "chose 'nonsense'"),
        ("bench_agents:Raising", "KeyError: 'lost'"),
        ("bench_agents:Slow", "took longer than 1 seconds"),
        ("bench_agents:Dying", "ended with code 3"),
        ("bench_agents:Missing", "has no 'Missing'"),
        ("missing_module:First", "cannot be imported"),
        ("nobody", "is no computer player"),
        ("net=missing.net", "missing.net"),
    ],
)
def test_a_bad_agent_gets_a_sentence_and_a_row(
    agents: str, agent: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["benchmark", agent, "--games", "2", "--seconds", "1", "--force", "--out", "bad.json"]
    assert main([*words, "--json"]) == 2
    assert why in json.loads(capsys.readouterr().out)["failure"]
    assert main(["benchmark", "--check", "bad.json"]) == 1
    assert "not finished" in capsys.readouterr().out


def test_wrong_words_get_a_sentence(agents: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words, sentence in (
        ((), "Name an agent"),
        (("net", "--task", "chess-v1"), "is no task"),
        (("--check", "missing.json"), "missing.json"),
    ):
        assert main(["benchmark", *words]) == 2
        assert sentence in capsys.readouterr().err
    Path("other.json").write_text("[]", encoding="utf-8")
    assert main(["benchmark", "--check", "other.json"]) == 1
    assert main(["benchmark", "random", "--out", "other.json"]) == 2
    assert Path("other.json").read_text(encoding="utf-8") == "[]"
