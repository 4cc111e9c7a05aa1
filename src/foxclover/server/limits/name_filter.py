"""Refuse names that the operator of a server does not want.

The file has one entry a line. A plain entry is a word of a name, ``*`` in it stands for any
letters, and an entry between slashes is a regular expression. Words are compared without case,
accents, and digits or signs in place of letters; ``*word*`` also without spaces and signs between
letters.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from foxclover.server.errors import RefusalError, StartError
from foxclover.server.logs import log_error, log_event

REREAD = 10.0  # seconds until a change of the file is noticed
FIELD = "name"  # of every message that contains a name
LOOKALIKES = str.maketrans("013457@$", "oieastas")
AS_WRITTEN, SIMPLIFIED, SQUEEZED = range(3)  # the forms of a name that entries are for


class NameFilter:
    """The refused words and patterns of a file, which is read again when it changes."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.changed = _changed(file)
        self.patterns = _read(file) if file else []
        self.looked = time.monotonic()

    def check(self, message: Any) -> None:
        """Refuse a message that contains a refused name."""
        for name in names_in(message):
            self.expect(name)

    def expect(self, name: str) -> None:
        """Refuse a refused name."""
        if self.refuses(name):
            raise RefusalError("refused_name", name=name)

    def refuses(self, name: str) -> bool:
        """Return whether a name is refused."""
        self._refresh()
        if not self.patterns:
            return False
        simplified = plain(name)
        forms = name, simplified, "".join(filter(str.isalnum, simplified))
        return any(pattern.search(forms[form]) is not None for form, pattern in self.patterns)

    def _refresh(self) -> None:
        """Read the file again if it has changed; an unusable one changes nothing."""
        now = time.monotonic()
        if self.file is None or now < self.looked + REREAD:
            return
        self.looked, changed = now, _changed(self.file)
        if changed == self.changed:
            return
        self.changed = changed
        try:
            self.patterns = _read(self.file)
        except StartError as error:
            log_error("name_filter_unusable", **error.values)
        else:
            log_event("name_filter_read", entries=len(self.patterns))


def names_in(message: Any) -> Iterator[str]:
    """Iterate over all names in a checked message."""
    if isinstance(message, list):
        for entry in message:
            yield from names_in(entry)
    elif isinstance(message, dict):
        for key, value in message.items():
            if key == FIELD and isinstance(value, str):
                yield value
            else:
                yield from names_in(value)


def plain(text: str) -> str:
    """Return a text without case and accents, with letters for the digits that look like them."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return kept.translate(LOOKALIKES)


def _changed(file: Path | None) -> int:
    try:
        return file.stat().st_mtime_ns if file else 0
    except OSError:
        return 0


def _read(file: Path) -> list[tuple[int, re.Pattern[str]]]:
    """Return the entries of a file as patterns, each with the form of names that it is for."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        problem = error.strerror if isinstance(error, OSError) else error.reason
        raise StartError("server.problem.name_filter", file=file, problem=problem) from None
    found = []
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line and not line.startswith("#"):
            try:
                found.append(_pattern(line))
            except (re.error, ValueError) as error:
                where = f"{file}:{number}"
                raise StartError("server.problem.name_filter", file=where, problem=error) from None
    return found


def _pattern(line: str) -> tuple[int, re.Pattern[str]]:
    if len(line) > 1 and line.startswith("/") and line.endswith("/"):
        return AS_WRITTEN, re.compile(line[1:-1], re.IGNORECASE)
    words = plain(line).strip("*")
    if not words:
        raise ValueError(line)
    if line.startswith("*") and line.endswith("*"):
        parts = ("".join(filter(str.isalnum, part)) for part in words.split("*"))
        return SQUEEZED, re.compile(".*".join(map(re.escape, parts)))
    body = r"\w*".join(map(re.escape, words.split("*")))
    if not line.startswith("*"):
        body = rf"(?<!\w){body}"
    if not line.endswith("*"):
        body = rf"{body}(?!\w)"
    return SIMPLIFIED, re.compile(body)
