"""Records as numpy sees them in the kernel's memory."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from foxclover.kernel.memory import plan
from foxclover.records import Record, Shape

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]


@cache
def dtype(record: type[Record]) -> np.dtype[Any]:
    """The numpy record type with the fields of a record class, laid out as C does."""
    planned, formats = plan(record), []
    for shape in record.shapes.values():
        inner = dtype(shape.record) if shape.record else np.dtype(shape.kind)
        formats.append(np.dtype((inner, shape.lengths)))
    fields: Any = {
        "names": list(record.shapes),
        "formats": formats,
        "offsets": list(planned.offsets.values()),
        "itemsize": planned.size,
    }
    return np.dtype((np.record, fields))


@cache
def uniform_kind(record: type[Record]) -> str:
    """The kind of all numbers of a record, or nothing if it has several."""
    kinds = {
        uniform_kind(shape.record) if shape.record else shape.kind
        for shape in record.shapes.values()
    }
    return kinds.pop() if len(kinds) == 1 else ""


def to_array(kind: type[Record], *records: Record) -> Array:
    """Records of a class as a numpy array."""
    array = np.zeros(len(records), dtype(kind)).view(np.recarray)
    for index, record in enumerate(records):
        write(array[index : index + 1], record)
    return array


def write(element: Array, record: Record) -> None:
    """Copy a record into an array of one such element."""
    kind = uniform_kind(type(record))
    if kind:
        element.view(kind).reshape(-1)[:] = record.values()
        return
    for name, shape in record.shapes.items():
        _write_field(element[name], shape, getattr(record, name))


def _write_field(element: Array, shape: Shape, value: Any) -> None:
    if not shape.record:
        element[...] = value
    elif not shape.lengths:
        write(element, value)
    else:
        for index, inner in enumerate(value):
            _write_field(element[:, index], shape._replace(lengths=shape.lengths[1:]), inner)


def from_array(record: type[Record], element: Any) -> Any:
    """A record from one element of such an array."""
    kind = uniform_kind(record)
    if kind:
        return record.from_values(iter(np.atleast_1d(element).view(kind).ravel().tolist()))
    made = object.__new__(record)
    for name, shape in record.shapes.items():
        setattr(made, name, _read_field(shape, shape.lengths, np.asarray(element[name])))
    return made


def _read_field(shape: Shape, lengths: tuple[int, ...], value: Any) -> Any:
    if not shape.record:
        return value.tolist()
    if lengths:
        return [_read_field(shape, lengths[1:], inner) for inner in value]
    return from_array(shape.record, value)
