"""The program of a kernel: its modules and entries, their syntax trees, and their digest."""

from __future__ import annotations

import ast
import hashlib
import types
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, cast

from foxclover.core.errors import Picklable
from foxclover.core.records import Record, assign
from foxclover.core.registry import import_part

SECTION = "foxclover"  # of a kernel file: names the sources
PACKAGE = "foxclover."
RECORDS = "foxclover.core.records"
MATHEMATICS = ("exp", "log", "sqrt")


class Program(NamedTuple):
    """The content of a kernel file: ``entries`` and all they need from ``modules``."""

    modules: tuple[str, ...]  # with all that they import here: the digest covers every source
    records: dict[str, str]  # a record of a ``stubs`` module -> the record of the family
    entries: tuple[str, ...]  # functions that Python and the page may call


def program(family: str) -> Program:
    """Return the program of a family."""
    return cast(Program, import_part(family, "family").PROGRAM)


def is_stub(value: Any) -> bool:
    """Return whether a function or record is an interface stub."""
    return is_stub_module(value.__module__)


def is_stub_module(name: str) -> bool:
    """Return whether a module only declares interface stubs."""
    return name.rpartition(".")[2] == "stubs"


def source_files(program: Program) -> Iterator[Path]:
    """Yield all sources of a kernel: the modules of the program and the translator."""
    root = Path(__file__).parent
    yield root.parent / "core" / "records.py"
    for name in (
        "prelude.h",
        "program.py",
        "values.py",
        "expressions.py",
        "translate.py",
        "build.py",
    ):
        yield root / name
    for name in sorted(program.modules):
        package, *path = name.split(".")  # find_spec would import the parents of a module
        spec = find_spec(package)
        assert spec is not None
        yield (
            Path(str(spec.origin)).parent.joinpath(*path).with_suffix(".py")
            if path
            else Path(str(spec.origin))
        )


def digest(program: Program) -> str:
    """Return a digest of the sources and entries."""
    found = hashlib.sha256(
        repr((sorted(program.records.items()), sorted(program.entries))).encode()
    )
    for file in source_files(program):
        found.update(hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).digest())
    return found.hexdigest()


def within(package: str, *modules: str) -> tuple[str, ...]:
    """Return the full names of modules."""
    return tuple(f"{package}.{name}" for name in modules)


MODULES = (
    *within("foxclover.core", "rules"),
    *within("foxclover.kernel", "stubs", "batch"),
    *within("foxclover.ai", "stubs", "candidates", "playing"),
    *within("foxclover", "simulation.stepping", "review.stubs", "review.evaluate"),
)
ENTRIES = (
    *(
        "seed_rng",
        "below",
        "play_games",
        "start",
        "acting",
        "chance_pending",
        "draw",
        "legal",
        "apply",
        "score",
        "write_result",
    ),
    *("play_with_workspaces", "play_on", "rate", "noisy_argmax", "wants_win", "choose_to_win"),
    *("rate_here", "evaluate_chance", "compare", "concerns", "is_exact"),
    *("start_episodes", "step_episodes", "draw_actions", "observe_seat", "observe"),
    *("list_candidates", "try_candidates", "drop_weaker_half", "value"),
)


class UnsupportedSyntax(Picklable, Exception):
    """Code outside the subset of Python for the kernel, with file, line and reason."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}")
        self.line = line
        self.reason = reason


class Function(NamedTuple):
    """A function of a kernel module."""

    module: str
    tree: ast.FunctionDef


class Module:
    """A module of the kernel: its functions and global names."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names = vars(import_module(name))
        self.file = Path(self.names["__file__"])
        self.tree = ast.parse(self.file.read_text(encoding="utf-8"))
        self.functions = {
            node.name: Function(name, node)
            for node in self.tree.body
            if isinstance(node, ast.FunctionDef) and not is_stub_module(name)
        }

    @cached_property
    def imported_for_types(self) -> dict[str, tuple[str, str]]:
        """Return the names imported for annotations only, with their origins."""
        found: dict[str, tuple[str, str]] = {}
        for block in self.tree.body:
            if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
                for node in block.body:
                    if isinstance(node, ast.ImportFrom) and node.module:
                        found |= {
                            alias.asname or alias.name: (node.module, alias.name)
                            for alias in node.names
                        }
        return found

    def record(self, name: str) -> type[Record] | None:
        """Return the record of a name in an annotation."""
        value = self.names.get(name)
        if value is None and name in self.imported_for_types:
            origin, original = self.imported_for_types[name]
            value = getattr(import_module(origin), original, None)
        return value if isinstance(value, type) and issubclass(value, Record) else None


