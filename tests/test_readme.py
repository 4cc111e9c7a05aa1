"""What the documents show must be true: examples run, links lead somewhere."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

import foxclover
from foxclover.shelf import shelf

ROOT = Path(__file__).parents[1]


PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if ">>>" in page.read_text(encoding="utf-8")],
    ids=lambda page: page.name,
)
def test_the_examples_of_a_document_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0


def test_documents_about_code_have_examples() -> None:
    for name in ("README.md", "docs/library.md", "docs/notation.md", "docs/kernel.md"):
        assert ">>>" in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_documents_speak_of_no_compiler_at_the_users() -> None:
    for page in PAGES:
        assert "numba" not in page.read_text(encoding="utf-8"), page.name


def test_the_readme_names_designers_and_publisher() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for item in shelf().values():
        assert item.head.title in text
        assert item.head.designer in text
        assert item.head.publisher in text


def test_the_example_of_the_game_module_runs() -> None:
    result = doctest.testmod(sys.modules[foxclover.Game.__module__])
    assert result.attempted > 2
    assert result.failed == 0


def test_every_link_of_the_documents_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
