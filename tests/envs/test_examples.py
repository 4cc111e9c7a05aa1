"""What docs/research.md and the examples show must run."""

from __future__ import annotations

import doctest
import json
import runpy
from pathlib import Path

import pytest

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
