"""Random functions mean the same in CPython and a checking build, or are refused as expected."""

from __future__ import annotations

import math
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from foxclover.kernel import KernelError
from foxclover.kernel.build import build
from foxclover.kernel.program import Program, UnsupportedSyntax
from foxclover.kernel.translate import translate
from foxclover.kernel.wasm import WasmInstance, WasmKernel

from .conftest import module_from
from .grammar import HEAD, REASONS, functions

FAULTS = (ZeroDivisionError, ValueError)
ARGUMENTS = (
    (0, 0, 0.0),
    (1, -1, 0.5),
    (-7, 3, -2.25),
    (12, 5, 100.0),
    (-1000, 999, 1e-3),
    (333_333, -524_288, -7e5),
)
NUMBERS = count(1)


def fill(module: ModuleType, n: int) -> Any:
    """A desk with all kinds of numbers on it."""
    desk = module.Desk()
    desk.count, desk.mean = n * 37 % 1009, n / 8 - 1
    desk.row, desk.tiny, desk.grid = (
        [n, -n, 500_000],
        [n % 100, -n % 100],
        [[1, n, -3], [n * n % 5000, 5, 400_000]],
    )
    desk.numbers = [n / 3, -0.5]
    for inner in (desk.inner, *desk.inners):
        inner.level, inner.marks = (n + 1) * 99_991 % 500_000, [n, -n, 30_000]
    return desk


def compare(
    module: ModuleType, instance: WasmInstance, name: str, arguments: tuple[int, int, float], n: int
) -> None:
    """Run a function on equal desks; what CPython cannot compute must trap, and nothing else."""
    desk, place = fill(module, n), instance.new(module.Desk)
    instance.set(place, desk)
    try:
        expected = getattr(module, name)(*arguments, desk)
    except FAULTS:
        with pytest.raises(KernelError):
            instance.call(name, *arguments, place)
        return
    assert instance.call(name, *arguments, place) == expected
    left = zip(instance.read(module.Desk, place).values(), desk.values(), strict=True)
    assert all(one == other or (math.isnan(one) and math.isnan(other)) for one, other in left)


def accepted(name: str, module: ModuleType) -> bool:
    """Return whether a function is translated; a refusal must have a reason of the grammar."""
    try:
        translate(Program((module.__name__,), {}, (name,)))
    except UnsupportedSyntax as refused:
        if not any(reason in refused.reason for reason in REASONS):
            raise
        return False
    return True


def build_and_compare(bodies: list[str], folder: Path) -> None:
    name = f"kernel_random_{next(NUMBERS)}"
    file = folder / f"{name}.py"
    file.write_text(HEAD + "".join(f"def entry_{n}{body}\n" for n, body in enumerate(bodies)))
    module = module_from(file, name)
    entries = tuple(f"entry_{n}" for n in range(len(bodies)) if accepted(f"entry_{n}", module))
    if entries:
        instance = WasmKernel(
            "random", build(Program((name,), {}, entries), checking=True)
        ).instance()
        for entry in entries:
            for n, arguments in enumerate(ARGUMENTS):
                compare(module, instance, entry, arguments, n * 5)


@pytest.mark.parametrize("examples", [6, 20], ids=["few", "many"])
def test_random_functions_agree_or_are_refused(
    examples: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # What fails is not made smaller, which would take minutes of building: the function's name is
    # in the message, its text in the example.
    @settings(
        max_examples=examples,
        phases=(Phase.reuse, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(bodies=st.lists(functions(), min_size=6, max_size=12))
    def agree_or_are_refused(bodies: list[str]) -> None:
        build_and_compare(bodies, tmp_path_factory.mktemp("random"))

    agree_or_are_refused()
