"""Random functions in the kernel's subset, as text.

Every expression and statement that the translator takes, nested. Integers stay far below 64 bits
(``bound`` is tracked), so that CPython raises an error if and only if a checking build traps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

HEAD = '''"""Functions of a random program."""

from __future__ import annotations

from math import sqrt

from foxclover.core.records import Record, assign, floats, ints, one, rows, shorts, tinies

SMALL = 3
WEIGHTS = (5, -7, 11)
HALF = 0.5


class Inner(Record):
    integer = "i4"
    level: int
    marks: list[int] = shorts(3)


class Desk(Record):
    count: int
    mean: float
    inner: Inner = one(Inner)
    row: list[int] = ints(3)
    tiny: list[int] = tinies(2)
    grid: list[list[int]] = ints(2, 3)
    numbers: list[float] = floats(2)
    inners: list[Inner] = rows(Inner, 2)


def helper(a: int, b: int) -> int:
    return a * 3 - b


def halved(x: float) -> float:
    return x / 2


def is_even(a: int) -> bool:
    return a % 2 == 0


def step(desk: Desk) -> int:
    desk.count = (desk.count * 31 + 7) % 1009
    return desk.count


def back(desk: Desk, n: int) -> int:
    return forth(desk, n - 1) + 1 if n > 0 else desk.count % 1000


def forth(desk: Desk, n: int) -> int:
    desk.count = (desk.count * 17 + n) % 1013
    return back(desk, n - 1)


def pick(desk: Desk, at: int) -> Inner:
    desk.row[at] = (desk.row[at] + 1) % 997
    return desk.inners[at]


def pair(a: int, b: int) -> tuple[int, int]:
    return b, a


def added(row: list[int]) -> int:
    total = 0
    for number in row:
        total += number
    return total


'''

FIELD = 1 << 20  # what variables and wide fields hold at most
PRIME = 1_048_573
MOST = 1 << 58
REASONS = (  # all that may be refused of these functions
    "give it a name first",
    "cannot be part of a chain of comparisons",
    "among constants and variables",
    "abs takes an int or a float that nothing changes",
    "found without a call that changes something",
)

# In templates {i} is an integer that fits a variable, {s} one below 1000, {r} a float, {t} True or
# False, {c} a condition, {v} a variable, {w} a row of integers, {2} an index below 2.
LEAVES = {
    "{v}": FIELD,
    "desk.count": FIELD,
    "desk.inner.level": FIELD,
    "SMALL": 3,
    "True": 1,
    "7": 7,
    "-4": 4,
    "+6": 6,
    "~2": 3,
    "desk.row[{3}]": FIELD,
    "desk.tiny[{2}]": 128,
    "desk.grid[{2}][{3}]": FIELD,
    "desk.inners[{2}].marks[{3}]": 1 << 15,
    "WEIGHTS[{3}]": 11,
}
INTEGERS = {
    "(({i}) if {c} else ({i}))": FIELD,
    "helper({i}, {i})": 4 * FIELD,
    "step(desk)": 1009,
    "back(desk, {4})": 1020,
    "pick(desk, {2}).level": FIELD,
    "pick(desk, {2}).marks[{3}]": 1 << 15,
    "pair({i}, {i})[{2}]": FIELD,
    "added(desk.grid[{2}])": 3 * FIELD,
    "added(pick(desk, {2}).marks)": 1 << 17,
    "len(desk.grid[{2}])": 3,
    "abs({i})": FIELD,
    "min({i}, {i})": FIELD,
    "max({i}, 2, {i})": FIELD,
    "abs({i}).bit_count()": 21,
    "int({i})": FIELD,
    "int({t})": 1,
    "int(min(max({r}, -1e6), 1e6))": FIELD,
    "({t})": 1,
    "({i}, {i}, {t})[{3}]": FIELD,
    "(({i}) << (({i}) & 7))": FIELD << 7,
    "(({s}) % 9 - 4) ** (({i}) % 4)": 64,
}
JOINED: dict[str, Callable[[int, int], int]] = {
    "({} + {})": lambda a, b: a + b,
    "({} - {})": lambda a, b: a + b,
    "({} * {})": lambda a, b: a * b,
    "({} // {})": lambda a, _: a + 1,
    "({} % {})": lambda _, b: b,
    "({} & {})": lambda a, b: 2 * max(a, b) + 1,
    "({} | {})": lambda a, b: 2 * max(a, b) + 1,
    "({} ^ {})": lambda a, b: 2 * max(a, b) + 1,
    "({} >> ({} & 15))": lambda a, _: a,
}
FLOATS = ("x", "desk.mean", "0.25", "-1.5", "HALF", "desk.numbers[{2}]", "float({v})")
REALS = (
    *(
        f"({left} {sign} {right})"
        for sign in "+-*/"
        for left, right in (("({r})", "({r})"), ("({r})", "({i})"), ("({i})", "({r})"))
    ),
    *(
        "-({r})",
        "+({r})",
        "abs({r})",
        "sqrt({r})",
        "min({r}, {r})",
        "max({i}, {r})",
        "(({r}) if {c} else ({i}))",
        "(({i}) / ({i}))",
    ),
    *("halved({r})", "halved(+({i}))"),
)
TRUTHS = (
    *(
        f"({{i}}) {sign} ({{{other}}})"
        for sign in ("<", "<=", "==", "!=", ">", ">=")
        for other in "ir"
    ),
    *(
        "({i}) < ({i}) <= ({i})",
        "({i}) != ({r}) > ({i}) >= ({i})",
        "({i}) in (1, SMALL, {v})",
        "({i}) not in (2, -1, ({i}))",
    ),
    *(
        "bool({i})",
        "bool({r})",
        "not ({c})",
        "({t}) and ({t})",
        "({t}) or ({t}) or ({t})",
        "is_even({i})",
    ),
)
CONDITIONS = (
    "({t})",
    "({i})",
    "({r})",
    "(({i}) and ({t}))",
    "(({t}) or ({i}))",
    "(({r}) or (({i}) and ({i})))",
)
ROWS = ("desk.row", "desk.grid[{2}]", "pick(desk, {2}).marks", "line", "WEIGHTS")
STATEMENTS = (
    *(
        "{n} = {i}",
        "x = min(max({r}, -1e6), 1e6)",
        "desk.count = {i}",
        "desk.row[{3}] = {i}",
        "desk.grid[{2}][{3}] = {i}",
    ),
    *(
        "desk.tiny[{2}] = ({i}) % 128",
        "desk.inners[{2}].level = {i}",
        "pick(desk, {2}).marks[{3}] = {s}",
        "desk.numbers[{2}] = {r}",
    ),
    *(
        f"{{n}} {sign}= {{i}}\na, b, c = a % 1021, b % 1019, c % 1013"
        for sign in ("+", "-", "*", "//", "%", "&", "|", "^")
    ),
    *(
        "desk.count += {s}",
        "desk.row[{3}] -= {s}",
        "desk.grid[{2}][{3}] += {s}",
        "desk.grid[{2}][{3}] //= {i}",
        "desk.tiny[{2}] >>= {4}",
    ),
    *(
        "pick(desk, {2}).marks[{3}] //= {i}",
        "desk.mean += {r}",
        "desk.numbers[{2}] -= {i}",
        "x /= {r}\nx = min(max(x, -1e6), 1e6)",
    ),
    *(
        "assign(desk.inners[{2}], desk.inner)",
        "assign(pick(desk, {2}), pick(desk, {2}))",
        "assign(desk.inner, desk.inners[{2}])",
    ),
    *(
        "a, desk.row[{3}] = {i}, {i}",
        "desk.count, c = {i}, {i}",
        "c, desk.grid[{2}][c % 3] = {i}, {i}",
        "c, a = pair({i}, {i})",
    ),
    *("line = desk.grid[{2}]", "if {c}:\n    return {i}", "y: float = {i}\ndesk.mean = y"),
)
LOOPS = (
    *(
        "range(({i}) % 5)",
        "range(({i}) % 5, ({i}) % 7, 2)",
        "range(({i}) % 5, -2, -1)",
        "{w}",
        "{w}",
        "({i}, {v}, 4)",
    ),
    *("enumerate({w})", "enumerate(({i}, {i}))"),
)


class Writer:
    """Writes one function; ``draw`` chooses."""

    def __init__(self, draw: Callable[[st.SearchStrategy[str]], str]) -> None:
        self.draw = draw
        self.names = ["a", "b", "c"]
        self.loops = 0

    def fill(self, template: str, depth: int) -> str:
        """A template with all its parts written."""
        return re.sub(r"\{(\w)\}", lambda part: self.part(part[1], depth), template)

    def part(self, kind: str, depth: int) -> str:
        """The expression for a letter of a template."""
        if kind.isdigit():
            return self.draw(
                st.sampled_from(
                    [
                        *map(str, range(int(kind))),
                        self.fill(f"({{i}}) % {kind}", depth - 1) if depth > 0 else "0",
                    ]
                )
            )
        match kind:
            case "i" | "s":
                text, bound = self.integer(depth)
                most = FIELD if kind == "i" else 1000
                return text if bound <= most else f"({text}) % {PRIME if kind == 'i' else 997}"
            case "v" | "n":
                return self.draw(st.sampled_from(self.names if kind == "v" else self.names[:3]))
            case "r":
                return self.one_of(FLOATS if depth <= 0 else (*FLOATS, *REALS), depth)
            case "t":
                return self.one_of(
                    ("True", "{v} < {v}", "is_even({v})") if depth <= 0 else TRUTHS, depth
                )
            case "c":
                return self.one_of(CONDITIONS, depth)
            case _:
                return self.one_of(ROWS, depth)

    def one_of(self, templates: Sequence[str], depth: int) -> str:
        """One of some templates, filled."""
        return self.fill(self.draw(st.sampled_from(templates)), depth - 1)

    def integer(self, depth: int) -> tuple[str, int]:
        """An integer expression, and the largest value it can have in either direction."""
        sign = self.draw(st.sampled_from(["", "", "-", "+", "~"]))
        if sign and depth > 0:
            text, bound = self.integer(depth - 1)
            return f"({sign}({text}))", bound + 1
        templates = (
            LEAVES
            if depth <= 0
            else LEAVES | INTEGERS | dict.fromkeys(JOINED, 0) | dict.fromkeys(JOINED, 0)
        )
        template = self.draw(st.sampled_from(list(templates)))
        if template not in JOINED:
            return self.fill(template, depth - 1), templates[template]
        (left, most), (right, other) = self.integer(depth - 1), self.integer(depth - 1)
        if most * other > MOST:
            left, most, right, other = (
                f"(({left}) % {PRIME})",
                PRIME,
                f"(({right}) % {PRIME})",
                PRIME,
            )
        return template.format(f"({left})", f"({right})"), JOINED[template](most, other)

    def block(self, depth: int) -> list[str]:
        """A few statements."""
        lines = []
        for _ in range(self.draw(st.sampled_from([1, 2, 3]))):
            kind = (
                self.draw(st.sampled_from(["plain", "if", "for", "while"]))
                if depth > 0
                else "plain"
            )
            lines += (
                self.one_of(STATEMENTS, 3).split("\n")
                if kind == "plain"
                else getattr(self, f"write_{kind}")(depth - 1)
            )
        return lines

    def write_if(self, depth: int) -> list[str]:
        """A branch, perhaps with another one."""
        lines = [f"if {self.fill('{c}', 2)}:", *indented(self.block(depth))]
        return (
            [*lines, "else:", *indented(self.block(depth))] if self.draw(st.booleans()) else lines
        )

    def write_while(self, depth: int) -> list[str]:
        """A loop with a condition, which ends."""
        self.loops += 1
        name = f"n{self.loops}"
        return [
            self.fill(f"{name} = {{4}}", 2),
            self.fill(f"while {name} > 0 and {{c}}:", 2),
            *indented([f"{name} -= 1", *self.block(depth)]),
        ]

    def write_for(self, depth: int) -> list[str]:
        """A loop over a range, a row or a tuple."""
        self.loops += 1
        over = self.one_of(LOOPS, 2)
        names = (
            [f"i{self.loops}", f"v{self.loops}"]
            if over.startswith("enumerate")
            else [f"v{self.loops}"]
        )
        kept, self.names = self.names, [*self.names, *names]
        body = self.block(depth)
        if self.draw(st.booleans()):
            body += [
                f"if {self.fill('{c}', 1)}:",
                f"    {self.draw(st.sampled_from(['break', 'continue']))}",
            ]
        self.names = kept
        return [f"for {', '.join(names)} in {over}:", *indented(body)]


def indented(lines: Sequence[str]) -> list[str]:
    """Lines of a block."""
    return [f"    {line}" for line in lines]


@st.composite
def functions(draw: Callable[[st.SearchStrategy[str]], str]) -> str:
    """The text of one function of numbers and a desk, without its name."""
    writer = Writer(draw)
    lines = [
        "c = a - b",
        "line = desk.grid[0]",
        *writer.block(2),
        "desk.mean = x",
        writer.fill("return ({i}) * 3 + c", 4),
    ]
    return "\n".join(["(a: int, b: int, x: float, desk: Desk) -> int:", *indented(lines), "", ""])
