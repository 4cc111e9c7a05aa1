"""Small classes of numbers, declared once.

CPython runs the rules on these objects. The kernel runs the same rules on structures in its memory
with the same fields. A field is a number, a fixed-size buffer of numbers, another record, or a
fixed-size buffer of records::

    class Player(Record):
        stage: int
        chance: float
        crossed: list[int] = ints(5)
        written: list[list[int]] = ints(5, 12)

    class Table(Record):
        first: Player = one(Player)
        players: list[Player] = rows(Player, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple, Self

EVERY = 1 << 30  # longer than any row of records
OWN_INTEGER = ""  # as wide as the record's integers are


class Shape(NamedTuple):
    """The type of a field: numpy's kind of its numbers, or a record, and its dimensions."""

    kind: str = OWN_INTEGER
    lengths: tuple[int, ...] = ()
    record: type[Record] | None = None
    shared: bool = False  # with other threads while the kernel runs


def ints(*lengths: int) -> Any:
    """Declare a fixed-size buffer of integers."""
    return Shape(OWN_INTEGER, lengths)


def shorts(*lengths: int) -> Any:
    """Declare a fixed-size buffer of integers of 16 bits, for large tables of small numbers."""
    return Shape("i2", lengths)


def tinies(*lengths: int) -> Any:
    """Declare a fixed-size buffer of integers of 8 bits, for marks."""
    return Shape("i1", lengths)


def floats(*lengths: int) -> Any:
    """Declare a fixed-size buffer of floats."""
    return Shape("f8", lengths)


def singles(*lengths: int) -> Any:
    """Declare a fixed-size buffer of floats that the kernel keeps with single precision."""
    return Shape("f4", lengths)


def flag() -> Any:
    """Declare an integer that another thread may set while the kernel runs."""
    return Shape("i8", shared=True)


def one(record: type[Record]) -> Any:
    """Declare a record inside a record."""
    return Shape(OWN_INTEGER, (), record)


def rows(record: type[Record], *lengths: int) -> Any:
    """Declare a fixed number of records."""
    return Shape(OWN_INTEGER, lengths, record)


class RecordType(type):
    """Turn declared fields into slots: faster than a dictionary, and no other field can be set."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Turn the annotations of a class into its fields; ``Record`` itself has none."""
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        integer = namespace.get("integer", Record.integer)
        shapes = {
            field: _declared(namespace.pop(field, annotation), integer)
            for field, annotation in namespace.get("__annotations__", {}).items()
            if field != "integer"
        }
        made: Any = super().__new__(cls, name, bases, {**namespace, "__slots__": tuple(shapes)})
        made.shapes = shapes
        made.twin = _twin_function(shapes)
        made.flatten = _flatten_function(shapes)
        made.same = _same_function(shapes)
        made._zeros = None
        return made


class Record(metaclass=RecordType):
    """A record with value semantics: copied and compared by content.

    It is mutable, so that it has no hash. ``values`` can be a key.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    integer: ClassVar[str] = "i8"  # numpy's type of all integers; "i4" copies faster
    shapes: ClassVar[dict[str, Shape]]
    _zeros: ClassVar[Any]  # a record of zeros that new records are copied from
    twin: Callable[..., Self]  # copies all fields to another record; of a row only so many records
    same: Callable[[Any], bool]  # compares with a record of the same type
    flatten: Callable[[list[int]], None]  # appends all numbers in the order of declaration

    def __init__(self) -> None:
        zeros = type(self)._zeros
        if zeros is None:
            zeros = object.__new__(type(self))
            for field, shape in self.shapes.items():
                setattr(zeros, field, _blank(shape, shape.lengths))
            type(self)._zeros = zeros
        zeros.twin(self)

    def copy(self, rows: int = EVERY) -> Self:
        """Return an independent copy.

        With ``rows``, it shares all further records of a row, which must never change.
        """
        return self.twin(object.__new__(type(self)), rows)

    def values(self) -> tuple[int, ...]:
        """Return all numbers in the order of declaration."""
        numbers: list[int] = []
        self.flatten(numbers)
        return tuple(numbers)

    @classmethod
    def from_values(cls, values: Iterator[int]) -> Self:
        """Rebuild a record from the next numbers of an iterator."""
        record = object.__new__(cls)
        for name, shape in cls.shapes.items():
            setattr(record, name, _read(shape, shape.lengths, values))
        return record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.same(other)


def assign(target: Record, source: Record) -> None:
    """Overwrite a record with a copy of another."""
    source.twin(target)


def _declared(declaration: Any, integer: str) -> Shape:
    """Return the shape of a declared field, or of the annotation of a plain number."""
    if not isinstance(declaration, Shape):
        return Shape("f8" if declaration == "float" else integer)
    if declaration.record or declaration.kind:
        return declaration
    return declaration._replace(kind=integer)


def _same_function(shapes: dict[str, Shape]) -> Any:
    """Generate the comparison of all fields, for the same reason."""
    compared = " and ".join(f"self.{name} == other.{name}" for name in shapes) or "True"
    return _generate("same", ["def same(self, other):", f"    return {compared}"])


def _twin_function(shapes: dict[str, Shape]) -> Any:
    """Generate the code that copies all fields, as dataclasses do.

    Games copy states all the time, and this is several times faster than a loop.
    """
    lines = [f"def twin(self, other, rows={EVERY}):"]
    for name, shape in shapes.items():
        if shape.record and len(shape.lengths) == 1:
            field = f"self.{name}"
            lines.append(
                f"    other.{name} = [row.copy() for row in {field}[:rows]] + {field}[rows:]"
            )
            continue
        copied = "row.copy()" if shape.record else "row[:]"
        for _ in shape.lengths if shape.record else shape.lengths[1:]:
            copied = f"[{copied} for row in row]"
        if not shape.record and not shape.lengths:
            copied = "row"
        lines.append(f"    other.{name} = {_outermost(copied, f'self.{name}')}")
    return _generate("twin", [*lines, "    return other"])


def _flatten_function(shapes: dict[str, Shape]) -> Any:
    """Generate the code that flattens all fields, which runs whenever a state leaves CPython."""
    lines = ["def flatten(self, numbers):"]
    for name, shape in shapes.items():
        value, indent = f"self.{name}", "    "
        for _ in shape.lengths if shape.record else shape.lengths[1:]:
            lines.append(f"{indent}for row in {value}:")
            value, indent = "row", indent + "    "
        if shape.record:
            lines.append(f"{indent}{value}.flatten(numbers)")
        else:
            lines.append(f"{indent}numbers.{'extend' if shape.lengths else 'append'}({value})")
    return _generate("flatten", [*lines, "    return None"])


def _generate(name: str, lines: list[str]) -> Any:
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), namespace)
    return namespace[name]


def _outermost(copied: str, source: str) -> str:
    """Replace the outermost row by the field itself."""
    if copied.startswith("["):
        return copied.removesuffix("row]") + f"{source}]"
    return source + copied.removeprefix("row")


def _blank(shape: Shape, lengths: tuple[int, ...]) -> Any:
    if lengths:
        return [_blank(shape, lengths[1:]) for _ in range(lengths[0])]
    if shape.record:
        return shape.record()
    return 0.0 if shape.kind.startswith("f") else 0


def _read(shape: Shape, lengths: tuple[int, ...], values: Iterator[int]) -> Any:
    if lengths:
        return [_read(shape, lengths[1:], values) for _ in range(lengths[0])]
    return shape.record.from_values(values) if shape.record else next(values)
