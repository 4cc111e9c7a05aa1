"""Small classes of integer fields, declared once.

CPython runs the rules on these objects; ``fast`` runs the same rules on numpy records whose fields come from the same
declaration. A field is an integer, a fixed-size buffer of integers (one or two dimensions) or a row of other records::

    class Player(Record):
        stage: int
        crossed: list[int] = ints(5)
        written: list[list[int]] = ints(5, 12)

    class Table(Record):
        players: list[Player] = rows(Player, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple, Self


class Shape(NamedTuple):
    """What a field holds: ``lengths`` of its dimensions (none for a plain integer) and the record in each place, if any."""

    lengths: tuple[int, ...] = ()
    record: type[Record] | None = None


def ints(*lengths: int) -> Any:
    """Declare a fixed-size buffer of integers."""
    return Shape(lengths)


def rows(record: type[Record], length: int) -> Any:
    """Declare a fixed number of records."""
    return Shape((length,), record)


class RecordType(type):
    """Makes slots of the declared fields: read faster than the entries of a dictionary."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        """Turn the annotations of a class into its fields; ``Record`` itself has none."""
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        shapes = {field: namespace.pop(field, Shape()) for field in namespace["__annotations__"]}
        made: Any = super().__new__(cls, name, bases, {**namespace, "__slots__": tuple(shapes)})
        made.shapes = shapes
        made.twin = _twin_function(shapes)
        made.blank = object.__new__(made)
        for field, shape in shapes.items():
            setattr(made.blank, field, _blank(shape))
        return made


class Record(metaclass=RecordType):
    """Integer fields with value semantics: copied, compared and hashed by content."""

    __slots__ = ()
    integer: ClassVar[str] = "i8"  # numpy's name of the type of all fields; "i4" copies faster where masks are small
    shapes: ClassVar[dict[str, Shape]]
    blank: ClassVar[Any]  # the record of zeros that new ones are copied from
    twin: Callable[[Self], Self]  # fill another record with copies of all fields

    def __init__(self) -> None:
        self.blank.twin(self)

    def copy(self) -> Self:
        """Return an independent twin."""
        return self.twin(object.__new__(type(self)))

    def values(self) -> tuple[int, ...]:
        """All integers in the order of declaration."""
        return tuple(_flat(self))

    def fields(self) -> list[Any]:
        """What each field holds, in the order of declaration."""
        return [getattr(self, name) for name in self.shapes]

    @classmethod
    def from_values(cls, values: Iterator[int]) -> Self:
        """Rebuild a record from what ``values`` gave; the iterator is advanced past it."""
        record = object.__new__(cls)
        for name, shape in cls.shapes.items():
            setattr(record, name, _read(shape, values))
        return record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(self.values())


def assign(target: Record, source: Record) -> None:
    """Overwrite a record with a copy of another."""
    source.twin(target)


def _twin_function(shapes: dict[str, Shape]) -> Any:
    """Write the copying of all fields out, as dataclasses do: games copy states all the time, and this is several times faster."""
    lines = ["def twin(self, other):"]
    for name, shape in shapes.items():
        copied = f"self.{name}"
        if shape.record:
            copied = f"[item.copy() for item in self.{name}]"
        elif len(shape.lengths) == 1:
            copied = f"self.{name}[:]"
        elif len(shape.lengths) == 2:
            copied = f"[row[:] for row in self.{name}]"
        lines.append(f"    other.{name} = {copied}")
    namespace: dict[str, Any] = {}
    exec("\n".join([*lines, "    return other"]), namespace)
    return namespace["twin"]


def _blank(shape: Shape) -> Any:
    if not shape.lengths:
        return 0
    length, *inner = shape.lengths
    if inner:
        return [_blank(Shape(tuple(inner))) for _ in range(length)]
    return [shape.record() if shape.record else 0 for _ in range(length)]


def _flat(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    else:
        for item in value.fields() if isinstance(value, Record) else value:
            yield from _flat(item)


def _read(shape: Shape, values: Iterator[int]) -> Any:
    if not shape.lengths:
        return next(values)
    length, *inner = shape.lengths
    if shape.record:
        return [shape.record.from_values(values) for _ in range(length)]
    return [_read(Shape(tuple(inner)), values) for _ in range(length)]
