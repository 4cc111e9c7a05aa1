"""The release script, and the files that a public project is expected to have."""

from __future__ import annotations

import datetime
import re
import runpy
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RELEASE = runpy.run_path(str(ROOT / "tools" / "release.py"))
NEWS = "# Changelog\n\n## 1.2.3, unreleased\n\n- News.\n"
TODAY = datetime.date(2026, 11, 18)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The files that have a version."""
    for name in RELEASE["PLACES"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(NEWS, "utf-8")
    return tmp_path


def test_all_files_name_the_same_version() -> None:
    from foxclover import __version__

    assert RELEASE["read_version"](ROOT) == __version__


def test_a_version_is_written_to_all_files(clone: Path) -> None:
    RELEASE["set_version"](clone, "1.2.3", TODAY)
    assert RELEASE["read_version"](clone) == "1.2.3"
    assert "\n## 1.2.3, 2026-11-18\n\n- News.\n" in (clone / "CHANGELOG.md").read_text("utf-8")
    assert "foxclover-site==1.2.3" in (clone / "pyproject.toml").read_text("utf-8")
    (clone / "CHANGELOG.md").write_text(NEWS, "utf-8")
    RELEASE["set_version"](clone, "1.2.4rc1", TODAY)
    assert (clone / "CITATION.cff").read_text("utf-8").count("date-released: 2026-11-18") == 1


def test_a_forgotten_file_is_noticed(clone: Path) -> None:
    (clone / "CITATION.cff").write_text("version: 9.9.9\n", "utf-8")
    with pytest.raises(RELEASE["ReleaseError"], match="different versions"):
        RELEASE["read_version"](clone)


@pytest.mark.parametrize("version", ["1.2", "v1.2.3", "1.2.3-rc1"])
def test_what_is_no_version_is_refused(version: str, clone: Path) -> None:
    with pytest.raises(RELEASE["ReleaseError"], match="is no version"):
        RELEASE["set_version"](clone, version, TODAY)


def test_a_version_without_entries_in_the_changelog_is_refused(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text("## 1.2.2, 2026-01-01\n", "utf-8")
    with pytest.raises(RELEASE["ReleaseError"], match=r"CHANGELOG\.md has no entries"):
        RELEASE["set_version"](clone, "1.2.3", TODAY)


def test_checksums_are_signed_where_there_is_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, key = tmp_path / "dist", tmp_path / "key"
    folder.mkdir()
    (folder / "foxclover.whl").write_bytes(b"wheel")
    sums = RELEASE["write_sums"](folder)
    assert re.fullmatch(r"[0-9a-f]{64}  foxclover\.whl\n", sums.read_text())
    monkeypatch.delenv("FOXCLOVER_SIGNING_KEY", raising=False)
    RELEASE["sign"](sums)
    assert "not signed" in capsys.readouterr().out
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    monkeypatch.setenv("FOXCLOVER_SIGNING_KEY", str(key))
    RELEASE["sign"](sums)
    assert "BEGIN SSH SIGNATURE" in (folder / "SHA256SUMS.sig").read_text()


def test_uncommitted_changes_end_a_release(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(*words: str) -> str:
        return " M README.md" if words[0] == "status" else ""

    build: Any = RELEASE["build_release"]
    monkeypatch.setitem(build.__globals__, "git", answer)
    with pytest.raises(RELEASE["ReleaseError"], match="not committed"):
        build(checked=False)


def test_hosted_checks_run_what_a_clone_runs() -> None:
    steps = [
        step.removeprefix("sudo --preserve-env=PATH,CI ")
        for file in (ROOT / ".github/workflows").iterdir()
        for step in re.findall(r"- run: (.*)", file.read_text("utf-8"))
    ]
    assert sorted(steps) == ["./check", "python tools/release.py build"]
    assert "exec ./check\n" in (ROOT / ".ci/run").read_text("utf-8")


def test_no_file_of_the_project_names_an_index() -> None:
    for name in ("pyproject.toml", "packages/site/pyproject.toml", "web/package-lock.json"):
        text = (ROOT / name).read_text("utf-8")
        assert not re.search(r"index-url|--index|\"resolved\"|find-links", text), name
