"""Short codes of tables, secret tokens of seats, and what is kept of a token."""

from __future__ import annotations

import hashlib
import secrets

ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels, so no words; nothing that looks like something else."""

CODE_LENGTH = 6
TOKEN_BYTES = 24
TOKEN_LENGTH = 32  # characters


def new_code() -> str:
    """Return a code for a table: 387 million different ones."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Whether this could be the code of a table at all."""
    return len(text) == CODE_LENGTH and all(letter in ALPHABET for letter in text)


def new_token() -> str:
    """Return a secret of 192 bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_key(token: str) -> bytes:
    """Return the hash that is stored; a random secret of this length needs no salt."""
    return hashlib.sha256(token.encode()).digest()
