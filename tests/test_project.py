"""What must hold of the whole project, whoever works on it."""

from __future__ import annotations

import ast
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foxclover.kernel.program import program
from foxclover.shelf import families

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "foxclover"
LONGEST = 600  # lines of a source file
HEAVY = {"numba", "numpy", "matplotlib", "starlette", "uvicorn", "websockets"}


def imported(path: Path) -> set[str]:
    """Modules a file imports for its work, not only for its types."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        ):
            node.body = []
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize("rules", families())
def test_the_rules_import_nothing_else_of_the_package(rules: str) -> None:
    shared = (
        "records",
        "rng",
        "locale",
        "errors",
        "contract",
        "canvas",
        "colours",
        "data_file",
        "ratings",
        "beginning",
        "lots",
    )
    allowed = tuple(f"foxclover.{name}" for name in (rules, *shared))
    for path in (PACKAGE / rules).rglob("*.py"):
        for name in imported(path):
            assert not name.startswith("foxclover") or name.startswith(allowed), (
                f"{path.name} imports {name}"
            )


def test_nothing_above_asks_which_family_it_has_to_do_with() -> None:
    own = {
        f"{folder}{family}" for family in families() for folder in ("", "ai/", "review/", "envs/")
    }
    above = [
        path
        for path in PACKAGE.rglob("*.py")
        if not {path.relative_to(PACKAGE).with_suffix("").as_posix(), *parents(path)} & own
    ]
    for path in above:
        assert not [
            name
            for name in imported(path)
            if re.match(rf"foxclover\.({'|'.join(families())})\b", name)
        ], path
        assert not re.search(
            rf"== \"({'|'.join(families())})\"", path.read_text(encoding="utf-8")
        ), path


def parents(path: Path) -> set[str]:
    """The folders of the package that a file lies in."""
    return {folder.as_posix() for folder in path.relative_to(PACKAGE).parents}


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, foxclover, foxclover.game, foxclover.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not HEAVY & set(loaded)


def test_importing_the_package_is_quick() -> None:
    code = "import time; start = time.process_time(); import foxclover; print(time.process_time() - start)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(5)
    ]
    assert min(float(run.stdout) for run in runs) < 0.1


def test_words_that_had_several_meanings_have_one() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    defined = [
        target.id
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert [
        defined.count(name) for name in ("ACTIONS", "LEVELS", "PARTS", "SAMPLES", "THINKING")
    ] == [1] * 5
    kernel = {
        PACKAGE.parent / f"{name.replace('.', '/')}.py"
        for family in families()
        for name in program(family).modules
    }
    for path in kernel - {
        PACKAGE / "accounts.py"
    }:  # which knows the tables of a book, nothing of what a screen is told, no places
        used = {
            getattr(node, "id", None) or getattr(node, "arg", None)
            for node in ast.walk(trees[path])
        }
        assert not used & {"book", "layout", "place", "places"}, path


def test_source_files_stay_small() -> None:
    sources = [
        path
        for folder, kinds in ((PACKAGE, ["*.py"]), (ROOT / "web" / "src", ["*.ts", "*.tsx"]))
        for kind in kinds
        for path in folder.rglob(kind)
    ]
    texts = {path.name: path.read_text(encoding="utf-8") for path in sources}
    long = [
        name
        for name, text in texts.items()
        if len(text.splitlines()) > LONGEST and not text.startswith("// Generated")
    ]
    assert not long


@pytest.mark.parametrize("name", ["runtime", "dev"])
def test_requirements_are_pinned_with_hashes_and_name_no_index(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^[a-z0-9].*?(?=^[a-z0-9]|\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert "://" not in text


def test_both_sets_of_requirements_pin_the_same_versions() -> None:
    pins = [
        dict(
            re.findall(
                r"^([a-z0-9-]+)==(\S+)",
                (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8"),
                re.MULTILINE,
            )
        )
        for name in ("runtime", "dev")
    ]
    assert pins[0].items() <= pins[1].items()


def test_a_clone_that_was_moved_makes_its_environment_anew(tmp_path: Path) -> None:
    clone, tools = tmp_path / "clone", tmp_path / "bin"
    for name in ("tools/setup", "pyproject.toml", "requirements/runtime.txt"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    tools.mkdir()
    for name in (
        "bash",
        "cat",
        "cksum",
        "env",
        "grep",
        "rm",
    ):  # and no Python, so that nothing is installed
        (tools / name).symlink_to(str(shutil.which(name)))
    pip = clone / ".venv/bin/pip"

    def set_up(place: Path) -> str:
        pip.parent.mkdir(parents=True, exist_ok=True)
        pip.write_text(f"#!{place}/.venv/bin/python3\n")
        done = subprocess.run(
            [clone / "tools/setup", "runtime"],
            env={"PATH": str(tools)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        return done.stderr

    assert "This clone was moved" in set_up(tmp_path / "elsewhere")
    assert not pip.exists()
    assert "This clone was moved" not in set_up(clone)
    assert pip.exists()


def test_no_package_is_built_without_the_page(tmp_path: Path) -> None:
    hook = runpy.run_path(str(ROOT / "tools" / "check_page.py"))["PageHook"](
        str(tmp_path), {}, None, None, "", "wheel"
    )
    hook.initialize("editable", {})
    with pytest.raises(
        RuntimeError, match=r"the page is not built yet.*run \./play --version once"
    ):
        hook.initialize("standard", {})
    for file in ("web/index.html", "site/page/index.html", "site/engine/python_stdlib.zip"):
        (tmp_path / "src/foxclover" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src/foxclover" / file).touch()
    hook.initialize("standard", {})
