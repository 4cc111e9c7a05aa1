"""Decision sets: built from seeds, scored, checked and converted."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from foxclover.benchmark import find_task
from foxclover.benchmark.decisions import (
    SETS,
    DecisionError,
    digest_of,
    from_line,
    read,
    read_lines,
    score,
    shipped,
)
from foxclover.benchmark.rollouts import Builder, Sampler, build, compare
from foxclover.cli import main
from foxclover.core.game import game, game_names
from foxclover.puzzles import themes_of

GAMES = game_names()
MOST_BYTES = 3_000_000  # of a game's set
AGENTS = """import time


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
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a set of a few decisions."""
    path = tmp_path_factory.mktemp("sets") / "ganz.jsonl.gz"
    build(game("ganz"), 5, 12, path, 1, lambda _: None)
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "deciding_agents.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.delitem(sys.modules, "deciding_agents", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_of_a_decision_has_a_loss(name: str) -> None:
    chosen = game(name)
    for line in Builder(chosen, 5).lines(2):
        decision = from_line(line)
        position = chosen.read_position(decision.position)
        legal = [move.text for move in position.legal_moves(decision.seat)]
        assert sorted(legal) == sorted([*(each.move for each in decision.moves), *decision.rest])
        assert len(decision.moves) > 1
        assert all(each.rollouts >= 16 and each.error >= 0 for each in decision.moves)
        assert [each.loss for each in decision.moves] == sorted(
            each.loss for each in decision.moves
        )
        assert decision.moves[0].loss == decision.moves[0].error == 0
        assert all(decision.loss(move) >= 0 for move in legal)
        assert set(decision.themes) <= set(themes_of(chosen).THEMES)


@pytest.mark.parametrize("name", GAMES)
def test_decisions_come_from_all_numbers_of_players(name: str) -> None:
    chosen = game(name)
    sampler = Sampler(chosen, 5)
    seats = [sampler.seats(number) for number in range(24 * len(chosen.players))]
    assert {len(names) for names in seats} == set(chosen.players)
    assert {name for names in seats for name in names} == {
        *("net", "medium", "easy", "greedy", "random")
    }


def test_the_win_does_not_count_in_any_decision() -> None:
    ganz = game("ganz")
    evaluator = Builder(ganz, 5).evaluator
    assert evaluator.is_about_points(ganz.start(2))
    late = [
        (position.state.round, evaluator.is_about_points(position))
        for number in range(40)
        if len(Sampler(ganz, 5).seats(number)) == 2
        for position, _, _ in Sampler(ganz, 5).take(number)
    ]
    assert {number for number, about_points in late if not about_points} == {6}


def test_moves_are_compared_by_the_batches_they_share() -> None:
    first, second, third = compare([[9.0, 7.0, 8.0, 8.0], [10.0, 9.0, 8.0, 9.0], [1.0, 2.0]])
    assert (first.at, second.at, third.at) == (1, 0, 2)
    assert (first.loss, first.error, first.value) == (0, 0, 9)
    assert second.loss == 1
    assert third.loss == 8  # against 10 and 9
    assert (first.rollouts, third.rollouts) == (8, 4)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_continues_with_the_same_result(small: Path, tmp_path: Path, workers: int) -> None:
    ganz, path = game("ganz"), tmp_path / "again.jsonl.gz"

    class Interrupted(Exception):
        pass

    def interrupt(ready: int) -> None:
        if ready == 6:
            raise Interrupted

    with pytest.raises(Interrupted):
        build(ganz, 5, 12, path, 1, interrupt)
    assert not path.exists()
    partial = tmp_path / "again.jsonl.gz.partial"
    partial.write_text(partial.read_text("utf-8")[:-20], "utf-8")  # a line that was not finished
    assert build(ganz, 5, 9, path, workers, lambda _: None) == 9
    assert build(ganz, 5, 12, path, workers, lambda _: None) == 12  # continues the file
    assert path.read_bytes() == small.read_bytes()
    with pytest.raises(DecisionError, match="another seed"):
        build(ganz, 6, 12, path, 1, lambda _: None)


def test_computer_players_and_own_agents_are_scored_and_checked(
    small: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("net", "random", "deciding_agents:First"):
        out = ["--out", f"{name[:3]}.json", "--file", str(small)]
        assert main(["benchmark", "--decisions", name, *out]) == 0
        printed = capsys.readouterr().out
        assert "mean loss" in printed
        assert "theme" in printed
        assert main(["benchmark", "--check", *out[1:]]) == 0
    (here / "deciding_agents.py").unlink()
    assert main(["benchmark", "--check", "dec.json", "--file", str(small)]) == 0
    found = {
        name: json.loads((here / f"{name}.json").read_text("utf-8")) for name in ("net", "ran")
    }
    assert found["net"]["figures"]["loss"] < found["ran"]["figures"]["loss"]
    assert found["net"]["figures"]["decisions"] == 12
    for change in (
        {"figures": {**found["net"]["figures"], "loss": 0.0}},
        {"moves": [["x"] * 12]},
        {"moves": []},
        {"transcripts": "0" * 64},
        {"agent": "random"},
    ):
        (here / "net.json").write_text(json.dumps(found["net"] | change), "utf-8")
        assert main(["benchmark", "--check", "net.json", "--file", str(small)]) == 1, change
        assert "is wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("deciding_agents:Illegal", "chose 'nonsense'"),
        ("deciding_agents:Raising", "KeyError: 'lost', in decision 0"),
        ("deciding_agents:Slow", "took longer than 1 seconds"),
        ("deciding_agents:Missing", "has no 'Missing'"),
        ("nobody", "is no computer player"),
        ("net=missing.net", "missing.net"),
    ],
)
def test_a_bad_agent_gets_a_sentence_and_a_row(
    small: Path, here: Path, agent: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["benchmark", "--decisions", agent, "--file", str(small), "--seconds", "1"]
    assert main([*words, "--out", "bad.json"]) == 2
    printed = capsys.readouterr().out
    assert why in printed
    assert "| failed |" in printed
    assert main(["benchmark", "--check", str(here / "bad.json"), "--file", str(small)]) == 1


def test_bad_sets_are_refused_with_a_sentence(
    small: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", "--decisions", "net", "--file", "missing.jsonl.gz"]) == 2
    assert "foxclover decisions build ganz-schoen-clever" in capsys.readouterr().err
    assert main(["benchmark", "--decisions", "net", "--task", "geht-v1", "--file", str(small)]) == 2
    assert "no decisions of Geht noch was?" in capsys.readouterr().err
    damaged = here / "damaged.jsonl.gz"
    header = gzip.decompress(small.read_bytes()).decode().splitlines()[0]
    for content in (b"x", small.read_bytes()[:50], gzip.compress(f"{header}\n[1]".encode())):
        damaged.write_bytes(content)
        with pytest.raises(DecisionError, match="damaged"):
            read(damaged, game("ganz"))
    damaged.write_bytes(gzip.compress(header.encode()))
    with pytest.raises(DecisionError, match="no decisions"):
        read(damaged, game("ganz"))
    old = gzip.compress(header.replace('"rules":"', '"rules":"0').encode())
    damaged.write_bytes(old)
    with pytest.raises(DecisionError, match="another version"):
        read(damaged, game("ganz"))
    assert main(["decisions", "export", "ganz", "--file", str(small), "--out", "x.txt"]) == 2
    assert "must end in .jsonl or .parquet" in capsys.readouterr().err


def test_a_set_is_exported(small: Path, here: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    words = ["decisions", "export", "ganz", "--file", str(small), "--out"]
    assert main([*words, "set.parquet"]) == 0
    assert main([*words, "set.jsonl"]) == 0
    whole = read(small, game("ganz"))
    assert (here / "set.jsonl").read_text("utf-8").splitlines()[1:] == [
        decision.line for decision in whole.decisions
    ]
    rows = parquet.read_table(here / "set.parquet").to_pylist()
    assert len(rows) == sum(len(each.moves) + len(each.rest) for each in whole.decisions)
    first = whole.decisions[0]
    assert rows[0]["position"] == first.position
    assert (rows[0]["move"], rows[0]["loss"]) == (first.moves[0].move, 0)


@pytest.mark.parametrize("path", sorted(SETS.glob("*")), ids=lambda path: path.name)
def test_the_sets_of_the_clone_are_small_and_can_be_continued(path: Path, tmp_path: Path) -> None:
    chosen = game(path.name.removesuffix(".jsonl.gz"))
    assert shipped(chosen) == path
    assert path.stat().st_size <= MOST_BYTES
    header, lines = read_lines(path, chosen)
    again = tmp_path / "again.jsonl.gz"
    build(chosen, 1, 6, again, 1, lambda _: None)
    assert read_lines(again, chosen) == (header, lines[:6]), "nets or rules have changed"
    first = [from_line(line) for line in lines[:50]]
    task = find_task(f"{chosen.key.partition('-')[0]}-v1")
    found = score(task, "greedy", path, count=50)
    assert found.transcripts == digest_of(first)
    assert found.figures["loss"] > 0.5
