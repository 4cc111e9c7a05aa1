"""Messages from outside, checked by their declarations in ``protocol``: what comes out has exactly that shape, anything else is refused."""

from __future__ import annotations

import string
import types
from collections.abc import Callable
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from foxclover.locale import LANGUAGES
from foxclover.server import encoding, names
from foxclover.server.bounds import (
    LARGEST,
    AtMost,
    Between,
    Bytes,
    KnownLanguage,
    NameOfPerson,
    NotLonger,
    Secret,
)
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import ClientMessage, CreateTable, JoinTable

LONGEST_NAME = 80  # as it was typed
SECRET_SIGNS = frozenset(string.ascii_letters + string.digits + "-_")
HEX_SIGNS = frozenset("0123456789abcdef")

Object = dict[str, Any]
Check = Callable[[Any, str], Any]
"""Takes a value and what to call it; returns the value as it may be used, or refuses it."""


def decode(text: str | bytes) -> Object:
    """Read a JSON object."""
    try:
        value = encoding.decode(text)
    except ValueError as error:
        raise bad("json") from error
    return cast(Object, _of_type(dict)(value, "message"))


def ref_of(value: Object, unreadable: int) -> int:
    """Return the ref of a message that may be wrong in everything else."""
    ref = value.get("ref")
    return ref if type(ref) is int and 0 <= ref <= LARGEST else unreadable


def client_message(value: Object) -> ClientMessage:
    """Check a message of a websocket."""
    kind = value.get("type")
    check = MESSAGES.get(kind) if isinstance(kind, str) else None
    if check is None:
        raise bad("type")
    return cast(ClientMessage, check(value, "message"))


def create_table(value: Object) -> CreateTable:
    """Check the wish for a table; whether the game exists and can be played so is not asked here."""
    return cast(CreateTable, CREATE_TABLE(value, "message"))


def join_table(value: Object) -> JoinTable:
    """Check the wish for a seat."""
    return cast(JoinTable, JOIN_TABLE(value, "message"))


def shaped(declared: Any, value: Object) -> Any:
    """Check any declared body."""
    return _shape_of(declared)(value, "message")


def language(value: Any) -> str:
    """Check a language."""
    return _known_language(value, "language")


def bad(what: str) -> RefusalError:
    """Return the refusal of a message with something wrong in it."""
    return RefusalError("bad_message", what=what)


# --- checks from declarations -----------------------------------------------------------------------------------------------


def _check(hint: Any) -> Check:
    """Return the check of a declared type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _shape(hint)
    if origin is Annotated and isinstance(arguments[1], Between):
        return _between(arguments[1])
    if origin is Annotated:
        return _bounded(_check(arguments[0]), *arguments[1:])
    if origin is Literal:
        return _only(_of_type(str), lambda text: text in arguments)
    if origin in (Union, types.UnionType):  # only "or nothing" comes from outside
        inner = _check(arguments[0])
        return lambda value, what: None if value is None else inner(value, what)
    if origin is list:
        entry, entries = _check(arguments[0]), _of_type(list)
        return lambda value, what: [entry(item, what) for item in entries(value, what)]
    return _of_type(hint)


def _shape(declared: type) -> Check:
    """Check every declared field; what else is there is left aside."""
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


@cache
def _shape_of(declared: type) -> Check:
    return _shape(declared)


def _of_type(wanted: type) -> Check:
    def check(value: Any, what: str) -> Any:
        if type(value) is not wanted:  # True is no number
            raise bad(what)
        return value

    return check


def _between(bound: Between) -> Check:
    """Check a number in one step: there are several in every message."""
    lowest, highest = bound.lowest, bound.highest

    def check(value: Any, what: str) -> Any:
        if type(value) is not int or not lowest <= value <= highest:
            raise bad(what)
        return value

    return check


def _bounded(
    check: Check, bound: AtMost | NotLonger | Secret | Bytes | KnownLanguage | NameOfPerson
) -> Check:
    """Add what a declaration says beyond the type."""
    match bound:
        case AtMost(length):
            return _only(
                check,
                lambda value: len(value) <= length and (type(value) is list or value.isprintable()),
            )
        case NotLonger(length):
            return _only(check, lambda text: len(text) <= length)
        case Secret(length):
            return _only(check, lambda text: len(text) == length and set(text) <= SECRET_SIGNS)
        case Bytes(count):
            return _only(check, lambda text: len(text) == 2 * count and set(text) <= HEX_SIGNS)
        case KnownLanguage():
            return _known_language
        case NameOfPerson():
            short = _only(check, lambda name: len(name) <= LONGEST_NAME)
            return lambda value, what: names.presentable(short(value, what))


def _only(check: Check, good: Callable[[Any], bool]) -> Check:
    def checked(value: Any, what: str) -> Any:
        found = check(value, what)
        if not good(found):
            raise bad(what)
        return found

    return checked


def _known_language(value: Any, _: str) -> str:
    if value not in LANGUAGES:
        raise RefusalError("unknown_language", languages=", ".join(LANGUAGES))
    return cast(str, value)


MESSAGES: dict[str, Check] = {
    get_args(get_type_hints(shape)["type"])[0]: _shape(shape) for shape in get_args(ClientMessage)
}
CREATE_TABLE = _shape(CreateTable)
JOIN_TABLE = _shape(JoinTable)
