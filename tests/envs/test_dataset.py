"""Datasets of ``simulate --dataset``: what they hold happened, and Minari reads them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from foxclover import agent, game
from foxclover.ai.nets import value_bias
from foxclover.cli import main
from foxclover.core.game import game_names
from foxclover.core.setup import DEFAULT_SETUP
from foxclover.dice.sources import seeded
from foxclover.simulation import batch
from foxclover.simulation.vector_game import VectorGame, actions

parquet = pytest.importorskip("pyarrow.parquet")
Rows = list[dict[str, Any]]


def simulate(*words: object) -> int:
    return main(["simulate", *map(str, words), "--lang", "en"])


def read(file: Path) -> tuple[Rows, dict[str, Any]]:
    table = parquet.read_table(file)
    described = {
        name.decode(): json.loads(value)
        for name, value in table.schema.metadata.items()
        if not name.startswith(b"ARROW")
    }
    return table.to_pylist(), described


def episode(rows: Rows, number: int, seat: int) -> Rows:
    return [row for row in rows if (row["number"], row["seat"]) == (number, seat)]


@pytest.mark.parametrize("key", game_names())
def test_a_dataset_holds_the_steps_of_the_environment(key: str, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    games, first = 66, 5  # more than are stepped at once
    words = [key, "--agent", "greedy", "--games", games, "--start", first, "--seed", 7]
    assert simulate(*words, "--dataset", file, "--workers", 2) == 0
    rows, described = read(file)
    assert described["game"] == key
    assert [row["number"] for row in rows] == sorted(row["number"] for row in rows)
    scores = batch.play(game(key), ["greedy"], games, 7, first=first).scores[:, 0]
    env = VectorGame(game(key), 1, [""], "gains")
    start = game(key).start().score(0)
    for number in (first, first + 64, first + games - 1):
        env.begin([7], [number])
        mine = episode(rows, number, 1)
        for step, row in enumerate(mine):
            assert row["step"] == step
            assert row["observation"] == env.observations[0].tolist()
            assert row["action_mask"] == (env.masks[0] > 0).tolist()
            env.step([row["action"]])
            assert row["reward"] == env.rewards[0, 0]
            assert row["terminated"] == bool(env.over[0])
        assert sum(row["reward"] for row in mine) + start == scores[number - first]
    assert len(described["observation"]) == len(rows[0]["observation"])
    assert described["actions"] == [action.text for action in env.actions]


def test_every_seat_of_a_table_gets_its_own_rewards(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    words = ["ganz", "--seats", "net,random", "--games", 8, "--seed", 3]
    assert simulate(*words, "--dataset", file) == 0
    rows, _ = read(file)
    for run, seats in enumerate((["net", "random"], ["random", "net"])):
        scores = batch.play(game("ganz"), seats, 4, 3).scores
        for number in range(4):
            for seat, name in enumerate(seats, 1):
                mine = episode([row for row in rows if row["run"] == run], number, seat)
                assert {row["agent"] for row in mine} == {name}
                assert sum(row["reward"] for row in mine) == scores[number, seat - 1]
                assert [row["terminated"] for row in mine].index(True) == len(mine) - 1


def test_the_value_is_the_rating_of_the_move_by_the_net(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    chosen = game("ganz")
    assert simulate("ganz", "--agent", "net", "--games", 1, "--seed", 2, "--dataset", file) == 0
    rows, _ = read(file)
    position, dice, net = chosen.start(), seeded(2, 0), agent("net", chosen, 1)
    for row in rows:
        while position.chance_due:
            position.roll(dice)
        number = actions("ganz")[row["action"]].move
        ratings = {ranked.move.number: ranked.expected for ranked in net.rank(position, 0)}
        value = ratings[number] - value_bias(chosen, position.state, 0)
        assert row["value"] == pytest.approx(value, abs=0.01)
        position.push(position.move(0, number))
    assert position.over


@pytest.mark.parametrize(("key", "players"), [("ganz", 1), ("geht", 2)])
def test_minari_reads_the_folder(
    key: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    words = [key, "--agent", "greedy", "--players", players, "--games", 3, "--seed", 4]
    file, folder = tmp_path / "games.parquet", tmp_path / f"{key}-greedy-v0"
    monkeypatch.chdir(tmp_path)
    assert simulate(*words, "--dataset", file) == 0
    assert simulate(*words, "--dataset", folder.name) == 0
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    rows, _ = read(file)
    dataset = minari.load_dataset(folder.name)
    assert dataset.total_episodes == 3 * players
    assert dataset.total_steps == len(rows)
    end = VectorGame(game(key), 1, [""] * players, "gains", setup=DEFAULT_SETUP)
    all_options = dataset.storage.get_episode_metadata(range(3 * players))
    for found, described in zip(dataset, all_options, strict=True):
        options = described["options"]
        same = episode(rows, options["number"], options["seat"])
        assert {row["agent"] for row in same} == {options["agent"]}
        assert found.actions.tolist() == [row["action"] for row in same]
        assert found.rewards.tolist() == [row["reward"] for row in same]
        assert found.terminations.tolist() == [row["terminated"] for row in same]
        assert found.infos["value"][:-1].tolist() == [row["value"] for row in same]
        seen = found.observations["observation"]
        assert seen[:-1].tolist() == [row["observation"] for row in same]
        assert len(seen) == len(same) + 1
        assert not found.observations["action_mask"][-1].any()
        end.begin([4], [options["number"]])
        while not end.over[0]:
            seat = int(end.seats[0])
            mine = episode(rows, options["number"], seat + 1)
            at = [row["observation"] for row in mine].index(end.observations[0].tolist())
            end.step([mine[at]["action"]])
        if options["seat"] == 1:
            assert seen[-1].tolist() == end.observations[0].tolist()
        else:
            assert seen[-1].tolist() != seen[-2].tolist()
    if players == 1:
        observed, _ = dataset.recover_environment().reset(seed=4)
        first = dataset[0].observations["observation"][0]
        assert observed["observation"].tolist() == first.tolist()


def test_games_before_a_failure_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "failing.py").write_text(
        """class Agent:
    def __init__(self, game):
        self.begun = 0
    def reset(self, seed):
        self.begun += 1
    def choose(self, position, seat):
        return position.legal_moves(seat)[0] if self.begun < 4 else 1 / 0
""",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "games.parquet"
    words = ["ganz", "--agent", "failing:Agent", "--games", 5, "--seed", 1, "--workers", 1]
    assert simulate(*words, "--dataset", file) == 2
    rows, _ = read(file)
    assert sorted({row["number"] for row in rows}) == [0, 1, 2]


def test_bad_requests_get_a_sentence_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.parquet"
    file.write_text("mine", encoding="utf-8")

    def refused(*words: object) -> str:
        assert simulate("ganz", "--games", 1, *words) == 2
        return capsys.readouterr().err

    assert "already exists" in refused("--dataset", file)
    assert file.read_text(encoding="utf-8") == "mine"
    results = tmp_path / "games.csv"
    assert "--resume" in refused("--dataset", tmp_path / "x", "--results", results, "--resume")
    assert "cannot be written" in refused("--dataset", tmp_path / "none" / "x.parquet")
    assert "cannot be written" in refused("--dataset", tmp_path / "none" / "x")
    for module, name in (("pyarrow", "x.parquet"), ("minari.dataset.minari_storage", "x")):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, module, None)
            needed = module.partition(".")[0]
            assert f"This needs {needed}. Install it with:" in refused("--dataset", tmp_path / name)
    assert list(tmp_path.iterdir()) == [file]
