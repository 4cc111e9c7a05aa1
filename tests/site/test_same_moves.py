"""The same seeds give the same moves in a browser's engine as in Python.

All games, one to four players.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from foxclover.ai import agents
from site_moves import all_moves

HERE = Path(__file__).parent


def test_the_same_seeds_give_the_same_moves_as_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "time", agents.time)  # the clock is put back afterwards
    node = Path(sys.executable).with_name("node")
    here = json.loads(all_moves())
    command = [node, HERE / "run.mjs", "from site_moves import all_moves; all_moves()"]
    there = json.loads(
        subprocess.run(command, capture_output=True, check=True, text=True, timeout=600).stdout
    )
    assert here.keys() == there.keys()
    assert len(here) == 3 * 4 * 4
    for name, moves in here.items():
        assert there[name] == moves, name
