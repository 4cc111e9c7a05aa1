"""Which tests run when: ``./check quick``, ``./check`` and ``./check full``.

A test is ``slow`` by its folder or file: ``./check quick`` leaves it out. A test is ``full`` by its
parameters: ``./check`` runs one of several similar cases, ``./check full`` all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SLOW = {  # folders, and files elsewhere
    *("ai", "browser", "envs", "kernel", "referee", "review", "server", "simulation", "site"),
    *("cli/test_bench.py", "cli/test_data_out.py", "climb/test_random_play.py"),
    *("test_data_files.py", "test_parity.py", "test_third_sheet.py"),
}
FULL = {  # what is left to ./check full, and why
    # Six, seven, eight players: the table only has more seats. ./check plays 1, 2, 3 and 8.
    r"test_parity\.py::.*\[geht-noch-was-[4-7]-",
    r"test_games\.py::.*\[geht-noch-was-[4-7]\]",
    r"referee/test_referee_climb\.py::.*\[[4-7]-",
    # Statistics over many games: ./check does them with the strongest player only.
    r"review/test_fairness\.py::test_luck_is_nothing_on_average\[.*-(random|medium)\]",
    # In the browser both Clever games use the same components: ./check plays one of them, and both
    # in test_whole_games.py.
    r"browser/(?!test_whole_games).*\[(.*-)?doppelt-so-clever",
}
# Flows in the browser that run on several screens: ./check runs them on the phone.
WIDE = re.compile(r"\[(.*-)?(desktop|laptop)\]")
NARROW = re.compile(r"\[(.*-)?(phone|upright)\]")


def mark(items: Sequence[pytest.Item]) -> None:
    """Mark tests as ``browser``, ``slow`` and ``full``."""
    left_out = re.compile("|".join(FULL))
    screens = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        parts = item.path.relative_to(TESTS).parts
        if parts[0] == "browser":
            item.add_marker("browser")
            screens[name.partition("[")[0]].append(item)
        if {parts[0], "/".join(parts)} & SLOW:
            item.add_marker("slow")
        if left_out.match(name):
            item.add_marker("full")
    for cases in screens.values():
        if any(NARROW.search(case.nodeid) for case in cases):
            for case in cases:
                if WIDE.search(case.nodeid):
                    case.add_marker("full")
