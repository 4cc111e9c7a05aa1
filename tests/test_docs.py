"""The documentation site is complete, has no broken links and loads nothing from elsewhere."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import sys
import zlib
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

import foxclover
from documentation import ROOT, TOOL, built_site
from foxclover.cli import COMMANDS
from foxclover.locale import texts

SECTIONS = ("Play", "Host", "Research", "Contribute", "Reference", "Background")
PAGE = "<html><body id='top'>{}</body></html>"


def load_tool() -> ModuleType:
    """Import tools/build_docs.py, which is no part of the package."""
    spec = spec_from_file_location("build_docs", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load_tool()


@pytest.fixture
def site() -> Path:
    return built_site()


def test_the_site_has_every_page_of_the_project(site: Path) -> None:
    wanted = {tool.page_name(page) for page in (ROOT / "docs").glob("*.md")}
    assert len(wanted) > 15
    for name in (*wanted, "contributing", "changelog", "search", "genindex", "command-line"):
        assert (site / f"{name}.html").is_file(), name


def test_the_navigation_has_the_sections_of_the_front_page(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    captions = re.findall(r'<p class="caption".*?<span class="caption-text">(.*?)</span>', text)
    assert captions[: len(SECTIONS)] == [*SECTIONS]


def test_every_public_name_has_a_reference(site: Path) -> None:
    data = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    names = {line.split()[0] for line in zlib.decompress(data).decode().splitlines()}
    for name in foxclover.__all__:
        value = getattr(foxclover, name)
        places = {f"foxclover.{name}", f"{getattr(value, '__module__', '')}.{name}",
                  getattr(value, "__name__", "")}  # fmt: skip
        assert places & names, name


def test_every_command_has_a_reference(site: Path) -> None:
    text = (site / "command-line.html").read_text(encoding="utf-8")
    for name in chain(*COMMANDS.values()):
        assert f'<section id="foxclover-{name}">' in text, name
    assert str(Path.home()) not in text, "a path of this machine"


def test_the_site_loads_nothing_from_elsewhere_and_runs_under_a_strict_policy(site: Path) -> None:
    assert not [*tool.foreign_files(site)]
    assert not [*tool.broken_links(site)]


# --- what these checks find


def write_page(folder: Path, body: str) -> Path:
    (folder / "index.html").write_text(PAGE.format(body), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "target", ["nowhere.html", "index.html#nowhere", "#nowhere", "../index.html", "api/"]
)
def test_a_broken_link_is_found(tmp_path: Path, target: str) -> None:
    (problem,) = tool.broken_links(write_page(tmp_path, f"<a href='{target}'>x</a>"))
    assert target in problem


@pytest.mark.parametrize("target", ["index.html", "index.html#top", "#top", "https://example.org"])
def test_a_good_link_is_none(tmp_path: Path, target: str) -> None:
    assert not [*tool.broken_links(write_page(tmp_path, f"<a href='{target}'>x</a>"))]


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        "<style>p { color: red }</style>",
        "<p style='color: red'>x</p>",
        "<p onclick='alert(1)'>x</p>",
        "<script src='https://example.org/a.js'></script>",
        "<img src='//example.org/a.png'>",
        "<link rel='stylesheet' href='https://example.org/a.css'>",
    ],
)
def test_what_a_strict_policy_forbids_is_found(tmp_path: Path, body: str) -> None:
    assert len([*tool.foreign_files(write_page(tmp_path, body))]) == 1


def test_a_font_from_elsewhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/a.woff') }")
    assert len([*tool.foreign_files(tmp_path)]) == 1


def test_inline_code_is_moved_to_files(tmp_path: Path) -> None:
    (tmp_path / "_static").mkdir()
    (tmp_path / "api").mkdir()
    page = tmp_path / "api" / "a.html"
    page.write_text('<head></head><p style="color: red">x</p><script>alert("&amp;")</script>')
    tool.move_inline_code(tmp_path)
    assert not [*tool.foreign_files(tmp_path)]
    assert not [*tool.broken_links(tmp_path)]
    styles, scripts = ([*(tmp_path / "_static").glob(f"*.{kind}")] for kind in ("css", "js"))
    assert [file.read_text() for file in scripts] == ['alert("&amp;")\n']
    assert "{ color: red }" in styles[0].read_text()


def test_a_page_that_the_front_page_does_not_list_comes_last(tmp_path: Path) -> None:
    front = tmp_path / "README.md"
    front.write_text("# Map\n\n## Play\n\n[a.md](a.md)\n\n## Host\n\n[b](b.md#x), [a](a.md)\n")
    pages = {"index": front, **{name: tmp_path / f"{name}.md" for name in ("a", "b", "c")}}
    for path in pages.values():
        path.touch()
    assert tool.navigation(front, pages) == {
        "Play": ["a"],
        "Host": ["b"],
        "Reference": ["api/index", "command-line"],
        "More": ["c"],
    }


def test_links_in_code_and_to_no_file_stay_as_they_are() -> None:
    found = {"a.md": "b.md"}
    text = "[x](a.md#y) `[x](a.md)` [n](none.md)\n```\n[x](a.md)\n```\n[a.md](a.md) ![a](a.md)\n"
    assert tool.replace_links(text, found.get) == (
        "[x](b.md#y) `[x](a.md)` [n](none.md)\n```\n[x](a.md)\n```\n[](b.md) ![a](b.md)\n"
    )


# --- pages


@pytest.mark.parametrize("name", ["first-game", "guide", "faq"])
def test_pages_for_players_name_buttons_as_the_page_does(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    labels = set(re.findall(r"\*\*(.+?)\*\*", " ".join(text.split())))
    assert labels
    assert labels <= set(texts("en").values())


def test_the_agent_of_the_tutorial_is_the_one_of_the_examples() -> None:
    page = (ROOT / "docs" / "first-agent.md").read_text(encoding="utf-8")
    file = (ROOT / "examples" / "patient_agent.py").read_text(encoding="utf-8")
    lines = re.findall(r"^\.\.\. {9}(?!price)(\S.*)$", page, re.MULTILINE)
    assert len(lines) >= 10
    for line in lines:
        assert line in file, line


# --- examples in docstrings


def modules() -> Iterator[str]:
    """Return the modules whose docstrings contain examples."""
    for module in pkgutil.walk_packages(foxclover.__path__, "foxclover."):
        path = Path(getattr(module.module_finder, "path", "")) / module.name.split(".")[-1]
        files = [path.with_suffix(".py"), path / "__init__.py"]
        if any(">>> " in file.read_text(encoding="utf-8") for file in files if file.is_file()):
            yield module.name


@pytest.mark.parametrize("name", sorted(modules()))
def test_the_examples_of_docstrings_run(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(sys.modules[module.__name__])
    assert result.attempted > 0
    assert result.failed == 0
