"""What the documents show must be true: examples run, links lead somewhere."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import foxclover

ROOT = Path(__file__).parents[1]


def test_the_examples_of_the_readme_run() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0


def test_the_example_of_the_game_module_runs() -> None:
    result = doctest.testmod(sys.modules[foxclover.Game.__module__])
    assert result.attempted > 2
    assert result.failed == 0


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
