"""What the documents show must be true: examples run, links lead somewhere."""

from __future__ import annotations

import doctest
import fnmatch
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

import foxclover
from foxclover.core.registry import game_entries
from foxclover.server.protocol.messages import PROTOCOL

ROOT = Path(__file__).parents[1]


PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if ">>>" in page.read_text(encoding="utf-8")],
    ids=lambda page: page.name,
)
def test_the_examples_of_a_document_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 2
    assert result.failed == 0


def test_documents_about_code_have_examples() -> None:
    for name in ("README.md", "docs/library.md", "docs/notation.md", "docs/kernel.md"):
        assert ">>>" in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_documents_speak_of_no_compiler_at_the_users() -> None:
    for page in PAGES:
        assert "numba" not in page.read_text(encoding="utf-8"), page.name


def test_the_page_on_the_protocol_names_its_version() -> None:
    heading = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").splitlines()[0]
    assert heading.endswith(f"version {PROTOCOL}")


def test_the_readme_names_designers_and_publisher() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for item in game_entries().values():
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


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a document, as web hosts of Git derive them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


def test_every_anchor_that_the_documents_link_to_exists() -> None:
    missing = []
    for page in [*PAGES, *(ROOT / "bench").glob("*.md")]:
        links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
        for target, anchor in links:
            linked = page.parent / target if target else page
            if unquote(anchor) not in anchors(linked):
                missing.append(f"{page.name}: {target}#{anchor}")
    assert not missing


# the reader replaces these
PLACEHOLDER = re.compile(  # or the id of an environment
    r"\b(NAME|FAMILY|LANGUAGE|FILE|DIR|CODE)\b|\.\.\.|^foxclover/.*-v\d$"
)
# no files of the project: a media type and output of build-site
FOREIGN = {"text/plain", "site.json", "licences.txt"}
SKIPPED = {".git", ".venv", "node_modules", "__pycache__", "dist", "build"}


def project_paths() -> set[str]:
    """Every file and folder of the project, with ``/`` before and, of folders, behind it."""
    found = set()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.startswith(".")]
        inside = "/" + Path(folder).relative_to(ROOT).as_posix().removeprefix(".")
        found |= {f"{inside.rstrip('/')}/{name}" for name in files} | {
            f"{inside.rstrip('/')}/{name}/" for name in folders
        }
    return found


def named_paths(text: str) -> set[str]:
    """Return the paths of the project that a document names."""
    spans = re.findall(
        r"(?<![\w/.-])(?:src|tests|tools|docs|bench|web|requirements|examples)/[\w{},*./-]*[\w}*/]",
        text,
    )
    spans += re.findall(r"`(?:\./)?([\w{},*.-]+(?:/[\w{},*.-]*)*)`", text)
    looks = re.compile(r"[^/]+/.*|.*\.(py|md|toml|json|txt|in|tsx?|wasm)")
    return {
        span for span in spans if looks.fullmatch(span) and not PLACEHOLDER.search(span)
    } - FOREIGN


def expand(path: str) -> list[str]:
    """The paths that ``{a,b}`` expands to."""
    found = re.search(r"\{([^{}]*)\}", path)
    if not found:
        return [path]
    return [
        inner
        for one in found[1].split(",")
        for inner in expand(path[: found.start()] + one + path[found.end() :])
    ]


def test_every_path_that_a_document_names_exists() -> None:
    paths = project_paths()
    missing = {
        f"{page.relative_to(ROOT)}: {path}"
        for page in [
            *PAGES,
            *(ROOT / "bench").glob("*.md"),
            *(ROOT / "docs" / "server").glob("*.md"),
        ]
        for named in named_paths(page.read_text(encoding="utf-8"))
        for path in expand(named)
        if not fnmatch.filter(paths, f"*/{path}")
        and not fnmatch.filter(paths, f"*/{path.rstrip('/')}/")
    }
    assert not missing


def test_a_walk_through_the_architecture_visits_no_module_twice() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    walks = text.split("## Four walks")[1].split("\n### ")[1:]
    assert len(walks) == 4
    for walk in walks:
        steps = "\n".join(re.findall(r"^\d+\. .*?(?=^\d+\. |^$)", walk, re.MULTILINE | re.DOTALL))
        visited = re.findall(r"`([\w/]+\.(?:py|ts))`", steps)
        assert len(visited) > 5
        assert len(visited) == len(set(visited)), walk
