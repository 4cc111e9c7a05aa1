"""Records: copied, compared, hashed and turned into arrays by content."""

from __future__ import annotations

from foxclover import fast
from foxclover.records import Record, assign, ints, rows


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
    assert (record.count, record.table, record.inners[1].marks) == (1, [[2, 3, 4], [5, 6, 7]], [12, 13])


def test_a_copy_is_equal_and_independent() -> None:
    record = example()
    twin = record.copy()
    assert twin == record
    assert hash(twin) == hash(record)
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
    array = fast.to_array(record, Outer())
    assert array["table"][0].tolist() == record.table
    assert array["inners"]["marks"][0].tolist() == [[9, 10], [12, 13]]
    assert fast.from_array(Outer, array[:1]) == record
    assert fast.from_array(Outer, array[1:]) == Outer()
