"""Subjects of commits are ``area: verb object``; where new commits are unknown nothing fails."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = runpy.run_path(str(ROOT / "tools" / "check_commits.py"))
GIT = shutil.which("git")
AUTHOR = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


def check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a folder."""
    return subprocess.run(
        [sys.executable, folder / "tools" / "check_commits.py", *words],
        capture_output=True,
        text=True,
        check=False,
    )


def check_message(folder: Path, message: str) -> int:
    """Check a message as the hook does."""
    (folder / "message").write_text(message, encoding="utf-8")
    code: int = TOOL["main"](["--message", str(folder / "message")])
    return code


@pytest.mark.parametrize(
    "message",
    [
        "server: close idle connections\n\nThey kept their tables in memory.\n",
        "cli, web: address the reader as you",
        "web/table: embed the log",
        "fixup! server: close idle connections",
        "Merge branch 'main' of a remote",
        f"docs: add {'x' * 62}",
    ],
)
def test_a_good_message_passes(
    tmp_path: Path, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_message(tmp_path, message) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("Close idle connections", "area: verb object"),
        ("server: close", "area: verb object"),
        ("server:close idle connections", "area: verb object"),
        ("Server: close idle connections", "area: verb object"),
        ("server: Close idle connections", "small letter"),
        ("server: closes idle connections", "imperative"),
        ("server: closed idle connections", "imperative"),
        ("server: closing idle connections", "imperative"),
        ("server: close idle connections.", "full stop"),
        (f"docs: add {'x' * 63}", "at most 72"),
        ("", "area: verb object"),
    ],
)
def test_a_bad_message_is_refused_with_the_reason(
    tmp_path: Path, subject: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_message(tmp_path, subject) == 1
    assert reason in capsys.readouterr().err


def git(folder: Path, *words: str) -> None:
    """Run git in a folder, without the settings of the user."""
    environment = {**os.environ, **AUTHOR, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run([str(GIT), *words], cwd=folder, env=environment, check=True, capture_output=True)


def commit(folder: Path, subject: str) -> None:
    git(folder, "commit", "--quiet", "--allow-empty", "--message", subject)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository with one badly named commit on its main branch."""
    folder = tmp_path / "clone"
    (folder / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "check_commits.py", folder / "tools")
    if not GIT:
        pytest.skip("git is not installed")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder, "Old commits stay as they are")
    return folder


def test_commits_that_main_lacks_are_checked(clone: Path) -> None:
    git(clone, "switch", "--quiet", "--create", "topic")
    commit(clone, "server: close idle connections")
    done = check(clone)
    assert (done.returncode, done.stdout) == (0, "1 new commits, 0 with a bad subject\n")
    commit(clone, "Closed more of them")
    done = check(clone)
    assert done.returncode == 1
    assert "Closed more of them" in done.stderr
    assert "Old commits" not in done.stderr


def test_commits_that_the_tracked_main_lacks_are_checked(clone: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(clone), "second")
    second = tmp_path / "second"
    shutil.copytree(clone / "tools", second / "tools")
    assert check(second).returncode == 0
    commit(second, "Not pushed yet")
    assert check(second).returncode == 1


def test_where_main_is_unknown_nothing_fails(clone: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "1", clone.as_uri(), "shallow")
    shutil.copytree(clone / "tools", tmp_path / "shallow" / "tools")
    shutil.copytree(clone / "tools", clone / "unpacked" / "tools")
    for folder in (clone, tmp_path / "shallow", clone / "unpacked"):
        done = check(folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert "not known here" in done.stdout
