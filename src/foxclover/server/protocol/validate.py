"""The fields of messages from outside: their types and bounds, and the checks made from them.

Our own instead of a validation library: the page runs the same checks under Pyodide, where every
package is a download, and names, tokens and languages have bounds that no library knows.
"""

from __future__ import annotations

import string
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from foxclover.core.registry import families, find_family
from foxclover.core.rules import MAX_PLAYERS
from foxclover.dice.fair import SALT_BYTES, SECRET_BYTES
from foxclover.locale import LANGUAGES
from foxclover.server import protocol
from foxclover.server.errors import RefusalError
from foxclover.server.protocol.identifiers import TOKEN_LENGTH, presentable

LARGEST = 2**53 - 1  # the largest integer that JavaScript represents exactly
LONGEST_NAME = 80  # characters, before a name is shortened
SECRET_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-_")
HEX_DIGITS = frozenset("0123456789abcdef")

Object = dict[str, Any]
Check = Callable[[Any, str], Any]
"""Takes a value and its name; returns the value to use, or raises ``RefusalError``."""


@dataclass(frozen=True)
class Between:
    """An integer in these bounds."""

    lowest: int
    highest: int

    def fits(self, number: int) -> bool:
        """Return whether a number is in the bounds."""
        return self.lowest <= number <= self.highest


@dataclass(frozen=True)
class AtMost:
    """A list with at most so many entries, or a text with at most so many printable characters."""

    length: int

    def fits(self, value: list[Any] | str) -> bool:
        """Return whether a list or a text fits."""
        return len(value) <= self.length and (isinstance(value, list) or value.isprintable())


@dataclass(frozen=True)
class NotLonger:
    """A text of several lines with at most so many characters."""

    length: int

    def fits(self, text: str) -> bool:
        """Return whether a text fits."""
        return len(text) <= self.length


@dataclass(frozen=True)
class Secret:
    """A random text of so many letters, digits, ``-`` and ``_``."""

    length: int

    def fits(self, text: str) -> bool:
        """Return whether a text looks like such a secret."""
        return len(text) == self.length and set(text) <= SECRET_CHARACTERS


@dataclass(frozen=True)
class Bytes:
    """So many bytes in lowercase hexadecimal digits."""

    count: int

    def fits(self, text: str) -> bool:
        """Return whether a text encodes so many bytes."""
        return len(text) == 2 * self.count and set(text) <= HEX_DIGITS


@dataclass(frozen=True)
class KnownLanguage:
    """A language that has a catalogue."""


@dataclass(frozen=True)
class NameOfPerson:
    """A name, made presentable before it is used."""


Count = Annotated[int, Between(0, LARGEST)]
Seen = Annotated[int, Between(-1, LARGEST)]
Seat = Annotated[int, Between(0, MAX_PLAYERS - 1)]
Beginner = Annotated[int, Between(-1, MAX_PLAYERS - 1)]
Pace = Annotated[int, Between(0, 10_000)]
Text = Annotated[str, AtMost(80)]
PageSalt = Annotated[str, Bytes(SALT_BYTES)]
PagePool = Annotated[str, Bytes(SECRET_BYTES)]
LongText = Annotated[str, NotLonger(60_000)]
DeviceToken = Annotated[str, Secret(22)]
Token = Annotated[str, AtMost(TOKEN_LENGTH)]
NewToken = Annotated[str, Secret(TOKEN_LENGTH)]
PersonName = Annotated[str, NameOfPerson()]
Language = Annotated[str, KnownLanguage()]

if TYPE_CHECKING:

    class FamilyOptions(TypedDict):
        """A flag for each option of a family."""

else:
    FamilyOptions = TypedDict(
        "FamilyOptions",
        {
            option.name: NotRequired[bool]
            for family in families()
            for option in find_family(family).options
        },
    )


def decode(text: str | bytes) -> Object:
    """Parse a JSON object."""
    try:
        value = protocol.decode(text)
    except ValueError as error:
        raise bad("json") from error
    return cast(Object, _of_type(dict)(value, "message"))


def ref_of(value: Object, unreadable: int) -> int:
    """Return the ref of a message that may be wrong in everything else."""
    ref = value.get("ref")
    return ref if type(ref) is int and 0 <= ref <= LARGEST else unreadable


def shaped(declared: Any, value: Object) -> Any:
    """Check a message by its typed dictionary, or by a union of them told apart by ``type``.

    Return the declared fields only.
    """
    return _check_of(declared)(value, "message")


def language(value: Any, _: str = "") -> str:
    """Check a language."""
    if value not in LANGUAGES:
        raise RefusalError("unknown_language", languages=", ".join(LANGUAGES))
    return cast(str, value)


def bad(what: str) -> RefusalError:
    """Return the refusal of a message with a wrong field."""
    return RefusalError("bad_message", what=what)


# --- checks from declarations


@cache
def _check_of(declared: Any) -> Check:
    if is_typeddict(declared):
        return _shape(declared)
    return _tagged(
        {get_args(get_type_hints(one)["type"])[0]: _shape(one) for one in get_args(declared)}
    )


def _tagged(shapes: dict[str, Check]) -> Check:
    """Check an object by the shape that its field ``type`` names."""

    def check(value: Any, what: str) -> Any:
        kind = value.get("type")
        shape = shapes.get(kind) if isinstance(kind, str) else None
        if shape is None:
            raise bad("type")
        return shape(value, what)

    return check


def _check(hint: Any) -> Check:
    """Return the check of a declared type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _shape(hint)
    if origin is Annotated:
        return _bounded(_check(arguments[0]), arguments[1])
    if origin is Literal:
        return _only(_of_type(str), lambda text: text in arguments)
    if origin in (Union, types.UnionType):  # fields from outside are only "or null"
        inner = _check(arguments[0])
        return lambda value, what: None if value is None else inner(value, what)
    if origin is list:
        entry, entries = _check(arguments[0]), _of_type(list)
        return lambda value, what: [entry(item, what) for item in entries(value, what)]
    return _of_type(hint)


def _shape(declared: type) -> Check:
    """Check every declared field; drop all others."""
    hints = get_type_hints(declared, include_extras=True)
    fields = [
        (
            name,
            get_origin(hint) is NotRequired,
            _check(get_args(hint)[0] if get_origin(hint) is NotRequired else hint),
        )
        for name, hint in hints.items()
    ]
    is_object = _of_type(dict)

    def check(value: Any, what: str) -> Object:
        given = is_object(value, what)
        return {
            name: test(given.get(name), name)
            for name, optional, test in fields
            if not optional or name in given
        }

    return check


def _of_type(wanted: type) -> Check:
    def check(value: Any, what: str) -> Any:
        if type(value) is not wanted:  # True is no number
            raise bad(what)
        return value

    return check


def _bounded(check: Check, bound: Any) -> Check:
    """Add the bound of a field to the check of its type."""
    if isinstance(bound, KnownLanguage):
        return language
    if isinstance(bound, NameOfPerson):
        short = _only(check, NotLonger(LONGEST_NAME).fits)
        return lambda value, what: presentable(short(value, what))
    return _only(check, bound.fits)


def _only(check: Check, good: Callable[[Any], bool]) -> Check:
    def checked(value: Any, what: str) -> Any:
        found = check(value, what)
        if not good(found):
            raise bad(what)
        return found

    return checked
