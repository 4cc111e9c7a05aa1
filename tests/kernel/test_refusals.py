"""What is outside the subset is refused with file, line and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from foxclover.kernel.program import Program, UnsupportedSyntax
from foxclover.kernel.translate import translate

from .conftest import module_from

HEAD = """from __future__ import annotations
from math import cos
from foxclover.core.records import Record, assign, flag, ints, rows

class Inner(Record):
    level: int

class Desk(Record):
    count: int
    stop: int = flag()
    row: list[int] = ints(3)
    grid: list[list[int]] = ints(2, 3)
    inners: list[Inner] = rows(Inner, 2)

def helper(a: int) -> int:
    return a

def step(desk: Desk) -> int:
    desk.count += 1
    return desk.count

def found(desk: Desk) -> Desk:
    desk.count += 1
    return desk

LIMIT = 3

"""
REFUSED = {
    "def entry(a: int) -> int:\n    return [n for n in range(a)][0]": (2, "ListComp"),
    "def entry(a: int) -> int:\n    return 'text'": (2, "Constant"),
    "def entry(desk: Desk) -> int:\n    return desk.row[-1]": (2, "never negative"),
    "def entry(desk: Desk) -> int:\n    return desk.grid[0, 1]": (2, "one number at a time"),
    "def entry(desk: Desk) -> int:\n    return desk.size": (2, "Desk has no field size"),
    "def entry(a: int) -> int:\n    return a.size": (2, "is no record but int"),
    "def entry(a: int, b: int) -> int:\n    return a or b": (2, "not a value"),
    "def entry(a: int) -> int:\n    b = a\n    b = 0.5\n    return a": (
        3,
        "b was int and would become float",
    ),
    "def entry(a: int) -> int:\n    return a / 2": (2, "promises int, not float"),
    "def entry(desk: Desk) -> None:\n    desk.count = 0.5": (2, "desk.count holds ints, not float"),
    "def entry(desk: Desk) -> None:\n    desk.stop = 1": (2, "is set by other threads only"),
    "def entry(desk: Desk) -> None:\n    desk.grid[0] = desk.grid[1]": (
        2,
        "a loop copies a buffer",
    ),
    "def entry(desk: Desk) -> None:\n    assign(desk, desk.inners[0])": (2, "another of its kind"),
    "def entry(a: int) -> float:\n    return cos(a)": (2, "math.cos is not part of the subset"),
    "def entry(a: int) -> int:\n    return helper(a, a)": (2, "helper takes 1 arguments, not 2"),
    "def entry(x: float) -> int:\n    return helper(x)": (2, "a must be int, not float"),
    "def entry(a: int) -> int:\n    return helper(a=a)": (2, "by position"),
    "def entry(a: int) -> int:\n    return unknown(a)": (2, "unknown is not known here"),
    "def entry(a: int) -> int:\n    return open(a)": (2, "open is not known here"),
    "def entry(x: float) -> float:\n    return x // 2": (2, "FloorDiv needs two ints"),
    "def entry(a: int) -> int:\n    for n in range(0, a, a):\n        a += n\n    return a": (
        2,
        "must be a constant",
    ),
    "def entry(a: int) -> int:\n    assert a\n    return a": (2, "Assert"),
    (
        "def entry(a: int) -> int:\n    while a:\n        a -= 1\n    else:\n        a = 1\n"
        "    return a"
    ): (2, "While"),
    "def entry(desk: Desk, a: int) -> bool:\n    return a < step(desk) < 9": (
        2,
        "chain of comparisons",
    ),
    "def entry(a: int) -> int:\n    return 1 << 70 & 9223372036854775808": (
        2,
        "does not fit into 64 bits",
    ),
    "def entry(a: int = 3) -> int:\n    return a": (1, "plain parameters"),
    "def entry(a: int):\n    return a": (1, "the result must be annotated"),
    "def entry(rows: list[list[int]]) -> int:\n    return 0": (1, "an entry takes numbers"),
    "def entry(a: int) -> int:\n    return a.bit_length()": (2, "the only method is bit_count"),
    "def entry(a: int) -> int:\n    return a if a in range(3) else 0": (2, "a tuple written out"),
    "def entry(a: int, b: int) -> bool:\n    return (a and b) or a > b": (2, "not a value"),
    "def entry(a: int) -> bool:\n    return a": (2, "promises bool, not int"),
    "def entry(a: int) -> int:\n    b: int = 0.5\n    return b": (2, "int is needed, not float"),
    "def entry(a: int) -> int:\n    b: bool = a\n    return b": (2, "bool is needed, not int"),
    "def entry(a: list[int], b: list[int]) -> int:\n    a = b\n    return len(a)": (
        2,
        "one name only",
    ),
    "def entry(a: list[int], b: list[int]) -> int:\n    return len(a if a[0] else b) + 1": (
        2,
        "one name only",
    ),
    "def entry(desk: Desk) -> int:\n    return desk.grid[desk.count][step(desk)]": (
        2,
        "give it a name first",
    ),
    "def entry(desk: Desk) -> int:\n    return len(found(desk).row)": (
        2,
        "without a call that changes",
    ),
    "def entry(desk: Desk) -> None:\n    desk.stop += 1": (2, "is set by other threads only"),
    (
        "def entry(a: int) -> int:\n    while a > 0:\n        a -= LIMIT\n        LIMIT = 2\n"
        "    return a"
    ): (3, "above the line that first assigns it"),
    "def entry(a: int) -> int:\n    return int(a, a)": (2, "int takes one argument, not 2"),
    "def entry(a: int) -> bool:\n    return a in ()": (2, "a tuple written out"),
    (
        "def range(a: int) -> int:\n    return a\n\n\n"
        "def entry(a: int) -> int:\n    for n in range(a):\n        a += n\n    return a"
    ): (6, "Python's own"),
    "from foxclover.locale import catalogue\ndef entry(a: int) -> int:\n    return a": (
        1,
        "not listed among the program's modules",
    ),
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_outside_the_subset_is_refused_with_its_line(source: str, tmp_path: Path) -> None:
    file = tmp_path / "refused.py"
    file.write_text(HEAD + source + "\n")
    line, reason = REFUSED[source]
    module_from(file, "kernel_refused")
    with pytest.raises(UnsupportedSyntax) as refused:
        translate(Program(("kernel_refused",), {}, ("entry",)))
    assert str(refused.value).startswith(f"{file}:{HEAD.count(chr(10)) + line}: ")
    assert reason in refused.value.reason


def test_two_functions_of_one_name_are_no_entry(tmp_path: Path) -> None:
    for name in ("kernel_one", "kernel_two"):
        (tmp_path / f"{name}.py").write_text(HEAD + "def entry(a: int) -> int:\n    return a\n")
        module_from(tmp_path / f"{name}.py", name)
    with pytest.raises(LookupError, match="several functions"):
        translate(Program(("kernel_one", "kernel_two"), {}, ("entry",)))
