"""Records: copied, compared, hashed and turned into arrays by content."""

from __future__ import annotations

import pytest

from foxclover.core.records import Record, Shape, assign, floats, ints, one, rows, shorts, singles
from foxclover.kernel import memory


class Inner(Record):
    integer = "i4"
    level: int
    marks: list[int] = ints(2)


class Outer(Record):
    integer = "i4"
    count: int
    table: list[list[int]] = ints(2, 3)
    inners: list[Inner] = rows(Inner, 2)


def example() -> Outer:
    return Outer.from_values(iter(range(1, 14)))


def test_values_come_in_the_order_of_declaration() -> None:
    record = example()
    assert record.values() == tuple(range(1, 14))
    assert (record.count, record.table, record.inners[1].marks) == (
        1,
        [[2, 3, 4], [5, 6, 7]],
        [12, 13],
    )


def test_a_copy_is_equal_and_independent() -> None:
    record = example()
    twin = record.copy()
    assert twin == record
    twin.table[1][2] = 0
    twin.inners[0].marks[0] = 0
    assert record == example()
    assert twin != record


def test_assign_overwrites_with_a_copy() -> None:
    record, target = example(), Outer()
    assign(target, record)
    assert target == record
    target.inners[1].level = 99
    assert record == example()


def test_arrays_hold_the_same_integers() -> None:
    record = example()
    array = memory.to_array(Outer, record, Outer())
    assert array["table"][0].tolist() == record.table
    assert array["inners"]["marks"][0].tolist() == [[9, 10], [12, 13]]
    assert memory.unpack(Outer, array[:1].tobytes()) == record
    assert memory.unpack(Outer, array[1:].tobytes()) == Outer()


class Mixed(Record):
    count: int
    mean: float
    inner: Inner = one(Inner)
    cube: list[list[list[float]]] = floats(2, 2, 2)
    small: list[int] = shorts(3)
    weights: list[float] = singles(2)
    board: list[list[Inner]] = rows(Inner, 2, 2)


def test_fields_know_the_kind_of_their_numbers() -> None:
    kinds = {name: shape.kind for name, shape in Mixed.shapes.items() if not shape.record}
    assert kinds == {"count": "i8", "mean": "f8", "cube": "f8", "small": "i2", "weights": "f4"}
    assert Outer.shapes["table"] == Shape("i4", (2, 3))
    assert (Mixed().mean, Mixed().cube[1][1], Mixed().inner.marks) == (0.0, [0.0, 0.0], [0, 0])


def test_a_copy_of_nested_buffers_and_records_is_independent() -> None:
    record = Mixed()
    twin = record.copy()
    twin.cube[1][0][1] = 0.5
    twin.inner.marks[0] = 1
    twin.board[1][0].level = 2
    twin.small[2] = 3
    assert record == Mixed()
    assert twin.copy() == twin != record
    assert Mixed.from_values(iter(twin.values())) == twin


def test_a_copy_may_share_the_records_behind_so_many_of_a_row() -> None:
    record = example()
    twin = record.copy(1)
    assert twin == record
    assert twin.inners[0] is not record.inners[0]
    assert twin.inners[1] is record.inners[1]


def test_a_field_that_was_not_declared_cannot_be_set() -> None:
    record = example()
    with pytest.raises(AttributeError, match="cuont"):
        record.cuont = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="levle"):
        record.inners[0].levle = 1  # type: ignore[attr-defined]
