"""What may stand in a field of a message that comes from outside: bounds, and the kinds of fields there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from foxclover.seal import SALT_BYTES
from foxclover.server.codes import TOKEN_LENGTH
from foxclover.shelf import MOST_PLAYERS


@dataclass(frozen=True)
class Between:
    """A whole number in these bounds."""

    lowest: int
    highest: int


@dataclass(frozen=True)
class AtMost:
    """A list with at most so many entries, or a text with at most so many characters, all of them to be seen."""

    length: int


@dataclass(frozen=True)
class NotLonger:
    """A text of many lines with at most so many characters."""

    length: int


@dataclass(frozen=True)
class Secret:
    """So many letters, digits, ``-`` and ``_``, drawn at random."""

    length: int


@dataclass(frozen=True)
class Bytes:
    """So many bytes, each written as two of 0 to 9 and a to f."""

    count: int


@dataclass(frozen=True)
class KnownLanguage:
    """One of the languages there is a catalogue for."""


@dataclass(frozen=True)
class NameOfPerson:
    """A text that is made presentable before it is used."""


LARGEST = 2**53 - 1  # what a number in JavaScript holds exactly
Count = Annotated[int, Between(0, LARGEST)]
Seen = Annotated[int, Between(-1, LARGEST)]
Seat = Annotated[int, Between(0, MOST_PLAYERS - 1)]
Beginner = Annotated[int, Between(-1, MOST_PLAYERS - 1)]
Pace = Annotated[int, Between(0, 10_000)]
Text = Annotated[str, AtMost(80)]
PageSalt = Annotated[str, Bytes(SALT_BYTES)]
LongText = Annotated[str, NotLonger(60_000)]
DeviceToken = Annotated[str, Secret(22)]
Token = Annotated[str, AtMost(TOKEN_LENGTH)]
NewToken = Annotated[str, Secret(TOKEN_LENGTH)]
PersonName = Annotated[str, NameOfPerson()]
Language = Annotated[str, KnownLanguage()]
