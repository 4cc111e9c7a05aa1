"""Translate every text that users read.

``locale/<language>/<topic>.json`` and ``games/<family>/locale/<language>.json`` are flat
catalogues with the same keys in every language. They are merged into one catalogue per language.
Use ``translate = catalogue("de")`` and then ``translate("cli.saved", file=path)``.
If the value ``count`` is 1, the text ``<key>.one`` is used where it exists.
"""

from __future__ import annotations

import json
import locale as system_locale
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from pathlib import Path
from typing import Protocol

LANGUAGES = ("de", "en", "nl")
FALLBACK = "en"
# key prefixes of the terminal, of the page without a server, and of the rules
TERMINAL, OWN_WORDS, RULES, LEGAL = ("cli.", "site.", "rules.", "legal.")

# the signs that Python writes, with the key of the translated sign
NUMBER_SIGNS = {".": "number.decimal", ",": "number.thousands", "%": "number.percent"}


class Translator(Protocol):
    """A function that looks up a text by its key and fills in the values."""

    @property
    def language(self) -> str:
        """Return the language of the texts."""

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text with its values; raises ``KeyError`` for an unknown key."""

    def __hash__(self) -> int:
        """Hash the translator, so that caches can use it as a key: each language has only one."""


def catalogue_files(language: str) -> list[Path]:
    """Return the text files of a language: one per topic and one per game family."""
    topics, families = Path(__file__).parent, Path(__file__).parents[1] / "games"
    return [
        *sorted(topics.glob(f"{language}/*.json")),
        *sorted(families.glob(f"*/locale/{language}.json")),
    ]


@cache
def texts(language: str) -> Mapping[str, str]:
    """Return all texts of a language by key."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there are {', '.join(LANGUAGES)}")
    merged: dict[str, str] = {}
    for path in catalogue_files(language):
        topic: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        twice = merged.keys() & topic.keys()
        if twice:
            raise ValueError(f"{path.name} repeats {', '.join(sorted(twice))}")
        merged |= topic
    return merged


@cache
def site_texts(language: str) -> dict[str, str]:
    """Return the texts of the page without a server, excluding those of the terminal and the rules.

    ``site.KEY`` replaces ``KEY``.
    """
    spoken = {
        key: text
        for key, text in texts(language).items()
        if not key.startswith((OWN_WORDS, TERMINAL, RULES, LEGAL))
    }
    return spoken | {
        key.removeprefix(OWN_WORDS): text
        for key, text in texts(language).items()
        if key.startswith(OWN_WORDS)
    }


@cache
def rules_texts(language: str) -> dict[str, str]:
    """Return the rules of all games, which the page loads on demand."""
    return {key: text for key, text in texts(language).items() if key.startswith(RULES)}


@cache
def catalogue(language: str) -> Translator:
    """Return the translator of a language.

    It raises ``KeyError`` for an unknown key.
    """
    return _Catalogue(language, texts(language))


@dataclass(frozen=True, eq=False)  # hashed by identity, so that caches can use it as a key
class _Catalogue:
    language: str
    sentences: Mapping[str, str] = field(repr=False)

    def __call__(self, key: str, /, **values: object) -> str:
        if values.get("count") == 1 and key + ".one" in self.sentences:
            key += ".one"
        return self.sentences[key].format_map(values)


@dataclass(frozen=True)
class LazyMessage:
    """A message that is translated later: the key of its text, and values.

    A callable value is translated together with the message.
    """

    key: str
    values: Mapping[str, object]

    def words(self, translate: Translator) -> str:
        """Return the message in a language."""
        return translate(
            self.key,
            **{
                name: value(translate) if callable(value) else value
                for name, value in self.values.items()
            },
        )

    __call__ = words

    def __str__(self) -> str:
        return self.words(catalogue(FALLBACK))


def lazy_message(key: str, /, **values: object) -> LazyMessage:
    """Return a message that ``translate`` can render later with this key and these values."""
    return LazyMessage(key, values)


def format_number(value: float, form: str, translate: Translator) -> str:
    """Format a number with the signs of a language; ``form`` is a format spec such as "+.1f"."""
    return format(value, form).translate(
        {ord(sign): translate(key) for sign, key in NUMBER_SIGNS.items()}
    )


def one_of(things: Sequence[object]) -> object:
    """Return some things joined by "or"."""
    return reduce(
        lambda first, second: lazy_message("expected.or", first=first, second=second), things
    )


def sections(language: str, *topics: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, title and text of the sections of some topics, in the order of the catalogue.

    Their keys are ``<topic>.<name>.title`` and ``<topic>.<name>.text``.
    """
    sentences = texts(language)
    for topic in topics:
        for key, title in sentences.items():
            if key.startswith(f"{topic}.") and key.endswith(".title"):
                section = key.removesuffix(".title")
                yield section.removeprefix(f"{topic}."), title, sentences[f"{section}.text"]


def shorten(words: Sequence[str]) -> list[str]:
    """Return the shortest unique prefix of every word.

    It is empty if a word has none, for example because the word is listed twice.
    """

    def short(word: str) -> str:
        beginnings = (word[:length] for length in range(1, len(word) + 1))
        return next(
            (begun for begun in beginnings if sum(other.startswith(begun) for other in words) == 1),
            "",
        )

    return [short(word) for word in words]


def system_language() -> str:
    """Return the language of the system if it is supported, else English."""
    wanted = (
        next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
        or system_locale.getlocale()[0]
        or FALLBACK
    )
    # Windows writes names: German_Germany
    language = system_locale.normalize(wanted.partition("_")[0])[:2].lower()
    return language if language in LANGUAGES else FALLBACK
