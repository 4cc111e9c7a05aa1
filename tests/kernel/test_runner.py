"""Running the kernel.

Memory, threads, traps, damaged files, and CPython where the kernel cannot be used.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import foxclover.kernel
from foxclover.core.registry import families
from foxclover.kernel import KernelError, KernelWarning, kernel_file, open_kernel
from foxclover.kernel.build import build
from foxclover.kernel.program import Program, program
from foxclover.kernel.python_backend import PythonKernel
from foxclover.kernel.wasm import KEPT, WasmInstance, WasmKernel, cache_directory, engine


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the kernel files."""
    for family in families():
        shutil.copy(kernel_file(family), tmp_path)
    monkeypatch.setattr(foxclover.kernel, "kernel_file", lambda family: tmp_path / f"{family}.wasm")
    monkeypatch.setattr(foxclover.kernel, "open_kernel", open_kernel.__wrapped__)
    return tmp_path


@pytest.mark.parametrize("family", families())
def test_the_kernel_files_are_those_of_the_sources(family: str) -> None:
    assert build(program(family)) == kernel_file(family).read_bytes(), "run tools/kernel"


@pytest.mark.parametrize("family", families())
def test_kernel_files_import_nothing(family: str) -> None:
    kernel = open_kernel(family)
    assert isinstance(kernel, WasmKernel)
    assert not list(kernel.module.imports)


# --- memory


def test_views_keep_their_memory_alive(kernel: WasmKernel, subset: ModuleType) -> None:
    desks = kernel.instance().new(subset.Desk, 3)
    gc.collect()
    desks[1].grid[1][2] = 7
    assert desks.grid[1].tolist() == [[0, 0, 0], [0, 0, 7]]


def test_new_records_are_blank_and_apart(instance: WasmInstance, subset: ModuleType) -> None:
    first, second = instance.new(subset.Desk), instance.new(subset.Desk)
    instance.call("fill", first, 5)
    assert instance.read(subset.Desk, second) == subset.Desk()


def test_a_record_comes_back_as_it_was_put_in(instance: WasmInstance, subset: ModuleType) -> None:
    desk = subset.Desk()
    subset.fill(desk, 8)
    desk.weights = [0.0, 0.5, 0.25, 2.0]
    place = instance.new(subset.Desk)
    instance.set(place, desk)
    assert instance.read(subset.Desk, place) == desk
    instance.set(place.inners[1], subset.Inner())
    assert place.inners[1].marks.tolist() == [0, 0, 0]


def test_arrays_fill_the_beginning_of_longer_buffers(
    instance: WasmInstance, subset: ModuleType
) -> None:
    plain = PythonKernel("clever").instance()
    for place in (instance.new(subset.Desk), plain.new(subset.Desk)):
        (plain if isinstance(place, subset.Desk) else instance).fill(
            place.grid, np.array([[1, 2], [3, 4]])
        )
        assert [[int(n) for n in row] for row in place.grid] == [[1, 2, 0], [3, 4, 0]]


def test_only_addresses_in_its_memory_are_passed(instance: WasmInstance) -> None:
    with pytest.raises(KernelError, match="must be in its memory"):
        instance.call("read_at", np.zeros(4, np.int64), 0)


def test_too_much_memory_is_one_sentence_and_loses_nothing(instance: WasmInstance) -> None:
    numbers = instance.ints(3)
    numbers[:] = 1, 2, 3
    with pytest.raises(KernelError, match="no room for"):
        instance.ints(1 << 30)
    assert instance.call("read_at", numbers, 2) == 3


# --- traps


def test_a_trap_names_the_function_and_the_instance_goes_on(instance: WasmInstance) -> None:
    with pytest.raises(
        KernelError,
        match=(
            r"the kernel stopped in \w+ \(.*(divide by zero|unreachable).*called by floor_division"
        ),
    ):
        instance.call("floor_division", 1, 0)
    assert instance.call("floor_division", 7, 2) == 3


@pytest.fixture(scope="module")
def checking(subset_program: Program) -> WasmKernel:
    return WasmKernel("subset", build(subset_program, checking=True))


@pytest.mark.parametrize(
    ("entry", "arguments"),
    [
        ("shift_left", (1, 64)),
        ("shift_left", (1, -1)),
        ("shift_left", (1 << 40, 30)),
        ("shift_right", (1, 64)),
        ("population", (-1,)),
        ("arithmetic", (1 << 62, 1 << 62)),
        ("powers", (10, 40)),
        ("powers", (2, -1)),
        ("divide", (1, 0)),
        ("mixed", ((1 << 53) + 1, 0.5)),
        ("conversions", (1e300, 0)),
        ("mathematics", (-1.0,)),
        ("mathematics", (0.0,)),
    ],
)
def test_a_checking_build_traps_where_numbers_would_differ_from_python(
    checking: WasmKernel, entry: str, arguments: tuple[float, ...]
) -> None:
    with pytest.raises(KernelError, match=f"called by {entry}"):
        checking.instance().call(entry, *arguments)


@pytest.mark.parametrize("at", [-1, 4, 1 << 40])
def test_a_checking_build_traps_outside_of_lists_given_by_callers(
    checking: WasmKernel, at: int, subset: ModuleType
) -> None:
    instance = checking.instance()
    line = subset.read_at.__code__.co_firstlineno + 1
    with pytest.raises(KernelError, match=f"stopped in .*line {line}.*called by read_at"):
        instance.call("read_at", instance.ints(4), at)


