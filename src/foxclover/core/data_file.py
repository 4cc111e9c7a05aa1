"""Read sheets and decks, which are TOML files, and find every mistake with its line.

A ``DataFile`` returns entries of the expected kind. For anything else it notes a ``Finding`` and
returns a placeholder, so that one check finds everything wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from foxclover.core.errors import Picklable, quote
from foxclover.locale import FALLBACK, LazyMessage, Translator, catalogue, lazy_message

# Entries of every header.
HEAD_ENTRIES = ("family", "game", "title", "designer", "year", "publisher", "players")

T = TypeVar("T")
Path = tuple[str | int, ...]
"""The path of an entry, such as ``("area", 2, "bonus", 0)``."""

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[\w-]+')
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^,\]}\s#]+|[^,\]}\s#]+")
_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


class Finding(NamedTuple):
    """A problem of a file; an ``error`` makes the file unusable."""

    line: int
    column: int  # 0: the line as a whole
    problem: LazyMessage
    error: bool

    def words(self, translate: Translator) -> str:
        """Describe the problem and its location."""
        where = {"line": self.line, "column": self.column, "problem": self.problem.words(translate)}
        return translate("data.column" if self.column else "data.line", **where)

    def __str__(self) -> str:
        return self.words(catalogue(FALLBACK))


class DataError(Picklable, ValueError):
    """An unusable file: one line for each reason."""

    def __init__(self, key: str, findings: list[Finding]) -> None:
        super().__init__("\n".join(f"{key}: {finding}" for finding in findings))
        self.key = key
        self.findings = findings

    def words(self, translate: Translator) -> str:
        """Describe the first reason, and count the others."""
        more = len(self.findings) - 1
        return self.findings[0].words(translate) + (
            f" ({translate('data.more', count=more)})" if more else ""
        )


@lru_cache(maxsize=8)
def _parse(text: str) -> Mapping[str, Any]:
    """Parse a file once for its header and its contents; the result is read-only."""
    return MappingProxyType(tomllib.loads(text))


class DataFile:
    """A file being checked."""

    def __init__(self, source: bytes) -> None:
        self.data: Mapping[str, Any] = {}
        self._findings: list[Finding] = []
        try:
            self.text = source.decode("utf-8-sig")
            self.data = _parse(self.text)
        except UnicodeDecodeError as error:
            self.text = ""
            self._findings.append(
                Finding(
                    source.count(b"\n", 0, error.start) + 1, 0, lazy_message("data.not_text"), True
                )
            )
        except RecursionError:
            self._findings.append(Finding(1, 0, lazy_message("data.too_deep"), True))
        except ValueError as error:
            message, _, location = str(error).partition(" (at ")
            line = re.match(r"line (\d+)", location)
            last = max(1, len(self.text.splitlines()))
            self._findings.append(
                Finding(
                    int(line[1]) if line else last,
                    0,
                    lazy_message("data.not_toml", why=message),
                    True,
                )
            )

    @property
    def findings(self) -> list[Finding]:
        """The findings in the order of their lines."""
        return sorted(self._findings, key=lambda finding: (finding.line, finding.column))

    @property
    def errors(self) -> list[Finding]:
        """The findings that make the file unusable."""
        return [finding for finding in self.findings if finding.error]

    def refuse_errors(self, key: str) -> None:
        """Raise ``DataError`` if there are errors."""
        if self.errors:
            raise DataError(key, self.errors)

    @cached_property
    def _locations(self) -> dict[Path, tuple[int, int]]:
        return dict(_entries(self.text))

    def location(self, path: Path) -> tuple[int, int]:
        """Return line and column of an entry's value; of a missing one, the line of its parent."""
        found = self._locations.get(path)
        while found is None and path:
            path = path[:-1]
            found = (self._locations.get(path, (0, 0))[0], 0) if path in self._locations else None
        return found or (1, 0)

    def error(self, path: Path, problem: LazyMessage, shift: int = 0) -> None:
        """Note an error, ``shift`` characters into a text."""
        line, column = self.location(path)
        self._findings.append(Finding(line, column + shift if column else 0, problem, True))

    def expected(self, path: Path, what: LazyMessage) -> None:
        """Note that an entry is missing or not what it should be."""
        self.error(path, lazy_message("data.expected", entry=name_of(path), what=what))

    def remark(self, path: Path, problem: LazyMessage) -> None:
        """Note something unusual but usable."""
        self._findings.append(Finding(self.location(path)[0], 0, problem, False))

    def entry(self, path: Path) -> Any:
        """Return an entry of any kind, or None."""
        value: Any = self.data
        for key in path:
            if isinstance(key, str):
                value = value.get(key) if isinstance(value, Mapping) else None
            else:
                value = value[key] if isinstance(value, list) and key < len(value) else None
        return value

    def _valid(self, path: Path, value: Any, fits: bool, what: LazyMessage, otherwise: T) -> T:
        """Return an entry that fits; for another note what was expected."""
        if not fits:
            self.expected(path, what)
        return value if fits else otherwise

    def has(self, path: Path) -> bool:
        """Check whether there is an entry."""
        return self.entry(path) is not None

    def string(self, path: Path) -> str:
        """Return a text."""
        value = self.entry(path)
        return self._valid(path, value, isinstance(value, str), lazy_message("data.text"), "")

    def label(self, path: Path, most: int = 80) -> str:
        """Return a text that fits on a line."""
        value = self.entry(path)
        fits = isinstance(value, str) and value.isprintable() and 1 <= len(value) <= most
        return self._valid(path, value, fits, lazy_message("data.label", most=most), "")

    def whole(self, path: Path, low: int, high: int) -> int:
        """Return a whole number."""
        value = self.entry(path)
        fits = type(value) is int and low <= value <= high
        return self._valid(path, value, fits, lazy_message("data.whole", low=low, high=high), low)

    def flag(self, path: Path) -> bool:
        """Return a truth value."""
        value = self.entry(path)
        return self._valid(path, value, isinstance(value, bool), lazy_message("data.flag"), False)

    def choice(self, path: Path, names: Collection[str]) -> str:
        """Return one of some words."""
        value = self.entry(path)
        known, fits = ", ".join(names), isinstance(value, str) and value in names
        what = (
            lazy_message("data.not_one_of", names=known, text=quote(value))
            if isinstance(value, str)
            else lazy_message("data.one_of", names=known)
        )
        return self._valid(path, value, fits, what, next(iter(names), ""))

    def length(self, path: Path, least: int, most: int, what: LazyMessage) -> int:
        """Return the length of a list; 0 if it is no list, too short or too long."""
        value = self.entry(path)
        if isinstance(value, list) and least <= len(value) <= most:
            return len(value)
        self.expected(
            path,
            lazy_message("data.found", what=what, count=len(value))
            if isinstance(value, list)
            else what,
        )
        return 0

    def wholes(self, path: Path, count: int, low: int, high: int) -> list[int]:
        """Return a list of whole numbers."""
        length = self.length(
            path, count, count, lazy_message("data.wholes", number=count, low=low, high=high)
        )
        return [self.whole((*path, index), low, high) for index in range(length)] or [low] * count

    def strings(self, path: Path, count: int, what: LazyMessage) -> list[str]:
        """Return a list of texts."""
        length = self.length(path, count, count, what)
        return [self.string((*path, index)) for index in range(length)] or [""] * count

    def colour(self, path: Path) -> str:
        """Return a colour ``#rrggbb``."""
        value = self.entry(path)
        fits = isinstance(value, str) and _HEX.fullmatch(value) is not None
        return self._valid(path, value, fits, lazy_message("data.colour"), "#000000").lower()

    def table(
        self, path: Path, known: Collection[str], what: LazyMessage | None = None
    ) -> Mapping[str, Any]:
        """Return a table, and note its unknown entries."""
        value = self.entry(path)
        if not isinstance(value, Mapping):
            self.expected(path, what or lazy_message("data.table"))
            return {}
        for entry in ((*path, key) for key in value if key not in known):
            names = ", ".join(known)
            self.error(entry, lazy_message("data.unknown", entry=name_of(entry), names=names))
        return value


