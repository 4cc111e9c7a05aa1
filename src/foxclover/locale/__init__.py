"""Every text for people: ``locale/<language>/<topic>.json`` are flat catalogues, merged, with the same keys in every language.

``say = catalogue("de")`` and then ``say("cli.saved", file=path)``. With a value ``count`` of 1 the text ``<key>.one`` is taken,
if there is one.
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
TERMINAL, OWN_WORDS, RULES = (
    "cli.",
    "site.",
    "rules.",
)  # what keys of the terminal, of a page without a server and of the rules begin with

NUMBER_SIGNS = {
    ".": "number.decimal",
    ",": "number.thousands",
    "%": "number.percent",
}  # as Python writes them: the key of a language's own


class Say(Protocol):
    """Looks a sentence up by its key and fills in the values."""

    @property
    def language(self) -> str:
        """Which one it speaks."""

    def __call__(self, key: str, /, **values: object) -> str:
        """Raise ``KeyError`` for a key that is not there."""

    def __hash__(self) -> int:
        """There is one for a language, so that what it said can be kept with it."""


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language, key by key."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there are {', '.join(LANGUAGES)}")
    merged: dict[str, str] = {}
    for path in sorted((Path(__file__).parent / language).glob("*.json")):
        topic: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        twice = merged.keys() & topic.keys()
        if twice:
            raise ValueError(f"{path.name} repeats {', '.join(sorted(twice))}")
        merged |= topic
    return merged


@cache
def site_texts(language: str) -> dict[str, str]:
    """The texts where there is no server, without the terminal's and the rules: ``site.KEY`` takes the place of ``KEY``."""
    spoken = {
        key: text
        for key, text in texts(language).items()
        if not key.startswith((OWN_WORDS, TERMINAL, RULES))
    }
    return spoken | {
        key.removeprefix(OWN_WORDS): text
        for key, text in texts(language).items()
        if key.startswith(OWN_WORDS)
    }


@cache
def rules_texts(language: str) -> dict[str, str]:
    """The rules of all games, for those who open them."""
    return {key: text for key, text in texts(language).items() if key.startswith(RULES)}


@cache
def catalogue(language: str) -> Say:
    """Return the function that speaks ``language``; it raises ``KeyError`` for a key that is not there."""
    return _Catalogue(language, texts(language))


@dataclass(frozen=True, eq=False)  # so that sentences can be kept by catalogue
class _Catalogue:
    language: str
    sentences: Mapping[str, str] = field(repr=False)

    def __call__(self, key: str, /, **values: object) -> str:
        if values.get("count") == 1 and key + ".one" in self.sentences:
            key += ".one"
        return self.sentences[key].format_map(values)


@dataclass(frozen=True)
class Phrase:
    """A sentence for any language: the key of its text, and values, of which some may be said in it too."""

    key: str
    values: Mapping[str, object]

    def words(self, say: Say) -> str:
        """The sentence in a language."""
        return say(
            self.key,
            **{
                name: value(say) if callable(value) else value
                for name, value in self.values.items()
            },
        )

    __call__ = words

    def __str__(self) -> str:
        return self.words(catalogue(FALLBACK))


def phrase(key: str, /, **values: object) -> Phrase:
    """What ``say`` with the same key and values would say."""
    return Phrase(key, values)


def say_number(value: float, form: str, say: Say) -> str:
    """A number with the signs of a language; ``form`` is what ``format`` takes, as in "+.1f"."""
    return format(value, form).translate(
        {ord(sign): say(key) for sign, key in NUMBER_SIGNS.items()}
    )


def one_of(things: Sequence[object]) -> object:
    """Some things with an "or" between them."""
    return reduce(lambda first, second: phrase("expected.or", first=first, second=second), things)


def sections(language: str, *topics: str) -> Iterator[tuple[str, str, str]]:
    """Name, title and text of the sections of some topics in the order of the catalogue: ``<topic>.<name>.title`` and ``.text``."""
    sentences = texts(language)
    for topic in topics:
        for key, title in sentences.items():
            if key.startswith(f"{topic}.") and key.endswith(".title"):
                section = key.removesuffix(".title")
                yield section.removeprefix(f"{topic}."), title, sentences[f"{section}.text"]


def shorten(words: Sequence[str]) -> list[str]:
    """Every word as short as it can be without being the beginning of another one; nothing for a word that stands there twice."""

    def short(word: str) -> str:
        beginnings = (word[:length] for length in range(1, len(word) + 1))
        return next(
            (begun for begun in beginnings if sum(other.startswith(begun) for other in words) == 1),
            "",
        )

    return [short(word) for word in words]


def system_language() -> str:
    """Return the language the system is set to, if we speak it; else English."""
    wanted = (
        next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
        or system_locale.getlocale()[0]
        or FALLBACK
    )
    language = wanted[:2].lower()
    return language if language in LANGUAGES else FALLBACK
