"""What must hold of the whole project."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from foxclover.ai.families import family_of
from foxclover.core import rules
from foxclover.core.game import game, game_names
from foxclover.core.registry import families, find_family
from foxclover.kernel.program import program

ROOT = Path(__file__).parents[1]
CLASS = re.compile(r"\.([a-z][\w-]*)")
PACKAGE = ROOT / "src" / "foxclover"
LONGEST = 500  # lines of a source file
LONGEST_FUNCTION = 60  # lines
MOST_PARAMETERS = 8
MOST_MODULES = 260  # 200 when the packages were regrouped; a later topic adds its own
MOST_ROOT_MODULES = 6
HEAVY = {"numba", "numpy", "matplotlib", "starlette", "uvicorn", "websockets"}
OF_EXTRAS = {"h5py", "mcp", "minari", "onnx", "onnxruntime", "pyarrow", "safetensors", "torch"}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All nodes of a file's syntax tree, the module first."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path) -> set[str]:
    """Modules a file imports for its work, not only for its types."""
    for_types = {
        id(inner)
        for node in nodes(path)
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    names: set[str] = set()
    for node in nodes(path):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


LAYERS = [  # each may import what comes before it, and nothing else of the package
    ["locale"],
    ["core"],
    ["dice", "kernel"],
    ["transcripts", "ai"],
    ["simulation", "review"],
    ["puzzles"],
    ["benchmark"],
    ["games.clever", "games.climb", "envs"],
    ["server.errors", "server.confirmed_time"],
    ["server.logs"],
    ["server.network"],
    ["server.outgoing"],
    ["server.protocol"],
    ["server.limits"],
    ["server.stores"],
    ["server.connection", "server.games", "server.thinking"],
    ["server.puzzles", "server.tours"],
    ["server.context"],
    ["server.tables"],
    ["server.people"],
    ["server.notify"],
    ["server.daily"],
    ["server.lobby"],
    ["server.http"],
]


def package_of(name: str) -> str:
    """Return the node of ``LAYERS`` that a module belongs to."""
    parts = name.split(".")[1:]
    return ".".join(parts[:2] if parts[0] in ("games", "server") else parts[:1])


def files_of(package: str) -> list[Path]:
    """Return the files of a node of ``LAYERS``: a folder or a single module."""
    place = PACKAGE.joinpath(*package.split("."))
    return [*place.rglob("*.py")] if place.is_dir() else [place.with_suffix(".py")]


def test_packages_import_only_what_is_below_them() -> None:
    below: set[str] = {"server"}  # whose own module is empty
    for layer in LAYERS:
        for package in layer:
            for path in files_of(package):
                used = {
                    package_of(name) for name in imported(path) if name.startswith("foxclover.")
                }
                assert used - {"__version__"} <= {package, *below}, path
        below |= set(layer)
    listed = {package for layer in LAYERS for package in layer}
    found = {f"server.{path.stem}" for path in (PACKAGE / "server").iterdir()}
    assert found - {"server.__init__", "server.__pycache__"} <= listed


def strings(path: Path) -> Iterator[str]:
    """The strings of a module, parts of formatted ones included, but no docstrings."""
    documenting = {
        id(node.value)
        for node in nodes(path)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes(path):
        if isinstance(node, ast.Constant) and id(node) not in documenting:
            yield str(node.value)


def test_nothing_outside_of_a_family_asks_which_family_it_is() -> None:
    names = "|".join(families())
    options = [option.name for name in families() for option in find_family(name).options]
    own = re.compile(
        rf"({names})|(why\.)?({names})\..*|.*\b(fox(es)?|fairy)\b.*|{'|'.join(options)}"
    )
    for path in PACKAGE.rglob("*.py"):
        if "games" not in path.relative_to(PACKAGE).parts:
            assert not [name for name in imported(path) if re.match(r"foxclover\.games\.", name)], (
                path
            )
            assert not [text for text in strings(path) if own.fullmatch(text)], path
            assert not re.search(
                r"translate\(f\"[^\"]*family\}", path.read_text(encoding="utf-8")
            ), path


def test_every_game_keeps_within_the_bounds_of_all_families() -> None:
    for key in game_names():
        played = game(key)
        assert played.rules.ACTION_SPACE <= rules.MAX_ACTION_SPACE
        assert played.rules.OUTCOMES <= rules.MAX_OUTCOMES
        assert len(played.scoring.TALLIES) <= rules.MAX_TALLIES
        features = played.contract.features
        for players in played.players:
            position = played.start(players)
            assert len(position.breakdown(0)) <= rules.MAX_PARTS
            assert len(features.player_moves(played.definition, players)) <= rules.MAX_ACTIONS
            assert len(features.name_features(played.definition, players)) <= rules.MAX_FEATURES
            shared = list(features.name_table(played.definition, players))
            inputs = list(family_of(played).name_inputs(played))
            assert len(shared) + len(inputs) <= rules.MAX_INPUTS


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        ("foxclover, foxclover.core.game, foxclover.cli", HEAVY | OF_EXTRAS),
        ("foxclover.envs, foxclover.envs.text", OF_EXTRAS),
    ],
)
def test_importing_the_package_loads_nothing_heavy(modules: str, heavy: set[str]) -> None:
    code = f"import sys, {modules}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not heavy & set(loaded)


def test_words_that_had_several_meanings_have_one() -> None:
    modules = [nodes(path)[0] for path in PACKAGE.rglob("*.py")]
    defined = [
        target.id
        for module in modules
        if isinstance(module, ast.Module)
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert [
        defined.count(name) for name in ("ACTIONS", "LEVELS", "MAX_PARTS", "SAMPLES", "THINKING")
    ] == [1] * 5
    kernel = {
        PACKAGE.parent / f"{name.replace('.', '/')}.py"
        for family in families()
        for name in program(family).modules
    }
    # batch.py knows the tables of a definition, but no views and no places
    for path in kernel - {PACKAGE / "kernel" / "batch.py"}:
        used = {getattr(node, "id", None) or getattr(node, "arg", None) for node in nodes(path)}
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


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions of the package, with their places."""
    for path in PACKAGE.rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}", node


