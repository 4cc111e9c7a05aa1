"""What docs/research.md and the examples show must run."""

from __future__ import annotations

import csv
import doctest
import json
import re
import runpy
import sys
from pathlib import Path

import pytest

from foxclover import game
from foxclover.benchmark import tasks
from foxclover.cli import main
from foxclover.core.game import game_names
from foxclover.dice.sources import seeded
from foxclover.envs import actions, env_id, features

ROOT = Path(__file__).parents[2]
EXAMPLE_OF_PPO = ROOT / "examples" / "maskable_ppo.py"


def test_the_examples_of_the_page_on_research_run() -> None:
    pytest.importorskip("gymnasium")
    result = doctest.testfile(
        str(ROOT / "docs" / "research.md"), module_relative=False, encoding="utf-8"
    )
    assert result.attempted > 20
    assert result.failed == 0


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium")
    cells = json.loads((ROOT / "examples" / "games.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert "random games" in capsys.readouterr().out


def test_the_example_for_maskable_ppo_gives_it_what_it_asks_for() -> None:
    env = runpy.run_path(str(EXAMPLE_OF_PPO))["make"]("gains")
    masks = env.get_wrapper_attr("action_masks")
    observed, ended, total = env.reset(seed=7)[0], False, 0.0
    while not ended:
        assert env.observation_space.contains(observed)
        assert masks().dtype == bool
        observed, gained, ended, _, _ = env.step(masks().argmax())
        total += gained
    assert total == env.unwrapped.games.position().score(0)


def test_maskable_ppo_trains_for_some_steps() -> None:
    pytest.importorskip(
        "sb3_contrib", reason="sb3-contrib is not installed: torch is too large for the checks"
    )
    assert runpy.run_path(str(EXAMPLE_OF_PPO))["main"](256) > 50


PAGES = {
    "ganz-schoen-clever": "env-ganz",
    "doppelt-so-clever": "env-doppelt",
    "geht-noch-was": "env-geht",
}


def rows_of(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table of a section."""
    lines = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    return rows[2 : next((at for at in range(3, len(rows)) if rows[at][0] == "--"), len(rows))]


@pytest.mark.parametrize("key", game_names())
def test_the_page_of_a_game_describes_its_environment(key: str) -> None:
    pytest.importorskip("gymnasium")
    page = ROOT / "docs" / f"{PAGES[key]}.md"
    text = page.read_text(encoding="utf-8")
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0
    assert f"`{env_id(key)}`" in text
    for task in (task for task in tasks() if task.key == key):
        assert f"`{task.name}`" in text
    seen = features(key)
    names = dict(enumerate(seen.names))
    listed = [action.text for action in actions(key)]
    for heading, texts in (("Observation", list(names.values())), ("Actions", listed)):
        following = 0
        for cells in rows_of(text, heading):
            first, _, last = cells[0].partition("–")
            assert int(first) == following
            following = int(last or first) + 1
            quoted = re.findall(r"`([^`]+)`", cells[1])
            assert quoted[0] == texts[int(first)]
            assert quoted[-1] == texts[following - 1]
            if heading == "Observation":
                assert int(cells[2]) == seen.least[int(first) : following].min()
                assert int(cells[3]) == seen.most[int(first) : following].max()
        assert following == len(texts)
    assert f"there are {len(features(key, 2).names)} numbers" in text


def test_ppo_in_one_file_trains_for_some_steps() -> None:
    pytest.importorskip("torch", reason="torch is not installed: it is too large for the checks")
    example = runpy.run_path(str(ROOT / "examples" / "ppo.py"))
    agent = example["train"]("ganz-schoen-clever", 1)
    assert example["evaluate"](agent, "ganz-schoen-clever", 10) > 30


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run examples in, which are importable there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    for name in ("td_afterstate", "openspiel_mcts"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.parametrize("key", ["ganz", "doppelt"])
def test_the_td_agent_learns_continues_and_takes_part(examples: Path, key: str) -> None:
    td = runpy.run_path(str(ROOT / "examples" / "td_afterstate.py"))
    td["train"](game(key), 3)
    td["train"](game(key), 120)
    with (examples / f"td-{key}.csv").open() as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    assert [row[0] for row in rows] == [3, 100, 120]
    assert rows[-1][2] > rows[0][2] * 0.8
    words = ["benchmark", "td_afterstate:TDAgent", "--task", f"{key}-v1", "--games", "5"]
    assert main([*words, "--out", "td.json"]) == 0
    played = json.loads((examples / "td.json").read_text("utf-8"))["figures"]["mean"]
    assert played > {"ganz": 85, "doppelt": 60}[key]  # random: 76 and 52
    assert main(["benchmark", "--check", "td.json"]) == 0


@pytest.mark.parametrize(("key", "players"), [("ganz", 1), ("geht", 3)])
def test_mcts_of_openspiel_chooses_legal_moves(
    examples: Path, monkeypatch: pytest.MonkeyPatch, key: str, players: int
) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setenv("SIMULATIONS", "2")
    module = runpy.run_path(str(ROOT / "examples" / "openspiel_mcts.py"))
    position, dice = game(key).start(players), seeded(1)
    while position.chance_due:
        position.roll(dice)
    chosen = []
    for _ in range(2):
        player = module["MCTS"](game(key))
        player.reset(7 << 40)
        chosen.append([player.choose(position, seat) for seat in position.acting])
        for seat, number in zip(position.acting, chosen[-1], strict=True):
            assert number in position.legal_numbers(seat)
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("kind", ["ppo", "a2c", "dqn"])
def test_agents_of_stable_baselines_train_continue_and_take_part(examples: Path, kind: str) -> None:
    pytest.importorskip(
        "sb3_contrib", reason="sb3-contrib is not installed: torch is too large for the checks"
    )
    sb3 = runpy.run_path(str(ROOT / "examples" / "sb3_baselines.py"))
    for steps in (128, 256):
        sb3["train"](kind, "ganz-schoen-clever", steps)
    agent = {"ppo": "PPO", "a2c": "ActorCritic", "dqn": "DeepQ"}[kind]
    words = ["benchmark", f"sb3_baselines:{agent}", "--games", "2", "--out", "sb3.json"]
    assert main(words) == 0
    assert json.loads((examples / "sb3.json").read_text("utf-8"))["figures"]["mean"] > 30
