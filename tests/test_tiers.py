"""What ./check quick and ./check leave out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import scheduling
import tiers

ROOT = Path(__file__).parents[1]


def collected(*arguments: str) -> set[str]:
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {line for line in found.splitlines() if "::" in line}


def test_every_folder_and_file_that_is_slow_exists() -> None:
    assert [name for name in tiers.SLOW if not (tiers.TESTS / name).exists()] == []


@pytest.mark.full
def test_the_quick_tests_are_a_part_of_all_and_need_no_browser() -> None:
    quick = collected("-m", "not slow and not full")
    assert len(quick) > 1_500
    assert not [name for name in quick if name.startswith(("tests/browser", "tests/server"))]


@pytest.mark.full
def test_every_case_that_is_left_out_has_one_that_is_not() -> None:
    full, kept = collected("-m", "full"), collected("-m", "not full")
    whole = {  # only in ./check full
        "tests/packaging/test_clean_clone.py",
        "tests/server/test_container.py",
        "tests/test_tiers.py",
        "tests/browser/test_whole_games.py::test_a_whole_game_of_eight_four_of_them_at_one_screen",
        "tests/server/test_webhooks.py::test_a_message_survives_the_end_of_its_server",
        "tests/server/test_webhooks.py::test_two_servers_write_one_message",
    }
    functions = {
        name.partition("[")[0] for name in full if not {name, name.partition("::")[0]} & whole
    }
    assert functions <= {name.partition("[")[0] for name in kept}
    for pattern in tiers.FULL:
        assert [name for name in full if re.match(f"tests/{pattern}", name)], pattern
    for pattern in scheduling.GROUPS.values():
        assert [name for name in full | kept if re.match(pattern, name)], pattern
