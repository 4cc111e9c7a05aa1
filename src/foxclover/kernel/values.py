"""The types of the kernel: numbers, records and buffers as Python declares them and as C writes them."""

from __future__ import annotations

from dataclasses import dataclass

from foxclover.records import Record, Shape


@dataclass(frozen=True)
class Number:
    """A number as an expression has it: ``int`` (64 bits), ``bool``, ``float`` (64 bits) or ``single`` (32 bits)."""

    name: str


INT, BOOL, FLOAT, SINGLE = Number("int"), Number("bool"), Number("float"), Number("single")


@dataclass(frozen=True)
class Nothing:
    """What a function without a result returns."""


@dataclass(frozen=True)
class Reference:
    """A record, by its address."""

    record: type[Record]


@dataclass(frozen=True)
class Buffer:
    """A row of numbers of one kind or of records; a first length of None is known at run time only."""

    element: str | type[Record]  # numpy's name of the kind of number, or the record
    lengths: tuple[int | None, ...]


@dataclass(frozen=True)
class Several:
    """A tuple of numbers."""

    items: tuple[Number, ...]

    @property
    def alike(self) -> bool:
        """Can it be indexed by a variable?"""
        return len(set(self.items)) == 1


Type = Number | Nothing | Reference | Buffer | Several

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
    """What reading a field gives."""
    if shape.lengths:
        return Buffer(shape.record or shape.kind, shape.lengths)
    return Reference(shape.record) if shape.record else LOADED[shape.kind]


def element_type(buffer: Buffer) -> Type:
    """What one step of indexing gives."""
    if len(buffer.lengths) > 1:
        return Buffer(buffer.element, buffer.lengths[1:])
    return LOADED[buffer.element] if isinstance(buffer.element, str) else Reference(buffer.element)


def c_type(kind: Type) -> str:
    """How C calls a type; records and buffers are addresses."""
    match kind:
        case Number():
            return NUMBERS[kind]
        case Nothing():
            return "void"
        case Reference(record):
            return f"{record.__name__} *"
        case Buffer(element, _):
            return f"{STORED[element] if isinstance(element, str) else element.__name__} *"
        case Several(items):
            return "Tuple_" + "".join(item.name[0] for item in items)


def struct(record: type[Record]) -> str:
    """A record as a C structure; numpy lays its fields out alike."""
    lines = []
    for name, shape in record.shapes.items():
        size = 1
        for length in shape.lengths:
            size *= length
        kind = shape.record.__name__ if shape.record else STORED[shape.kind]
        lines.append(f"    {kind} f_{name}{f'[{size}]' if shape.lengths else ''};")
    return "\n".join([f"typedef struct {record.__name__} {{", *lines, f"}} {record.__name__};"])


def tuple_struct(kind: Several) -> str:
    """A tuple as a C structure."""
    if kind.alike:
        body = f"{NUMBERS[kind.items[0]]} v[{len(kind.items)}];"
    else:
        body = " ".join(f"{NUMBERS[item]} v{n};" for n, item in enumerate(kind.items))
    return f"typedef struct {{ {body} }} {c_type(kind)};"


def describe(kind: Type) -> str:
    """A type in words, for messages."""
    match kind:
        case Number(name):
            return name
        case Nothing():
            return "None"
        case Reference(record):
            return record.__name__
        case Buffer(element, lengths):
            return f"{element if isinstance(element, str) else element.__name__}[{']['.join('' if n is None else str(n) for n in lengths)}]"
        case Several(items):
            return f"({', '.join(item.name for item in items)})"
