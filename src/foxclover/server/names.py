"""Names of persons made presentable: nothing that is not to be seen, nothing that reaches over its line."""

from __future__ import annotations

import unicodedata

LENGTH = 24
MARKS = 2  # on one letter; the languages people write need no more
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode counts as letters, marks or signs, and that nobody sees."""


def presentable(name: str) -> str:
    """Return a name shortened and without invisible or stacked characters."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] == "C" or letter in BLANK or marks > MARKS or _selects_variant(letter):
            continue
        kept.append(letter)
    return " ".join("".join(kept).split())[:LENGTH].strip()


def _selects_variant(letter: str) -> bool:
    return "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
