"""The fields of messages from outside: their types and bounds, and the checks made from them.

Our own instead of a validation library: the page runs the same checks under Pyodide, where every
package is a download, and names, tokens and languages have bounds that no library knows.
"""

from __future__ import annotations

import string
import types
from collections.abc import Callable
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
from foxclover.server.errors import RefusalError, require
from foxclover.server.protocol.identifiers import TOKEN_LENGTH, presentable

LARGEST = 2**53 - 1  # the largest integer that JavaScript represents exactly
LONGEST_NAME = 80  # characters, before a name is shortened
SECRET_CHARACTERS = string.ascii_letters + string.digits + "-_"
HEX_DIGITS = "0123456789abcdef"

Object = dict[str, Any]
Check = Callable[[Any, str], Any]
"""Takes a value and its name; returns the value to use, or raises ``RefusalError``."""


# --- bounds of fields


def _only(good: Callable[[Any], bool]) -> Check:
    def check(value: Any, what: str) -> Any:
        require(good(value), "bad_message", what=what)
        return value

    return check


def between(lowest: int, highest: int) -> Check:
    """Allow only integers in these bounds."""
    return _only(lambda number: lowest <= number <= highest)


def at_most(length: int) -> Check:
    """Allow only lists with at most so many entries, texts with so many printable characters."""
    return _only(
        lambda value: len(value) <= length and (isinstance(value, list) or value.isprintable())
    )


def not_longer(length: int) -> Check:
    """Allow only texts of several lines with at most so many characters."""
    return _only(lambda text: len(text) <= length)


def made_of(characters: str, length: int) -> Check:
    """Allow only texts of so many of these characters."""
    allowed = frozenset(characters)
    return _only(lambda text: len(text) == length and set(text) <= allowed)


def language(value: Any, _: str = "") -> str:
    """Allow only languages that have a catalogue."""
    require(value in LANGUAGES, "unknown_language", languages=", ".join(LANGUAGES))
    return cast(str, value)


def person_name(value: str, what: str) -> str:
    """Return a name made presentable."""
    return presentable(not_longer(LONGEST_NAME)(value, what))


Count = Annotated[int, between(0, LARGEST)]
Seen = Annotated[int, between(-1, LARGEST)]
Seat = Annotated[int, between(0, MAX_PLAYERS - 1)]
Beginner = Annotated[int, between(-1, MAX_PLAYERS - 1)]
Pace = Annotated[int, between(0, 10_000)]
Text = Annotated[str, at_most(80)]
PageSalt = Annotated[str, made_of(HEX_DIGITS, 2 * SALT_BYTES)]
PagePool = Annotated[str, made_of(HEX_DIGITS, 2 * SECRET_BYTES)]
LongText = Annotated[str, not_longer(60_000)]
DeviceToken = Annotated[str, made_of(SECRET_CHARACTERS, 22)]
Token = Annotated[str, at_most(TOKEN_LENGTH)]
NewToken = Annotated[str, made_of(SECRET_CHARACTERS, TOKEN_LENGTH)]
PersonName = Annotated[str, person_name]
Language = Annotated[str, language]

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


STRICT: set[type] = set()
"""Declarations that refuse other fields instead of dropping them."""


def strict(declared: type) -> type:
    """Make a declaration refuse other fields: a misspelt option would be lost unnoticed."""
    STRICT.add(declared)
    return declared


def decode(text: str | bytes) -> Object:
    """Parse a JSON object."""
    try:
        value = protocol.decode(text)
    except ValueError as error:
        raise RefusalError("bad_message", what="json") from error
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


# --- checks from declarations


@cache
def _check_of(declared: Any) -> Check:
    if is_typeddict(declared):
        return _shape(declared)
    shapes = {get_args(get_type_hints(shape)["type"])[0]: shape for shape in get_args(declared)}
    checks = {kind: _shape(shape) for kind, shape in shapes.items()}

    def check(value: Any, what: str) -> Any:
        kind = value.get("type")
        require(isinstance(kind, str) and kind in checks, "bad_message", what="type")
        return checks[kind](value, what)

    return check


def _check(hint: Any) -> Check:
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _shape(hint)
    if origin is None:
        return _of_type(hint)
    if origin is Literal:
        return _only(lambda text: type(text) is str and text in arguments)
    inner = _check(arguments[0])
    if origin is list:
        entries = _of_type(list)
        return lambda value, what: [inner(entry, what) for entry in entries(value, what)]
    if origin is Annotated:
        bound: Check = arguments[1]
        # a language of any wrong type is unknown, too
        return (
            language if bound is language else lambda value, what: bound(inner(value, what), what)
        )
    assert origin in (Union, types.UnionType)  # fields from outside are only "or null"
    return lambda value, what: None if value is None else inner(value, what)


def _shape(declared: type) -> Check:
    """Check every declared field; drop all others, or refuse them if it is strict."""
    hints = get_type_hints(declared, include_extras=True)
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    fields = {
        name: _check(get_args(hint)[0] if name in optional else hint)
        for name, hint in hints.items()
    }
    is_object, known = _of_type(dict), ", ".join(sorted(fields))

    def check(value: Any, what: str) -> Object:
        given = is_object(value, what)
        if declared in STRICT and (other := sorted(set(given) - set(fields))):
            raise RefusalError("unknown_option", option=other[0][:LONGEST_NAME], options=known)
        return {
            name: test(given.get(name), name)
            for name, test in fields.items()
            if name in given or name not in optional
        }

    return check


def _of_type(wanted: type) -> Check:
    return _only(lambda value: type(value) is wanted)  # True is no number
