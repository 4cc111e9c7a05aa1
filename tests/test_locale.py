from __future__ import annotations

import ast
import json
import string
from pathlib import Path

import pytest

from foxclover import locale
from foxclover.locale import (
    LANGUAGES,
    catalogue,
    catalogue_files,
    format_number,
    system_language,
    texts,
)

FOLDER = Path(locale.__file__).parent
PACKAGE = FOLDER.parent


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert english.keys() == other.keys()
    for key, text in english.items():
        assert placeholders(text) == placeholders(other[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty(language: str) -> None:
    assert all(texts(language).values())


@pytest.mark.parametrize(
    "path",
    [path for language in LANGUAGES for path in catalogue_files(language)],
    ids=lambda path: "/".join(path.parts[-3:]),
)
def test_no_catalogue_repeats_a_key(path: Path) -> None:
    pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))
    assert all(isinstance(text, str) for _, text in pairs)


def meant(topic: str, language: str) -> dict[str, list[str]]:
    """The keys of a topic by what their texts say, whatever they begin and end with."""
    found: dict[str, list[str]] = {}
    named = (
        FOLDER / language / f"{topic}.json",
        PACKAGE / "games" / topic / f"locale/{language}.json",
    )
    path = next(path for path in named if path.exists())
    for key, text in json.loads(path.read_text(encoding="utf-8")).items():
        found.setdefault(text.casefold().strip(" .:!…"), []).append(key)
    return found


@pytest.mark.parametrize("topic", ["common", "clever", "climb"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_and_the_terminal_repeat_no_word_of_the_games(topic: str, language: str) -> None:
    of_games = meant(topic, language)
    for other in ("page", "cli", "server"):
        own = meant(other, language)
        assert {text: own[text] for text in own.keys() & of_games.keys()} == {}


def test_the_page_repeats_nothing_that_the_terminal_says_in_every_language() -> None:
    repeated = [
        {
            (page, cli)
            for text, pages in meant("page", language).items()
            for page in pages
            for cli in meant("cli", language).get(text, ())
        }
        for language in LANGUAGES
    ]
    assert set.intersection(*repeated) <= {
        ("page.points", "cli.simulate.axis_points"),
        ("page.player.you", "cli.play.you"),
        ("page.seat.me", "cli.play.you"),
        # a button and its typed command
        *((f"page.{word}", f"cli.play.word.{word}") for word in ("hint", "undo", "rules")),
    }


def test_every_lazy_message_has_its_text() -> None:
    calls = [
        (path.name, node.args[0], {keyword.arg for keyword in node.keywords})
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "lazy_message"
    ]
    keys = [
        (where, str(key.value), values)
        for where, key, values in calls
        if isinstance(key, ast.Constant)
    ]
    assert len(keys) > 80
    for where, key, values in keys:
        assert placeholders(texts("en")[key]) == values, (where, key)


def test_one_has_its_own_text() -> None:
    translate = catalogue("en")
    assert translate("common.points", count=1) == "1 point"
    assert translate("common.points", count=2) == "2 points"


@pytest.mark.parametrize(
    ("language", "large", "aligned", "share"),
    [
        ("de", "1.234.567,5", "  -0,25", "12,5 %"),
        ("en", "1,234,567.5", "  -0.25", "12.5%"),
        ("nl", "1.234.567,5", "  -0,25", "12,5%"),
    ],
)
def test_numbers_have_the_signs_of_a_language(
    language: str, large: str, aligned: str, share: str
) -> None:
    translate = catalogue(language)
    assert format_number(1_234_567.5, ",.1f", translate) == large
    assert format_number(-0.25, "7.2f", translate) == aligned
    assert format_number(0.125, ".1%", translate) == share


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        catalogue("en")("cli.no.such.text")


def test_a_language_we_do_not_speak_is_an_error() -> None:
    with pytest.raises(ValueError, match="no language 'fr'"):
        catalogue("fr")


@pytest.mark.parametrize(
    ("value", "language"),
    [("de_AT.UTF-8", "de"), ("nl_BE", "nl"), ("fr_FR.UTF-8", "en"), ("C", "en")],
)
def test_the_system_decides_the_language(
    monkeypatch: pytest.MonkeyPatch, value: str, language: str
) -> None:
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.delenv("LANG", raising=False)
    monkeypatch.setenv("LC_ALL", value)
    assert system_language() == language
