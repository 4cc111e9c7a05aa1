"""``foxclover build-site``: a folder that holds the whole game."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from foxclover.locale import LANGUAGES, OWN_WORDS, site_texts, texts
from foxclover.site import build
from foxclover.site.bundle import COMPILED, archive

Run = Callable[..., int]


def test_the_folder_is_written_and_replaced_without_what_is_old(run: Run, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert run("build-site", str(site)) == 0
    facts = json.loads((site / "site.json").read_text(encoding="utf-8"))
    assert all(
        (site / part["path"]).stat().st_size == part["size"] for part in facts["parts"].values()
    )
    assert not [
        path for path in facts["files"] if path.rpartition("/")[2].startswith(("_", "."))
    ], "some hosts leave these out"
    assert facts["pyodide"]
    scripts = [path.read_text(encoding="utf-8") for path in (site / "assets").glob("*.js")]
    asked = {path for script in scripts for path in re.findall(r"/api/daily[\w/$]*", script)}
    assert asked == {"/api/daily/start"}, "there is no server to ask for results"
    (site / "engine" / "old.zip").write_bytes(b"")
    (site / "site.json").write_text(
        json.dumps(facts | {"files": [*facts["files"], "engine/old.zip"]}), encoding="utf-8"
    )
    (site / "mine.txt").write_text("kept", encoding="utf-8")
    assert run("build-site", str(site)) == 0
    assert not (site / "engine" / "old.zip").exists()
    assert (site / "mine.txt").exists()


def test_a_folder_with_something_else_is_left_alone(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    assert run("build-site", str(tmp_path)) == 2
    assert "contains other files" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


FOREIGN = {
    "another program's": {"name": "mine"},
    "a list": ["index.html"],
    "no JSON": None,
    "files that are no texts": {"version": "1", "pyodide": "1", "parts": {}, "files": [1]},
    "files outside": {"version": "1", "pyodide": "1", "parts": {}, "files": ["../kept.txt"]},
    "files outside by a link": {
        "version": "1",
        "pyodide": "1",
        "parts": {},
        "files": ["link/kept.txt"],
    },
    "files by their whole path": {
        "version": "1",
        "pyodide": "1",
        "parts": {},
        "files": ["{outside}/kept.txt"],
    },
}


@pytest.mark.parametrize("facts", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_site_json_is_left_alone(
    facts: object, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, kept = tmp_path / "site", tmp_path / "kept.txt"
    site.mkdir()
    kept.write_text("kept", encoding="utf-8")
    (site / "link").symlink_to(tmp_path)
    text = "{" if facts is None else json.dumps(facts).replace("{outside}", tmp_path.as_posix())
    (site / "site.json").write_text(text, encoding="utf-8")
    assert run("build-site", str(site)) == 2
    assert "contains other files" in capsys.readouterr().err
    assert kept.exists()
    assert (site / "site.json").read_text(encoding="utf-8") == text


def test_parts_of_the_last_version_are_left_for_pages_that_are_open(
    run: Run, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    assert run("build-site", str(site)) == 0

    def age(part: str) -> None:
        facts = json.loads((site / "site.json").read_text(encoding="utf-8"))
        (site / part).write_bytes(b"")
        changed = facts | {"files": [*facts["files"], part]}
        (site / "site.json").write_text(json.dumps(changed), encoding="utf-8")

    age("assets/first.js")
    assert run("build-site", str(site)) == 0
    assert run("build-site", str(site)) == 0  # the same version again
    assert (site / "assets" / "first.js").exists()
    age("assets/second.js")
    assert run("build-site", str(site)) == 0
    assert not (site / "assets" / "first.js").exists()
    assert (site / "assets" / "second.js").exists()


def test_without_the_page_nothing_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PAGE", tmp_path / "nowhere")
    assert run("build-site", str(tmp_path / "site")) == 2
    assert not (tmp_path / "site").exists()


def names_of(engine: Path) -> set[str]:
    with tarfile.open(fileobj=io.BytesIO(archive(engine))) as packed:
        return set(packed.getnames())


def test_the_same_sources_make_the_same_archive() -> None:
    assert archive(build.ENGINE) == archive(build.ENGINE)


def test_the_archive_holds_every_family_and_no_command() -> None:
    names = {name.removesuffix("c") for name in names_of(build.ENGINE)}
    assert {
        "foxclover/games/clever/rules/table.py",
        "foxclover/games/climb/rules/table.py",
        "foxclover/site/browser.py",
        "foxclover/games/clever/puzzles/ganz-schoen-clever.json.gz",
        "foxclover/games/climb/puzzles/geht-noch-was.json.gz",
    } <= names
    assert not [name for name in names if name.startswith(("foxclover/cli/", "foxclover/web/"))]


def test_a_module_that_has_changed_since_the_page_was_built_comes_as_its_source(
    tmp_path: Path,
) -> None:
    same = Path("foxclover/core/records.py")
    with (
        zipfile.ZipFile(build.ENGINE / COMPILED) as made,
        zipfile.ZipFile(tmp_path / COMPILED, "w") as older,
    ):
        key = next(
            name for name in made.namelist() if b"foxclover/core/records.py" in made.read(name)
        )
        older.writestr(key, made.read(key))
    modules = {Path(name) for name in names_of(tmp_path) if Path(name).suffix in (".py", ".pyc")}
    assert {module for module in modules if module.suffix == ".pyc"} == {same.with_suffix(".pyc")}
    assert len(modules) > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_without_a_server_takes_the_place_of_a_known_text(language: str) -> None:
    own = [key for key in texts(language) if key.startswith(OWN_WORDS)]
    assert own
    for key in own:
        assert site_texts(language)[key.removeprefix(OWN_WORDS)] == texts(language)[key]
        assert key.removeprefix(OWN_WORDS) in texts(language)
