"""Types and values of the kernel: as Python declares them and as C writes them."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from foxclover.core.records import Record, Shape
from foxclover.kernel.program import Function, UnsupportedSyntax

if TYPE_CHECKING:
    from foxclover.kernel.translate import Translation


@dataclass(frozen=True)
class Number:
    """The type of a number in an expression.

    ``int`` (64 bits), ``bool``, ``float`` (64 bits) or ``single`` (32 bits).
    """

    name: str


INT, BOOL, FLOAT, SINGLE = Number("int"), Number("bool"), Number("float"), Number("single")


@dataclass(frozen=True)
class Nothing:
    """The result type of a function without a result."""


@dataclass(frozen=True)
class Reference:
    """A record, by its address."""

    record: type[Record]


@dataclass(frozen=True)
class Buffer:
    """A buffer of numbers of one kind or of records.

    A first length of None is known at run time only.
    """

    element: str | type[Record]  # numpy's name of the kind of number, or the record
    lengths: tuple[int | None, ...]


@dataclass(frozen=True)
class Tuple:
    """A tuple of numbers."""

    items: tuple[Number, ...]

    @property
    def alike(self) -> bool:
        """Return whether a variable may index it: all items have one type."""
        return len(set(self.items)) == 1


Type = Number | Nothing | Reference | Buffer | Tuple

STORED = {
    "i8": "int64_t",
    "i4": "int32_t",
    "i2": "int16_t",
    "i1": "int8_t",
    "f8": "double",
    "f4": "float",
}
LOADED = {"i8": INT, "i4": INT, "i2": INT, "i1": INT, "f8": FLOAT, "f4": SINGLE}
NUMBERS = {INT: "int64_t", BOOL: "int64_t", FLOAT: "double", SINGLE: "float"}


def field_type(shape: Shape) -> Type:
    """Return the type of a field."""
    if shape.lengths:
        return Buffer(shape.record or shape.kind, shape.lengths)
    return Reference(shape.record) if shape.record else LOADED[shape.kind]


def element_type(buffer: Buffer) -> Type:
    """Return the type of an element."""
    if len(buffer.lengths) > 1:
        return Buffer(buffer.element, buffer.lengths[1:])
    return LOADED[buffer.element] if isinstance(buffer.element, str) else Reference(buffer.element)


def c_type(kind: Type) -> str:
    """Return the name of a type in C; records and buffers are addresses."""
    match kind:
        case Number():
            return NUMBERS[kind]
        case Nothing():
            return "void"
        case Reference(record):
            return f"{record.__name__} *"
        case Buffer(element, _):
            return f"{STORED[element] if isinstance(element, str) else element.__name__} *"
        case Tuple(items):
            return "Tuple_" + "".join(item.name[0] for item in items)


def struct(record: type[Record]) -> str:
    """Return a record as a C structure; numpy uses the same layout."""
    lines = []
    for name, shape in record.shapes.items():
        size = f"[{math.prod(shape.lengths)}]" if shape.lengths else ""
        kind = shape.record.__name__ if shape.record else STORED[shape.kind]
        lines.append(f"    {kind} f_{name}{size};")
    return "\n".join([f"typedef struct {record.__name__} {{", *lines, f"}} {record.__name__};"])


def tuple_struct(kind: Tuple) -> str:
    """Return a tuple as a C structure."""
    if kind.alike:
        body = f"{NUMBERS[kind.items[0]]} v[{len(kind.items)}];"
    else:
        body = " ".join(f"{NUMBERS[item]} v{n};" for n, item in enumerate(kind.items))
    return f"typedef struct {{ {body} }} {c_type(kind)};"


def describe(kind: Type) -> str:
    """Return a type in words, for messages."""
    match kind:
        case Number(name):
            return name
        case Nothing():
            return "None"
        case Reference(record):
            return record.__name__
        case Buffer(element, lengths):
            name = element if isinstance(element, str) else element.__name__
            return name + "".join(f"[{'' if length is None else length}]" for length in lengths)
        case Tuple(items):
            return f"({', '.join(item.name for item in items)})"


OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "({wide}{} + {})",
    ast.Sub: "({wide}{} - {})",
    ast.Mult: "({wide}{} * {})",
    ast.BitAnd: "({wide}{} & {})",
    ast.BitOr: "({wide}{} | {})",
    ast.BitXor: "({wide}{} ^ {})",
    ast.LShift: "SHIFT_LEFT({}, {}, {line})",
    ast.RShift: "SHIFT_RIGHT({}, {}, {line})",
    ast.Div: "DIVIDE({}, {}, {line})",
    ast.FloorDiv: "floor_div({}, {})",
    ast.Mod: "floor_mod({}, {})",
    ast.Pow: "power({}, {})",
}
OF_FLOATS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
LARGEST = 1 << 63
EXACT_SINGLES = 1 << 24


@dataclass(frozen=True)
class Value:
    """An expression as C text.

    Expressions that read or write memory keep their order relative to writes.
    """

    code: str
    type: Type
    reads: bool = False
    writes: bool = False
    length: str = ""  # of a buffer whose first length is known at run time only
    constant: int | None = None


def clash(first: Value, second: Value) -> bool:
    """Return whether the result depends on the order of two expressions."""
    return (first.writes and (second.reads or second.writes)) or (second.writes and first.reads)


def joined_value(
    code: str, kind: Type, operands: Sequence[Value], *, reads: bool = False, writes: bool = False
) -> Value:
    """Return an expression that reads and writes at least what its operands do."""
    return Value(
        code,
        kind,
        reads or any(operand.reads for operand in operands),
        writes or any(operand.writes for operand in operands),
    )


class Arithmetic:
    """Join values to values, evaluated in Python's order."""

    def __init__(self, translation: Translation, function: Function) -> None:
        self.translation = translation
        self.function = function
        self.temporaries = 0

    def refused(self, node: ast.AST, reason: str) -> UnsupportedSyntax:
        """Return the error for code outside the subset, with its place."""
        return UnsupportedSyntax(
            self.translation.sources.modules[self.function.module].file,
            getattr(node, "lineno", 0),
            reason,
        )

    def require(self, holds: bool, node: ast.AST, reason: str) -> None:
        """Refuse code for which a condition does not hold."""
        if not holds:
            raise self.refused(node, reason)

    def _temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def _constant(self, node: ast.AST, value: Any) -> Value:
        match value:
            case bool():
                return Value(str(int(value)), BOOL, constant=int(value))
            case int():
                fits = -LARGEST < value < LARGEST
                self.require(fits, node, f"{value} does not fit into 64 bits")
                return Value(f"({value}LL)" if value < 0 else f"{value}LL", INT, constant=value)
            case float():
                self.require(math.isfinite(value), node, f"{value} is not part of the subset")
                return Value(f"({value!r})" if value < 0 else repr(value), FLOAT)
            case tuple():
                return self._tuple_value(node, [self._constant(node, item) for item in value])
            case _:
                raise self.refused(node, f"a {type(value).__name__} cannot be a value here")

    def _tuple_value(self, node: ast.AST, values: list[Value]) -> Value:
        kind = Tuple(tuple(self._number(node, value, "a tuple holds numbers") for value in values))
        self.translation.need(kind)

        def join(codes: list[str]) -> str:
            items = ", ".join(codes)
            return f"(({c_type(kind)}){{{f'{{{items}}}' if kind.alike else items}}})"

        return self._in_order(values, join, kind)

    def _in_order(
        self,
        values: Sequence[Value],
        join: Callable[[list[str]], str],
        kind: Type,
        *,
        writes: bool = False,
    ) -> Value:
        """Join operands, evaluated from left to right.

        C chooses the order where it makes no difference.
        """
        if any(clash(*pair) for pair in combinations(values, 2)):
            codes = [self._temporary() for _ in values]
            steps = (
                f"{c_type(value.type)} {name} = {value.code};"
                for value, name in zip(values, codes, strict=True)
            )
            code = f"({{ {' '.join(steps)} {join(codes)}; }})"
        else:
            code = join([value.code for value in values])
        return joined_value(code, kind, values, writes=writes)

    def _number(self, node: ast.AST, value: Value, need: str = "a number is needed") -> Number:
        """Return the kind of a number; a truth value counts as an integer."""
        if not isinstance(value.type, Number):
            raise self.refused(node, f"{need}, not {describe(value.type)}")
        return INT if value.type == BOOL else value.type

    def _common(self, node: ast.AST, values: Sequence[Value]) -> Number:
        """Return the common kind of numbers.

        Singles among themselves stay singles. An int and a single become floats.
        """
        kinds = {self._number(node, value) for value in values}
        return kinds.pop() if len(kinds) == 1 else FLOAT

    def _converted(self, node: ast.AST, value: Value, kind: Number) -> Value:
        """Return a number as a wider kind: no float becomes an int, no number a truth value."""
        if value.type == kind or (value.type, kind) == (BOOL, INT):
            return value
        needed = f"{describe(kind)} is needed, not {describe(value.type)}"
        self.require(kind not in (INT, BOOL), node, needed)
        code = (
            value.code
            if value.type == SINGLE
            else f"AS_FLOAT({value.code}, {getattr(node, 'lineno', 0)})"
        )
        return replace(value, code=f"(({NUMBERS[kind]}){code})", type=kind, constant=None)

    def _binary(self, node: ast.AST, left: Value, sign: ast.operator, right: Value) -> Value:
        form, name = OPERATORS.get(type(sign), ""), type(sign).__name__
        kind = self._common(node, (left, right))
        if isinstance(sign, ast.Div) and kind == INT:
            kind = FLOAT
        self.require(bool(form), node, f"{name} is not part of the subset")
        fits = kind == INT or isinstance(sign, OF_FLOATS)
        self.require(fits, node, f"{name} needs two ints in the kernel")
        wide = "(int64_t)" if kind == INT else ""  # a field may hold a narrower integer
        line = getattr(node, "lineno", 0)
        operands = [self._converted(node, left, kind), self._converted(node, right, kind)]
        return self._in_order(
            operands, lambda codes: form.format(*codes, wide=wide, line=line), kind
        )

    def _compare(self, node: ast.AST, left: Value, operator: ast.cmpop, right: Value) -> Value:
        """Compare two numbers; a single and an integer as singles if that is exact."""
        name, sign = type(operator).__name__, COMPARISONS.get(type(operator), "")
        self.require(bool(sign), node, f"{name} is not part of the subset")
        kind = self._common(node, (left, right))
        if any(
            value.type == SINGLE
            and other.constant is not None
            and abs(other.constant) < EXACT_SINGLES
            for value, other in ((left, right), (right, left))
        ):
            kind = SINGLE
        operands = [self._converted(node, left, kind), self._converted(node, right, kind)]
        return self._in_order(operands, lambda codes: f"({codes[0]} {sign} {codes[1]})", BOOL)
