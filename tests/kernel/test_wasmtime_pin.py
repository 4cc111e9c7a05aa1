"""The pin of wasmtime, whose private interfaces make repeated kernel calls quick."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

wasmtime = pytest.importorskip("wasmtime")

CHECKED = "50.0.1"
ROOT = Path(__file__).parents[2]
PRIVATE = (
    "_ffi.wasmtime_val_t",
    "_ffi.wasm_trap_t",
    "_ffi.wasmtime_func_call",
    "Val._convert_to_raw",
    "Store._context",
    "WasmtimeError._from_ptr",
    "Trap._from_ptr",
)
ADVICE = (
    "compare kernel/wasm.py, prepare(), with the new version, run tests/kernel, then move CHECKED"
)


def test_wasmtime_is_pinned_to_the_version_that_was_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"wasmtime=={CHECKED}" in project["dependencies"], f"the pin has changed: {ADVICE}"
    assert version("wasmtime") == CHECKED, f"another wasmtime is installed: {ADVICE}"


@pytest.mark.parametrize("path", PRIVATE)
def test_the_private_interfaces_exist(path: str) -> None:
    owner, _, name = path.partition(".")
    assert hasattr(getattr(wasmtime, owner), name), f"wasmtime has lost {path}: {ADVICE}"


def test_functions_have_their_private_handle() -> None:
    store = wasmtime.Store()
    function = wasmtime.Func(store, wasmtime.FuncType([], []), lambda: None)
    assert hasattr(function, "_func"), f"wasmtime has lost Func._func: {ADVICE}"