def test_functions_stay_short() -> None:
    lengths = {place: (node.end_lineno or 0) - node.lineno + 1 for place, node in functions()}
    assert len(lengths) > 1000
    assert not [place for place, lines in lengths.items() if lines > LONGEST_FUNCTION]


def test_functions_have_few_parameters() -> None:
    names = {
        place: [
            parameter.arg
            for parameter in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            if parameter.arg not in ("self", "cls")
        ]
        for place, node in functions()
    }
    assert not [place for place, found in names.items() if len(found) > MOST_PARAMETERS]


def test_the_package_has_few_modules() -> None:
    assert len([*PACKAGE.rglob("*.py")]) <= MOST_MODULES
    assert len([*PACKAGE.glob("*.py")]) <= MOST_ROOT_MODULES


@pytest.mark.parametrize("name", ["runtime", "dev", "docs"])
def test_requirements_are_pinned_with_hashes_and_name_no_index(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^[a-z0-9].*?(?=^[a-z0-9]|\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert "://" not in text


@pytest.mark.parametrize("part", ["runtime", "docs"])
def test_a_part_of_the_requirements_pins_the_same_versions(part: str) -> None:
    pins = [
        dict(
            re.findall(
                r"^([a-z0-9-]+)==(\S+)",
                (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8"),
                re.MULTILINE,
            )
        )
        for name in (part, "dev")
    ]
    assert pins[0].items() <= pins[1].items()


def test_a_clone_that_was_moved_makes_its_environment_again(tmp_path: Path) -> None:
    clone, tools = tmp_path / "clone", tmp_path / "bin"
    for name in ("tools/setup", "pyproject.toml", "requirements/runtime.txt"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    tools.mkdir()
    # no Python, so that nothing is installed
    for name in ("bash", "cat", "cksum", "env", "grep", "rm"):
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


def test_prose_in_markdown_wraps_at_100_columns() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]
    lines = [
        (page, line)
        for page in pages
        for line in re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL).splitlines()
    ]
    long = [
        f"{page.relative_to(ROOT)}: {line[:60]}"
        for page, line in lines
        if len(line) > 100 and not line.startswith(("|", "    ", "<", "!")) and " " in line[:100]
    ]
    assert not long


def test_the_start_page_whose_styles_stay_loaded_changes_no_board() -> None:
    def selectors(name: str) -> list[str]:
        css = re.sub(
            r"/\*.*?\*/", "", (ROOT / "web/src" / name).read_text("utf-8"), flags=re.DOTALL
        )
        return [one.strip() for found in re.findall(r"([^{}]+)\{", css) for one in found.split(",")]

    begins = {found[1] for one in selectors("styles/home.css") if (found := CLASS.match(one))}
    for board in ("clever/clever.css", "climb/climb.css", "styles/dice.css"):
        assert not begins & {name for one in selectors(board) for name in CLASS.findall(one)}
