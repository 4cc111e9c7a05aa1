"""The functions of a program as syntax trees, and what their names stand for."""

from __future__ import annotations

import ast
import types
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from foxclover.kernel.program import Program, is_stand_in, is_stand_in_module
from foxclover.records import Record, assign

PACKAGE = "foxclover."
RECORDS = "foxclover.records"
MATHEMATICS = ("exp", "log", "sqrt")


class Refused(Exception):
    """Something outside the subset of Python that the kernel is written in, with file, line and reason."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}")
        self.line = line
        self.reason = reason


class Function(NamedTuple):
    """A function of a kernel module."""

    module: str
    tree: ast.FunctionDef


class Module:
    """A module of the kernel: its functions, and what its global names stand for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names = vars(import_module(name))
        self.file = Path(self.names["__file__"])
        self.tree = ast.parse(self.file.read_text(encoding="utf-8"))
        functions = [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]
        self.functions = (
            {}
            if is_stand_in_module(name)
            else {node.name: Function(name, node) for node in functions}
        )

    @cached_property
    def imported_for_types(self) -> dict[str, tuple[str, str]]:
        """Names that are imported for annotations only: where each comes from."""
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
        """The record that a name in an annotation stands for."""
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
        """Refuse what the program does not list: it could change without the digest noticing."""
        for node in ast.walk(module.tree):
            if (
                isinstance(node, ast.ImportFrom)
                and str(node.module).startswith(PACKAGE)
                and node.module not in (*self.modules, RECORDS)
            ):
                raise Refused(
                    module.file,
                    node.lineno,
                    f"{node.module} is imported, but not listed among the program's modules",
                )

    def function(self, name: str) -> Function:
        """The one function of the program with a name."""
        found = [
            module.functions[name] for module in self.modules.values() if name in module.functions
        ]
        if len(found) != 1:
            raise LookupError(
                f"{name} is {'no function' if not found else 'the name of several functions'} of the kernel"
            )
        return found[0]

    def look_up(self, module: str, name: str) -> Any:
        """What a global name of a module stands for: a ``Function``, ``assign``, the name of a mathematical function, or a constant."""
        value = self.modules[module].names.get(name)
        if isinstance(value, types.FunctionType) and value is not assign:
            if is_stand_in(value):
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
        """The record that a name in an annotation stands for, a family's own for a stand-in."""
        found = self.modules[module].record(name)
        if found is not None and is_stand_in(found):
            return self.records.get(found.__name__)
        return found

    def writes(self, function: Function) -> bool:
        """Does calling a function change anything?"""
        key = function.module, function.tree.name
        if key not in self._writing:
            self._writing[key] = False  # of a recursive call nothing is known yet
            self._writing[key] = any(
                self._changes(function.module, node) for node in ast.walk(function.tree)
            )
        return self._writing[key]

    def _changes(self, module: str, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute | ast.Subscript):
            return isinstance(node.ctx, ast.Store)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            try:
                called = self.look_up(module, node.func.id)
            except LookupError:  # a builtin, or refused later with its line
                return False
            return called is assign or (isinstance(called, Function) and self.writes(called))
        return False


def _find(path: str) -> type[Record]:
    module, _, name = path.rpartition(".")
    found: type[Record] = getattr(import_module(module), name)
    return found
