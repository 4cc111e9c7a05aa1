"""Short codes of tables, secret tokens of seats, and what is kept of a token."""

from __future__ import annotations

import hashlib
import secrets

ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels, so no words; nothing that looks like something else."""

CODE_LENGTH = 6
TOKEN_BYTES = 24
TOKEN_LENGTH = 32  # characters
INVITATION_BYTES = 12


def new_code() -> str:
    """Return a code for a table: 387 million different ones."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Whether this could be the code of a table at all."""
    return len(text) == CODE_LENGTH and all(letter in ALPHABET for letter in text)


def code_number(code: str) -> int:
    """Return a code as a number of 31 bits, another one for every code."""
    number = 0
    for letter in code:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def new_token() -> str:
    """Return a secret of 192 bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_invitation() -> str:
    """Return a secret of 96 bits, short enough for a QR code: it opens seats only until friends have taken them."""
    return secrets.token_urlsafe(INVITATION_BYTES)


def same(left: str, right: str) -> bool:
    """Compare secrets without telling by the time how much of them is right."""
    return secrets.compare_digest(left.encode(errors="replace"), right.encode(errors="replace"))


def token_key(token: str) -> bytes:
    """Return the hash that is stored; a random secret of this length needs no salt."""
    return hashlib.sha256(token.encode()).digest()