def name_of(path: Path) -> str:
    """Name an entry for people, with list entries counted from 1."""
    return "".join(
        f" {part + 1}" if isinstance(part, int) else f".{part}" for part in path
    ).removeprefix(".")


def _entries(text: str) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Return every entry of a valid TOML text with line and column of its value.

    A section has column 0.
    """
    for path, offset, header in _Scanner(text).document():
        line = text.count("\n", 0, offset) + 1
        yield path, (line, 0 if header else offset - text.rfind("\n", 0, offset))


class _Scanner:
    """Locate the entries of a valid TOML text.

    ``tomllib`` has no positions, and the browser, which runs this too, has no tomlkit.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.tables: dict[Path, int] = {}  # how many of a list of tables there are so far

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
        return found[0] if found else ""

    def skip(self, sign: str = "") -> bool:
        """Skip blanks and comments, and a sign if it is next."""
        self.match(_BLANK)
        found = bool(sign) and self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def keys(self) -> Iterator[str]:
        """Return a key, or several with dots between them."""
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
            if self.skip("["):
                another = self.skip("[")
                section = self.resolve(tuple(self.keys()), another)
                self.skip("]]" if another else "]")
                yield section, start, True
            else:
                yield from self.pair(section)

    def resolve(self, keys: tuple[str, ...], another: bool) -> Path:
        """Return the path of a section, in the last table of each list."""
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
