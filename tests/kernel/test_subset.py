"""Every construct of the subset means the same in the kernel as in CPython."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foxclover.kernel.wasm import WasmInstance

NUMBERS = st.integers(-(1 << 40), 1 << 40)
SMALL = st.integers(-12, 12)
MASKS = st.integers(0, (1 << 62) - 1)
FLOATS = st.floats(-1e6, 1e6)
EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

PURE: dict[str, tuple[Any, ...]] = {
    "arithmetic": (NUMBERS, NUMBERS),
    "floor_division": (NUMBERS, NUMBERS.filter(bool)),
    "modulo": (NUMBERS, NUMBERS.filter(bool)),
    "bits": (MASKS, MASKS),
    "shift_left": (st.integers(-(1 << 20), 1 << 20), st.integers(0, 42)),
    "shift_right": (st.integers(-(1 << 62), 1 << 62), st.integers(0, 63)),
    "population": (MASKS,),
    "lowest": (st.integers(1, (1 << 32) - 1),),
    "powers": (SMALL, st.integers(0, 12)),
    "float_arithmetic": (FLOATS, FLOATS),
    "divide": (NUMBERS, NUMBERS.filter(bool)),
    "mixed": (SMALL, FLOATS),
    "conversions": (FLOATS, NUMBERS),
    "extremes": (SMALL, SMALL, FLOATS),
    "signs": (SMALL, SMALL),
    "compare": (SMALL, SMALL),
    "chained": (SMALL, SMALL, SMALL),
    "logic": (SMALL, SMALL),
    "conditional": (SMALL, SMALL),
    "member": (SMALL,),
    "loops": (st.integers(0, 40),),
    "loop_over_tuples": (st.integers(0, 100),),
    "unpacking": (st.integers(0, 100), st.integers(0, 100)),
    "recursive": (st.integers(0, 15),),
}
ON_A_DESK = (
    "read_back operands read_before_call arguments store_after_call augmented short_circuit "
    "swapped returned_pair loop_over_a_row_found_once order_with_mutual_recursion order_in_tuples "
    "store_what_the_index_changes copy_in_order"
).split()


@pytest.mark.parametrize("name", PURE)
def test_functions_of_numbers_agree(name: str, subset: ModuleType, instance: WasmInstance) -> None:
    @EXAMPLES
    @given(arguments=st.tuples(*PURE[name]))
    def agree(arguments: tuple[Any, ...]) -> None:
        assert instance.call(name, *arguments) == getattr(subset, name)(*arguments)

    agree()


@pytest.mark.parametrize("name", ON_A_DESK)
def test_functions_of_records_agree_and_leave_the_same_behind(
    name: str, subset: ModuleType, instance: WasmInstance
) -> None:
    place = instance.new(subset.Desk)

    @EXAMPLES
    @given(seed=st.integers(0, 1000))
    def agree(seed: int) -> None:
        desk = subset.Desk()
        subset.fill(desk, seed)
        instance.call("fill", place, seed)
        # weights are single floats in the kernel
        assert instance.read(subset.Desk, place).values() == pytest.approx(desk.values(), abs=1e-6)
        assert instance.call(name, place) == getattr(subset, name)(desk)
        assert instance.read(subset.Desk, place).grid == desk.grid
        assert (int(place.count), place.inners[2].level) == (desk.count, desk.inners[2].level)

    agree()


def test_many_numbers_are_compared_alike(subset: ModuleType, instance: WasmInstance) -> None:
    place, rng = instance.new(subset.Compared), np.random.default_rng(1)
    for start in range(33):
        place.weights[:] = rng.choice([-1.5, -0.0, 0.0, 1e-30, 2.0], 64)
        place.before[:], place.after[:] = rng.integers(-2, 2, (2, 64)) * 256
        compared = instance.read(subset.Compared, place)
        assert instance.call("positives", place, start) == subset.positives(compared, start)
        assert instance.call("differences", place, start) == subset.differences(compared, start)


@pytest.mark.parametrize("number", [3, -46_341, 2**31 - 1])
def test_narrow_numbers_are_multiplied_as_wide_ones(
    number: int, subset: ModuleType, instance: WasmInstance
) -> None:
    assert instance.call("wide_product", instance.new(subset.Desk), number) == subset.wide_product(
        subset.Desk(), number
    )


@pytest.mark.parametrize("name", ["exchange", "weigh"])
def test_rows_are_added_alike(name: str, subset: ModuleType, instance: WasmInstance) -> None:
    place, rng = instance.new(subset.Compared), np.random.default_rng(2)
    for count in range(10):
        for field in (place.rows, place.sums, place.weights):
            # sums of these are exact in single and double floats
            field[...] = rng.integers(-64, 64, field.shape)
        place.added[:], place.removed[:] = rng.integers(0, 64, (2, 9))
        compared = instance.read(subset.Compared, place)
        getattr(subset, name)(compared, count)
        instance.call(name, place, count)
        assert instance.read(subset.Compared, place).sums == compared.sums


def test_mathematics_agrees_to_the_last_bit_but_one(
    subset: ModuleType, instance: WasmInstance
) -> None:
    for x in np.geomspace(1e-6, 1e6, 500).tolist():
        assert instance.call("mathematics", x) == pytest.approx(
            subset.mathematics(x), rel=1e-15, abs=1e-15
        )


def test_lists_given_by_the_caller_are_read_and_written(
    subset: ModuleType, instance: WasmInstance
) -> None:
    numbers, values, inners = instance.ints(5), instance.floats(5), instance.new(subset.Inner, 2)
    numbers[:] = range(5)
    inners[1].marks[:] = 1, 2, 3
    assert instance.call("given_lists", numbers, inners, 0.5, values) == 2.0
    assert numbers.tolist() == [0, 7, 2, 9, 4]
    assert values.tolist() == [0.0, 3.5, 1.0, 4.5, 2.0]


def test_singles_stay_single_among_themselves(subset: ModuleType, instance: WasmInstance) -> None:
    desk = instance.new(subset.Desk)
    desk.weights[:] = 0.1, 0.7, 1.3, 2.9
    total = np.float32(desk.weights[0])
    for weight in desk.weights.copy():
        total += weight * weight
    last = np.float32(0.3 * float(total))
    assert instance.call("single_sum", desk, 0.3) == float(max(np.sqrt(last), total)) + 1 * 0.3
    assert desk.weights[3] == last
