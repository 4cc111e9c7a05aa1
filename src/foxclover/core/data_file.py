"""Sheets and decks are TOML files; this reads them for people who write their own: every mistake is found, with its line.

A ``DataFile`` hands out entries of the kind that was expected. Where there is something else, it notes a ``Finding`` and hands out a
stand-in, so that the check goes on and everything wrong is told at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from foxclover.errors import quote
from foxclover.locale import FALLBACK, Phrase, Say, catalogue, phrase

HEAD_ENTRIES = (
    "family",
    "game",
    "title",
    "designer",
    "year",
    "publisher",
    "players",
)  # what every file says first

Path = tuple[str | int, ...]
"""Where an entry stands: ``("area", 2, "bonus", 0)``."""

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[\w-]+')
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^,\]}\s#]+|[^,\]}\s#]+")
_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


class Finding(NamedTuple):
    """Something the checker noticed; an ``error`` makes a file unusable."""

    line: int
    column: int  # 0: the line as a whole
    problem: Phrase
    error: bool

    def words(self, say: Say) -> str:
        """What it is, and where."""
        where = {"line": self.line, "column": self.column, "problem": self.problem.words(say)}
        return say("data.column" if self.column else "data.line", **where)

    def __str__(self) -> str:
        return self.words(catalogue(FALLBACK))


class DataError(ValueError):
    """A file that cannot be used: one line for each reason."""

    def __init__(self, key: str, findings: list[Finding]) -> None:
        super().__init__("\n".join(f"{key}: {finding}" for finding in findings))
        self.key = key
        self.findings = findings

    def words(self, say: Say) -> str:
        """The first reason, and how many more there are."""
        more = len(self.findings) - 1
        return self.findings[0].words(say) + (f" ({say('data.more', count=more)})" if more else "")


class DataFile:
    """A file being checked."""

    def __init__(self, source: bytes) -> None:
        self.data: dict[str, Any] = {}
        self._findings: list[Finding] = []
        try:
            self.text = source.decode("utf-8-sig")
            self.data = tomllib.loads(self.text)
        except UnicodeDecodeError as error:
            self.text = ""
            self._findings.append(
                Finding(source.count(b"\n", 0, error.start) + 1, 0, phrase("data.not_text"), True)
            )
        except RecursionError:
            self._findings.append(Finding(1, 0, phrase("data.too_deep"), True))
        except ValueError as error:
            message, _, location = str(error).partition(" (at ")
            line = re.match(r"line (\d+)", location)
            last = max(1, len(self.text.splitlines()))
            self._findings.append(
                Finding(
                    int(line[1]) if line else last, 0, phrase("data.not_toml", why=message), True
                )
            )

    @property
    def findings(self) -> list[Finding]:
        """What was noticed, from the first line to the last."""
        return sorted(self._findings, key=lambda finding: (finding.line, finding.column))

    @property
    def errors(self) -> list[Finding]:
        """What makes the file unusable."""
        return [finding for finding in self.findings if finding.error]

    def refuse_errors(self, key: str) -> None:
        """Raise ``DataError`` if there are any."""
        if self.errors:
            raise DataError(key, self.errors)

    # -- findings ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _locations(self) -> dict[Path, tuple[int, int]]:
        return dict(_entries(self.text))

    def location(self, path: Path) -> tuple[int, int]:
        """Line and column of an entry's value; the line of what it should stand in, if it is missing."""
        found = self._locations.get(path)
        while found is None and path:
            path = path[:-1]
            found = (self._locations.get(path, (0, 0))[0], 0) if path in self._locations else None
        return found or (1, 0)

    def error(self, path: Path, problem: Phrase, shift: int = 0) -> None:
        """Note what makes the file unusable; ``shift`` tells how many characters into a text it stands."""
        line, column = self.location(path)
        self._findings.append(Finding(line, column + shift if column else 0, problem, True))

    def expected(self, path: Path, what: Phrase) -> None:
        """Note that an entry is missing or not what it should be."""
        self.error(path, phrase("data.expected", entry=name_of(path), what=what))

    def remark(self, path: Path, problem: Phrase) -> None:
        """Note what is unusual but usable."""
        self._findings.append(Finding(self.location(path)[0], 0, problem, False))

    # -- entries ----------------------------------------------------------------------------------------------------------

    def entry(self, path: Path) -> Any:
        """What stands there, whatever it is; None: nothing."""
        value: Any = self.data
        for key in path:
            if isinstance(key, str):
                value = value.get(key) if isinstance(value, dict) else None
            else:
                value = value[key] if isinstance(value, list) and key < len(value) else None
        return value

    def has(self, path: Path) -> bool:
        """Does anything stand there?"""
        return self.entry(path) is not None

    def string(self, path: Path) -> str:
        """A text in quotes."""
        value = self.entry(path)
        if isinstance(value, str):
            return value
        self.expected(path, phrase("data.text"))
        return ""

    def label(self, path: Path, most: int = 80) -> str:
        """A text that fits on a line."""
        value = self.entry(path)
        if isinstance(value, str) and value.isprintable() and 1 <= len(value) <= most:
            return value
        self.expected(path, phrase("data.label", most=most))
        return ""

    def whole(self, path: Path, low: int, high: int) -> int:
        """A whole number."""
        value = self.entry(path)
        if type(value) is int and low <= value <= high:
            return value
        self.expected(path, phrase("data.whole", low=low, high=high))
        return low

    def flag(self, path: Path) -> bool:
        """True or false."""
        value = self.entry(path)
        if not isinstance(value, bool):
            self.expected(path, phrase("data.flag"))
        return value is True

    def choice(self, path: Path, names: Collection[str]) -> str:
        """One of some words."""
        value = self.entry(path)
        if isinstance(value, str) and value in names:
            return value
        known = ", ".join(names)
        self.expected(
            path,
            phrase("data.not_one_of", names=known, text=quote(value))
            if isinstance(value, str)
            else phrase("data.one_of", names=known),
        )
        return next(iter(names), "")

    def length(self, path: Path, least: int, most: int, what: Phrase) -> int:
        """How many entries a list has; 0 if it is none, or too short or too long."""
        value = self.entry(path)
        if isinstance(value, list) and least <= len(value) <= most:
            return len(value)
        self.expected(
            path,
            phrase("data.found", what=what, count=len(value)) if isinstance(value, list) else what,
        )
        return 0

    def wholes(self, path: Path, count: int, low: int, high: int) -> list[int]:
        """A list of whole numbers."""
        length = self.length(
            path, count, count, phrase("data.wholes", number=count, low=low, high=high)
        )
        return [self.whole((*path, index), low, high) for index in range(length)] or [low] * count

    def strings(self, path: Path, count: int, what: Phrase) -> list[str]:
        """A list of texts."""
        length = self.length(path, count, count, what)
        return [self.string((*path, index)) for index in range(length)] or [""] * count

    def colour(self, path: Path) -> str:
        """A colour by its red, green and blue."""
        value = self.entry(path)
        if isinstance(value, str) and _HEX.fullmatch(value):
            return value.lower()
        self.expected(path, phrase("data.colour"))
        return "#000000"

    def table(
        self, path: Path, known: Collection[str], what: Phrase | None = None
    ) -> Mapping[str, Any]:
        """A table; entries that nobody knows are refused."""
        value = self.entry(path)
        if not isinstance(value, dict):
            self.expected(path, what or phrase("data.table"))
            return {}
        for key in value:
            if key not in known:
                self.error(
                    (*path, key),
                    phrase("data.unknown", entry=name_of((*path, key)), names=", ".join(known)),
                )
        return value