class Sources:
    """All modules of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.modules = {name: Module(name) for name in program.modules}
        self.records = {name: _find(path) for name, path in program.records.items()}
        self._writing: dict[tuple[str, str], bool] = {}
        for module in self.modules.values():
            self._check_imports(module)

    def _check_imports(self, module: Module) -> None:
        """Refuse imports that the program does not list: the digest would miss their changes."""
        for node in ast.walk(module.tree):
            if (
                isinstance(node, ast.ImportFrom)
                and str(node.module).startswith(PACKAGE)
                and node.module not in (*self.modules, RECORDS)
            ):
                raise UnsupportedSyntax(
                    module.file,
                    node.lineno,
                    f"{node.module} is imported, but not listed among the program's modules",
                )

    def function(self, name: str) -> Function:
        """Return the only function of the program with a name."""
        found = [
            module.functions[name] for module in self.modules.values() if name in module.functions
        ]
        if len(found) != 1:
            problem = "the name of several functions" if found else "no function"
            raise LookupError(f"{name} is {problem} of the kernel")
        return found[0]

    def look_up(self, module: str, name: str) -> Any:
        """Return the meaning of a global name of a module.

        A ``Function``, ``assign``, the name of a mathematical function, or a constant.
        """
        value = self.modules[module].names.get(name)
        if isinstance(value, types.FunctionType) and value is not assign:
            if is_stub(value):
                return self.function(value.__name__)
            home = self.modules.get(value.__module__)
            if home is None:
                raise LookupError(f"{value.__module__}.{value.__name__} is not part of the kernel")
            return home.functions[value.__name__]
        if isinstance(value, types.BuiltinFunctionType) and value.__module__ == "math":
            if value.__name__ not in MATHEMATICS:
                raise LookupError(
                    f"math.{value.__name__} is not part of the subset; {', '.join(MATHEMATICS)} are"
                )
            return value.__name__
        if value is None:
            raise LookupError(f"{name} is not known here")
        return value

    def record(self, module: str, name: str) -> type[Record] | None:
        """Return the record of a name in an annotation: for a stub that of the family."""
        found = self.modules[module].record(name)
        if found is not None and is_stub(found):
            return self.records.get(found.__name__)
        return found

    def writes(self, function: Function) -> bool:
        """Return whether a call of a function changes anything."""
        key = function.module, function.tree.name
        if key not in self._writing:
            reached = {key: function}
            waiting = [function]
            while waiting:
                for called in self._called(waiting.pop()):
                    if (other := (called.module, called.tree.name)) not in reached:
                        reached[other] = called
                        waiting.append(called)
            self._writing[key] = any(map(self._changes, reached.values()))
        return self._writing[key]

    def _named_calls(self, function: Function) -> Iterator[Any]:
        for node in ast.walk(function.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                with suppress(LookupError):  # a builtin, or refused later with its line
                    yield self.look_up(function.module, node.func.id)

    def _called(self, function: Function) -> list[Function]:
        return [called for called in self._named_calls(function) if isinstance(called, Function)]

    def _changes(self, function: Function) -> bool:
        stores = (
            isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
            for node in ast.walk(function.tree)
        )
        return any(stores) or any(called is assign for called in self._named_calls(function))


def _find(path: str) -> type[Record]:
    module, _, name = path.rpartition(".")
    return cast(type[Record], getattr(import_module(module), name))
