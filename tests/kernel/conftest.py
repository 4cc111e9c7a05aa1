"""The functions of ``subset`` as a kernel of their own, built once, plain and checking."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from foxclover.kernel.program import Program
from foxclover.kernel.wasm import WasmInstance, WasmKernel
from kernels import build

FILE = Path(__file__).with_name("subset.py")


def module_from(file: Path, name: str) -> ModuleType:
    """A module from a file, where the translator finds it."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def subset() -> ModuleType:
    """The functions as CPython runs them."""
    return module_from(FILE, "kernel_subset")


@pytest.fixture(scope="session")
def subset_program(subset: ModuleType) -> Program:
    """All functions whose parameters an entry may have."""
    # return tuples and records, or take rows of any width
    inner = ("pair", "summed", "first_of", "returned", "touched")
    functions = [
        node.name for node in ast.parse(FILE.read_text()).body if isinstance(node, ast.FunctionDef)
    ]
    return Program(
        modules=(subset.__name__, "foxclover.kernel.vectors"),
        records={},
        entries=tuple(name for name in functions if name not in inner),
    )


@pytest.fixture(scope="session", params=[False, True], ids=["fast", "checking"])
def kernel(request: pytest.FixtureRequest, subset_program: Program) -> WasmKernel:
    """The kernel as it is shipped, and as it is checked."""
    return WasmKernel("subset", build(subset_program, checking=request.param))


@pytest.fixture
def instance(kernel: WasmKernel) -> WasmInstance:
    return kernel.instance()
