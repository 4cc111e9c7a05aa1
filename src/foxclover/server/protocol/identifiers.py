"""Codes of tables, secret tokens and the hashes stored of them, and names of persons."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata

ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels, so no words; no characters that look alike."""

CODE_LENGTH = 6
TOKEN_BYTES = 24
TOKEN_LENGTH = 32  # characters
INVITATION_BYTES = 12


def new_code(length: int = CODE_LENGTH) -> str:
    """Return a random code; there are 387 million for tables."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def normalize_code(code: str) -> str:
    """Return a typed code without spaces, hyphens and capitals."""
    return "".join(code.lower().split()).replace("-", "")


def is_code(text: str) -> bool:
    """Return whether a text has the form of a table's code."""
    return len(text) == CODE_LENGTH and all(letter in ALPHABET for letter in text)


def code_number(code: str) -> int:
    """Return a unique number of 31 bits for a code."""
    number = 0
    for letter in code:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def new_token() -> str:
    """Return a secret of 192 bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_invitation() -> str:
    """Return a secret of 96 bits, short enough for a QR code.

    It opens seats only until friends have taken them.
    """
    return secrets.token_urlsafe(INVITATION_BYTES)


def same(left: str, right: str) -> bool:
    """Compare secrets in constant time."""
    return secrets.compare_digest(left.encode(errors="replace"), right.encode(errors="replace"))


def token_key(token: str) -> bytes:
    """Return the hash to store; a random secret of this length needs no salt."""
    return hashlib.sha256(token.encode()).digest()


NAME_LENGTH = 24
NAME_MARKS = 2  # combining marks on one letter; no written language needs more
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Invisible characters that Unicode counts as letters, marks or symbols; variation selectors."""


def presentable(name: str) -> str:
    """Return a name shortened and without invisible or stacked characters."""
    kept, marks = "", 0
    for letter in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(letter)[0]
        marks = marks + 1 if kind == "M" else 0
        if kind != "C" and marks <= NAME_MARKS and not INVISIBLE.match(letter):
            kept += letter
    return " ".join(kept.split())[:NAME_LENGTH].strip()
