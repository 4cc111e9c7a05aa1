"""What a new user does: build, install and start the package from a clean clone.

The packages are built once. Each Python of the machine installs the wheel and the sdist.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path
from urllib.error import URLError

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds
OLDEST = 11  # of Python 3


def pythons() -> dict[str, str]:
    """Return an interpreter of each version that the package supports, by version."""
    homes = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [*homes.glob("*/bin"), *map(Path, os.environ["PATH"].split(os.pathsep))]
    found = {"{}.{}".format(*sys.version_info): sys.executable}
    for program in (program for folder in folders for program in folder.glob("python3.*")):
        minor = program.name.removeprefix("python3.")
        if minor.isdigit() and int(minor) >= OLDEST and f"3.{minor}" not in found and runs(program):
            found[f"3.{minor}"] = str(program)
    return found


def runs(program: Path) -> bool:
    """Return whether an interpreter can be used: one of pyenv's links may lead nowhere."""
    tried = subprocess.run([program, "-c", "import ensurepip"], capture_output=True, check=False)
    return not tried.returncode


PYTHONS = pythons()


def run(*command: str | Path, code: int = 0, **settings: str) -> str:
    """Run a program without what the tests' environment adds; returns what it prints."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FOXCLOVER_")}
    done = subprocess.run(
        [str(word) for word in command],
        env={**kept, "LC_ALL": "C.UTF-8", **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the repository contains, and nothing that was built."""
    folder = tmp_path_factory.mktemp("clone")
    names = run("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    assert not (folder / "src/foxclover/web").exists()
    return folder


@pytest.fixture(scope="module")
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the packages that a release consists of."""
    folder = tmp_path_factory.mktemp("dist")
    for project in (clone, clone / "packages/site"):
        log = run(
            sys.executable, "-m", "build", "--outdir", folder, project, FOXCLOVER_PAGE="require"
        )
        assert "Building the page ..." in log
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


@pytest.fixture
def address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def page_of(program: Path, data: Path, address: str) -> str:
    """Start a server; returns its start page."""
    port = address.rpartition(":")[2]
    process = subprocess.Popen(
        [program, "-m", "foxclover", "serve", "--port", port, "--data", data],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(address) as answer:
                    return str(answer.read(), "utf-8")
            except URLError:
                assert time.monotonic() < until
                assert process.poll() is None
                time.sleep(0.1)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def environment(python: str, folder: Path) -> Path:
    """Make a fresh environment; returns its Python."""
    run(python, "-m", "venv", folder)
    return folder / "bin" / "python"


def test_the_wheel_has_the_page_and_nothing_for_other_packages(built: Path) -> None:
    names = zipfile.ZipFile(only(built, "foxclover-*.whl")).namelist()
    assert "foxclover/web/index.html" in names
    assert "foxclover/games/climb/puzzles/geht-noch-was.json.gz" in names
    assert [name for name in names if name.startswith("foxclover/web/assets/")]
    assert not [name for name in names if re.match(r"foxclover/site/(page|engine)/|web/", name)]
    assert only(built, "foxclover-*.whl").stat().st_size < 2_500_000


def test_the_sdist_has_the_page_and_its_sources(built: Path) -> None:
    with tarfile.open(only(built, "foxclover-*.tar.gz")) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"src/foxclover/web/index.html", "web/src/main.tsx", "tools/build_page.py"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith(".venv")]


@pytest.mark.parametrize("python", PYTHONS.values(), ids=PYTHONS)
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"], ids=["wheel", "sdist"])
def test_a_plain_install_plays_in_the_browser(
    kind: str, python: str, built: Path, tmp_path: Path, address: str
) -> None:
    program = environment(python, tmp_path / "env")
    # pip builds the sdist without Node: neither as a requirement nor on the path
    log = run(program, "-m", "pip", "install", "-v", only(built, f"foxclover-{kind}"))
    assert "nodejs" not in log
    assert "<title>Fox &amp; Clover</title>" in page_of(program, tmp_path / "data", address)
    assert run(tmp_path / "env/bin/foxclover", "--version").startswith("foxclover ")
    refused = run(program, "-m", "foxclover", "build-site", tmp_path / "site", code=2)
    assert "pip install 'foxclover[site]'" in refused


@pytest.fixture
def copied(clone: Path, tmp_path: Path) -> Path:
    """A clone of its own, in which nothing is built."""
    unbuilt = shutil.ignore_patterns("node_modules")
    shutil.copytree(clone, tmp_path / "clone", ignore=unbuilt)
    for folder in ("web", "site/page", "site/engine"):
        shutil.rmtree(tmp_path / "clone/src/foxclover" / folder, ignore_errors=True)
    return tmp_path / "clone"


def test_pip_installs_a_clone(copied: Path, tmp_path: Path, address: str) -> None:
    program = environment(sys.executable, tmp_path / "env")
    run(program, "-m", "pip", "install", copied)
    assert "<title>Fox &amp; Clover</title>" in page_of(program, tmp_path / "data", address)


def test_uv_installs_a_clone_as_a_tool_and_runs_one(copied: Path, tmp_path: Path) -> None:
    uv = Path(sys.executable).parent / "uv"
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    run(uv, "tool", "install", "--python", sys.executable, copied, **places)
    assert run(tmp_path / "bin" / "foxclover", "--version").startswith("foxclover ")
    used = run(uv, "tool", "run", "--python", sys.executable, "--from", copied, "foxclover", "odds",
               "--help", **places)  # fmt: skip
    assert "foxclover odds" in used


def test_a_package_without_the_page_says_so(copied: Path, tmp_path: Path) -> None:
    program = environment(sys.executable, tmp_path / "env")
    run(program, "-m", "pip", "install", copied, FOXCLOVER_PAGE="skip")
    for command in ("serve", "--lan"):
        told = run(program, "-m", "foxclover", command, code=2, XDG_DATA_HOME=str(tmp_path))
        assert told.splitlines() == [
            "python -m foxclover: The page is not built, so browsers have nothing to show. "
            "In a clone, run ./play once. Otherwise install foxclover again where Node is "
            "available."
        ]


def test_the_site_package_adds_build_site(built: Path, tmp_path: Path) -> None:
    program = environment(sys.executable, tmp_path / "env")
    packages = [only(built, f"{name}-*.whl") for name in ("foxclover", "foxclover_site")]
    run(program, "-m", "pip", "install", *packages)
    run(program, "-m", "foxclover", "build-site", tmp_path / "site")
    assert (tmp_path / "site/index.html").is_file()
    with tarfile.open(next((tmp_path / "site/engine").glob("foxclover-*.tar.gz"))) as packed:
        names = packed.getnames()
    assert not [name for name in names if name.endswith(".py")], "all modules are compiled"