@pytest.mark.parametrize(
    ("entry", "number"),
    [("write_small", 1 << 15), ("write_small", -(1 << 15) - 1), ("write_level", 1 << 31)],
)
def test_a_checking_build_traps_where_a_number_does_not_fit(
    checking: WasmKernel, entry: str, number: int, subset: ModuleType
) -> None:
    instance = checking.instance()
    instance.call(entry, instance.new(subset.Desk), number - 1 if number > 0 else number + 1)
    with pytest.raises(KernelError, match=f"called by {entry}"):
        instance.call(entry, instance.new(subset.Desk), number)


# --- threads


def test_another_thread_stops_a_call_through_a_flag(
    instance: WasmInstance, subset: ModuleType
) -> None:
    desk = instance.new(subset.Desk)
    threading.Timer(0.05, lambda: desk.__setattr__("stop", 1)).start()
    started = time.monotonic()
    assert instance.call("wait", desk) > 0
    assert time.monotonic() - started < 60  # it came back: the flag is read again each time


def test_instances_on_threads_do_not_disturb_each_other(kernel: WasmKernel) -> None:
    with ThreadPoolExecutor(4) as threads:
        results = list(
            threads.map(lambda n: kernel.instance().call("recursive", n), [18, 12, 18, 15] * 4)
        )
    assert results == [2584, 144, 2584, 610] * 4


# --- files


@pytest.mark.parametrize("damage", ["shorter", "changed", "foreign", "unlabelled", "empty"])
def test_a_damaged_or_foreign_file_falls_back_to_cpython_with_a_warning(
    elsewhere: Path, damage: str, subset_program: Program
) -> None:
    file = elsewhere / "clever.wasm"
    whole = file.read_bytes()
    damaged = {
        "shorter": whole[:-20],
        "changed": whole[:900] + bytes((whole[900] ^ 1,)) + whole[901:],
        "foreign": build(subset_program),
        "unlabelled": whole[: whole.rfind(b"foxclover{")],
        "empty": b"",
    }
    file.write_bytes(damaged[damage])
    with pytest.warns(KernelWarning, match=r"CPython runs the rules.*clever\.wasm.*tools/kernel"):
        assert isinstance(foxclover.kernel.open_kernel("clever"), PythonKernel)


def test_a_missing_file_falls_back_to_cpython_with_a_warning(elsewhere: Path) -> None:
    (elsewhere / "climb.wasm").unlink()
    with pytest.warns(KernelWarning, match=r"climb\.wasm cannot be read"):
        assert isinstance(foxclover.kernel.open_kernel("climb"), PythonKernel)


def test_edited_rules_fall_back_to_cpython_with_a_warning(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foxclover.kernel, "digest", lambda _: "of other sources")
    with pytest.warns(
        KernelWarning, match=r"was built from other sources; tools/kernel builds it again"
    ):
        assert isinstance(foxclover.kernel.open_kernel("clever"), PythonKernel)


@pytest.mark.parametrize(
    ("missing", "problem"),
    [("wasmtime", "wasmtime is not installed"), ("numpy", r"wasmtime cannot run it \(.*numpy.*\)")],
)
def test_only_a_missing_wasmtime_is_called_not_installed(
    elsewhere: Path, missing: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "foxclover.kernel.wasm")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.warns(KernelWarning, match=problem):
        assert isinstance(foxclover.kernel.open_kernel("clever"), PythonKernel)


def test_a_damaged_cache_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    wasm = kernel_file("clever").read_bytes()
    WasmKernel("clever", wasm)
    (kept,) = cache_directory().glob("clever-*.module")
    good = kept.read_bytes()
    kept.write_bytes(good[:5000] + b"damaged" + good[5007:])
    numbers = WasmKernel("clever", wasm).instance().ints(4)
    assert len(numbers) == 4
    assert kept.read_bytes()[:32] == good[:32]


def test_without_a_writable_cache_the_kernel_runs_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    kernel = WasmKernel("clever", kernel_file("clever").read_bytes())
    assert len(kernel.instance().ints(2)) == 2


def test_what_earlier_versions_compiled_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    old = cache_directory() / "clever-0123456789abcdef"
    others = [
        cache_directory() / name for name in ("clever-mine", "climb-0123456789abcdef", "games")
    ]
    for folder in (old, *others):
        folder.mkdir(parents=True)
        (folder / "code.nbi").write_text("compiled")
    modules = [cache_directory() / f"clever-{n:016}.module" for n in range(KEPT + 1)]
    for age, module in enumerate(modules):
        module.write_text("compiled")
        os.utime(module, (1_000_000 - age, 1_000_000 - age))
    WasmKernel("clever", kernel_file("clever").read_bytes())
    assert not old.exists()
    assert [module.exists() for module in modules] == [True] * (KEPT - 1) + [False] * 2, (
        "those used last stay"
    )
    assert all((folder / "code.nbi").exists() for folder in others)


def test_kernels_of_two_engines_run_beside_each_other() -> None:
    """Racing threads may each create an engine."""
    clever = WasmKernel("clever", kernel_file("clever").read_bytes())
    engine.cache_clear()
    climb = WasmKernel("climb", kernel_file("climb").read_bytes())
    assert clever.engine is not climb.engine
    for kernel in (clever, climb):
        assert kernel.instance().base


def test_engines_are_closed_before_python_unloads_wasmtime() -> None:
    """Otherwise Python reports an exception that it ignored."""
    program = """
import atexit
from foxclover.kernel.wasm import engine
atexit.register(lambda: kept.ptr())  # comes last
kept = engine()
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "ValueError: already closed" in ended.stderr
