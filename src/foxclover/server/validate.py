"""Messages from outside, checked field by field: what comes out has exactly the declared shape, anything else is refused."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, cast

from foxclover.locale import LANGUAGES
from foxclover.server.codes import TOKEN_LENGTH
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import ClientMessage, CreateTable, JoinTable, SeatWish, TableOptions

MOST_SEATS = 4
MOST_TOKENS = 8
NAME_LENGTH = 24
TEXT_LENGTH = 80
LARGEST = 2**53 - 1  # what a number in JavaScript holds exactly
SLOWEST_PACE = 10_000
DEFAULT_PACE = 900

Object = dict[str, Any]


def decode(text: str | bytes) -> Object:
    """Read a JSON object."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _bad("json") from error
    return _object(value, "message")


def ref_of(value: Object, unreadable: int) -> int:
    """Return the ref of a message that may be wrong in everything else."""
    ref = value.get("ref")
    return ref if type(ref) is int and 0 <= ref <= LARGEST else unreadable


def client_message(value: Object) -> ClientMessage:
    """Check a message of a websocket."""
    kind = value.get("type")
    shape = SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise _bad("type")
    checked: Object = {"type": kind} | {name: _whole(value.get(name), name, low, high) for name, (low, high) in shape.items()}
    if kind == "hello":
        checked["tokens"] = [_text(token, "tokens", TOKEN_LENGTH) for token in _list(value.get("tokens"), "tokens", MOST_TOKENS)]
    if kind in ("hello", "language"):
        checked["language"] = language(value.get("language"))
    if kind == "move":
        if ("move" in value) == ("text" in value):
            raise _bad("move")
        if "move" in value:
            checked["move"] = _whole(value["move"], "move", 0, LARGEST)
        else:
            checked["text"] = _text(value["text"], "text", TEXT_LENGTH)
    return cast(ClientMessage, checked)


def create_table(value: Object) -> CreateTable:
    """Check the wish for a table; whether the game exists and can be played so is not asked here."""
    seats = [_seat(seat) for seat in _list(value.get("seats"), "seats", MOST_SEATS)]
    return {
        "game": _text(value.get("game"), "game", TEXT_LENGTH),
        "seats": seats,
        "options": _options(_object(value.get("options", {}), "options")),
        "pace": _whole(value.get("pace", DEFAULT_PACE), "pace", 0, SLOWEST_PACE),
        "language": language(value.get("language", "en")),
    }


def join_table(value: Object) -> JoinTable:
    """Check the wish for a seat."""
    wish: JoinTable = {"name": name(value.get("name", "")), "language": language(value.get("language", "en"))}
    if "seat" in value:
        wish["seat"] = _whole(value["seat"], "seat", 0, MOST_SEATS - 1)
    return wish


def language(value: Any) -> str:
    """Check a language."""
    if value not in LANGUAGES:
        raise RefusalError("unknown_language", languages=", ".join(LANGUAGES))
    return cast(str, value)


def name(value: Any) -> str:
    """Check the name of a person: shortened, without anything that is not to be seen."""
    if not isinstance(value, str) or len(value) > TEXT_LENGTH:
        raise _bad("name")
    visible = "".join(letter for letter in value if unicodedata.category(letter)[0] != "C")
    return " ".join(visible.split())[:NAME_LENGTH].strip()


_REF = {"ref": (0, LARGEST)}
_AT = _REF | {"seq": (0, LARGEST), "seat": (0, MOST_SEATS - 1)}
SHAPES: dict[str, dict[str, tuple[int, int]]] = {
    "hello": {"protocol": (0, LARGEST), "seq": (-1, LARGEST)},
    "move": _AT,
    "roll": _AT,
    "undo": _AT,
    "hint": _AT,
    "odds": _AT,
    "pace": _REF | {"pace": (0, SLOWEST_PACE)},
    "language": _REF,
    "rematch": _REF,
    "ping": _REF,
}
"""Whole numbers of each message with their lowest and highest value."""


def _seat(value: Any) -> SeatWish:
    wish = _object(value, "seats")
    kind = wish.get("kind")
    if kind not in ("me", "here", "friend", "computer"):
        raise _bad("kind")
    seat: SeatWish = {"kind": kind, "name": name(wish.get("name", ""))}
    if kind == "computer":
        seat["level"] = _text(wish.get("level"), "level", NAME_LENGTH)
    return seat


def _options(value: Object) -> TableOptions:
    seed = value.get("seed")
    return {
        "seed": None if seed is None else _whole(seed, "seed", 0, LARGEST),
        "solo_rules": _truth(value.get("solo_rules", False), "solo_rules"),
        "free_placement": _truth(value.get("free_placement", False), "free_placement"),
    }


def _bad(what: str) -> RefusalError:
    return RefusalError("bad_message", what=what)


def _no_constant(text: str) -> None:
    raise ValueError(text)  # NaN and Infinity are not JSON


def _object(value: Any, what: str) -> Object:
    if not isinstance(value, dict):
        raise _bad(what)
    return cast(Object, value)


def _list(value: Any, what: str, longest: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > longest:
        raise _bad(what)
    return value


def _text(value: Any, what: str, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise _bad(what)
    return value


def _whole(value: Any, what: str, lowest: int, highest: int) -> int:
    if type(value) is not int or not lowest <= value <= highest:
        raise _bad(what)
    return value


def _truth(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise _bad(what)
    return value
