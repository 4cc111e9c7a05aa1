"""Colour words of a sheet, in the forms that sentences need.

The catalogues contain every form of the usual colours. A sheet gives its own colours a word and,
after a comma, the adjective, if it is another word: ``brown = "Braun, braune"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from foxclover.locale import FALLBACK, Translator, texts

ColourForm = Literal["noun", "adjective", "nominative", "dative"]
"""In German: "in Gelb", "die gelbe 6", "gelber Würfel", "in der gelben Zeile"."""

_ENDINGS = {"adjective": "", "nominative": "r", "dative": "n"}


def colour_words(
    brought: Mapping[str, Mapping[str, str]],
    name: str,
    translate: Translator,
    form: ColourForm = "noun",
) -> str:
    """Return a form of a colour in the words that a sheet brought, else in the catalogue's."""
    language = translate.language
    own = brought.get(language, {}).get(name)
    key = f"common.colour.{name}" + ("" if form == "noun" else f".{form}")
    if own is None and key in texts(language):
        return texts(language)[key]
    return _inflect(own or brought[FALLBACK][name], form, language)


def _inflect(entry: str, form: ColourForm, language: str) -> str:
    """Return a form of a word of a sheet: German nouns have capitals, German adjectives endings."""
    word, _, adjective = (part.strip() for part in entry.partition(","))
    if form == "noun":
        return word[:1].upper() + word[1:] if language == "de" else word
    if language == "de" and adjective.endswith("e"):
        return adjective + _ENDINGS[form]
    return adjective or word
