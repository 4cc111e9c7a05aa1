"""What ./check quick and ./check leave out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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


def test_the_quick_tests_are_a_part_of_all_and_need_no_browser() -> None:
    quick = collected("-m", "not slow and not full")
    assert len(quick) > 1_500
    assert not [name for name in quick if name.startswith(("tests/browser", "tests/server"))]


def test_every_case_that_is_left_out_has_one_that_is_not() -> None:
    full, kept = (
        {name.removeprefix("tests/") for name in collected("-m", marks)}
        for marks in ("full", "not full")
    )
    for name in tiers.ONLY_FULL:
        assert {test for test in full if test.startswith(name)}, name
        assert not {test for test in kept if test.startswith(name)}, name
    cases = {name.partition("[")[0] for name in full if not name.startswith(tuple(tiers.ONLY_FULL))}
    assert cases <= {name.partition("[")[0] for name in kept}
    for pattern in tiers.FULL:
        assert [name for name in full if re.match(pattern, name)], pattern
    for pattern in scheduling.GROUPS.values():
        assert [name for name in full | kept if re.match(pattern, f"tests/{name}")], pattern
