"""What docs/research.md and the examples show must run."""

from __future__ import annotations

import doctest
import json
import re
import runpy
from pathlib import Path

import pytest

from foxclover.benchmark import tasks
from foxclover.core.game import game_names
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