def name_of(path: Path) -> str:
    """An entry as people call it; entries of lists are counted from 1."""
    return "".join(
        f" {part + 1}" if isinstance(part, int) else f".{part}" for part in path
    ).removeprefix(".")


def _entries(text: str) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Every entry of a TOML text that ``tomllib`` has read, with line and column of its value; a section has column 0."""
    for path, offset, header in _Scanner(text).document():
        line = text.count("\n", 0, offset) + 1
        yield path, (line, 0 if header else offset - text.rfind("\n", 0, offset))


class _Scanner:
    """Goes through a TOML text that is known to be right, only to see where things stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.tables: dict[Path, int] = {}  # how many of a list of tables there are so far

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
        return found[0] if found else ""

    def skip(self, sign: str = "") -> bool:
        """Go past blanks and comments, and past a sign if it comes next."""
        self.match(_BLANK)
        found = bool(sign) and self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def keys(self) -> Iterator[str]:
        """A key, or several with dots between them."""
        more = True
        while more:
            self.skip()
            key = self.match(_KEY)
            yield next(iter(tomllib.loads(f"{key} = 0"))) if key[:1] in "\"'" and key else key
            more = self.skip(".")

    def document(self) -> Iterator[tuple[Path, int, bool]]:
        section: Path = ()
        while self.skip() or self.at < len(self.text):
            start = self.at
            if self.skip("[["):
                section = self.resolve(tuple(self.keys()), another=True)
                self.skip("]]")
                yield section, start, True
            elif self.skip("["):
                section = self.resolve(tuple(self.keys()), another=False)
                self.skip("]")
                yield section, start, True
            else:
                yield from self.pair(section)

    def resolve(self, keys: tuple[str, ...], another: bool) -> Path:
        """The path of a section: within a list of tables it is that of the last one."""
        path: Path = ()
        for index, key in enumerate(keys):
            path += (key,)
            if another and index == len(keys) - 1:
                self.tables[path] = self.tables.get(path, 0) + 1
            if path in self.tables:
                path += (self.tables[path] - 1,)
        return path

    def pair(self, section: Path) -> Iterator[tuple[Path, int, bool]]:
        path = section + tuple(self.keys())
        self.skip("=")
        yield from self.value(path)

    def value(self, path: Path) -> Iterator[tuple[Path, int, bool]]:
        self.skip()
        yield path, self.at, False
        if self.skip("["):
            count = 0
            while not self.skip("]") and self.at < len(self.text):
                yield from self.value((*path, count))
                self.skip(",")
                count += 1
        elif self.skip("{"):
            while not self.skip("}") and self.at < len(self.text):
                yield from self.pair(path)
                self.skip(",")
        elif self.text[self.at : self.at + 1] in ("'", '"'):
            self.match(_TEXT)
        else:
            self.match(_PLAIN)
