"""The style checker finds old forms, with line and better form, and no others."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = runpy.run_path(str(ROOT / "tools" / "check_style.py"))
INDEXES = {"docs/README.md"}  # lists of other pages


def found(text: str, kind: str = "docs", path: str = "") -> list[tuple[int, str]]:
    """Return line and form of each problem."""
    return [(problem.line, problem.found) for problem in TOOL["check_text"](text, kind, path)]


@pytest.mark.parametrize(
    ("sentence", "form"),
    [
        ("This page tells what the messages mean.", "tells"),
        ("The mask stands in the observation.", "stands"),
        ("Whoever rolls adds a salt.", "Whoever"),
        ("Agents of one's own are sent too.", "one's"),
        ("The code lets one watch.", "lets one watch"),
        ("A player keeps his token.", "his"),
        ("A call lets go of the lock.", "lets"),
        ("It is refused if somebody sits there.", "somebody"),
        ("The error was mended later.", "mended"),
        ("The game goes\non after a break.", "goes on"),
        ("All dice are sealed.", "sealed"),
        ("It is worth 3 points at Doppelt so clever.", "at Doppelt so clever"),
        ("Keep everything, save the log.", "save the"),
    ],
)
def test_an_old_form_is_found_with_a_better_one(sentence: str, form: str) -> None:
    problems = TOOL["check_text"](f"# Title\n\n{sentence}\n", "docs")
    assert form in [problem.found for problem in problems]
    assert all(problem.line == 3 and problem.better for problem in problems)


@pytest.mark.parametrize(
    "text",
    [
        "The theme here is that other one.",  # he, his and one inside of other words
        "Save the transcript first.",
        "`tells` and `let` are code.",
        "```text\nwhoever tells\n```",
        "The order comes from the sheet. W stands for any colour.",
        "| a | b |\n| -- | -- |\n| one | two |",
    ],
)
def test_ordinary_words_and_code_pass(text: str) -> None:
    assert not found(text)


def test_problems_have_the_line_of_paragraph_cell_and_list_item() -> None:
    text = "One line.\nIt tells.\n\n| a | b |\n| -- | -- |\n| x | it tells |\n\n- fine\n- told\n"
    assert found(text) == [(2, "tells"), (6, "tells"), (9, "told")]


def test_long_sentences_and_stacked_semicolons_are_found() -> None:
    words = " ".join(["word"] * 25)
    assert not found(f"{words}. {words}.")
    assert not found(f"A `{words}` is one word, and so is a [{words[:9]}](link.md).")
    assert found(f"Short.\n{words} more.") == [(2, "word word word word word ...")]
    assert not found("This is one; that is two.")
    assert len(found("This is one; that is two; this is three.")) == 1


def test_docstrings_and_comments_are_checked_and_code_is_not() -> None:
    text = '"""Tell it."""\n\n\ndef told(he):\n    """Return ``tells``.\n\n    It tells.\n    """\n'
    text += "    let = 'whoever'  # it stands\n    # and\n    # told\n"
    assert found(text, "code") == [(1, "Tell"), (7, "tells"), (9, "stands"), (11, "told")]


def test_texts_of_a_catalogue_are_checked_without_keys_and_placeholders() -> None:
    text = '{\n  "page.told": "{name} rolls.",\n  "page.b": "Whoever rolls wins."\n}\n'
    assert found(text, "catalogue") == [(3, "Whoever")]


def test_a_form_can_be_limited_to_places_and_files() -> None:
    assert not found('"""The seal of a draw."""\n', "code")
    assert found("The server serves pages.")
    assert not found("# Serve until stopped.\n", "code", "src/foxclover/server/http/run.py")


def test_exceptions_name_files_that_exist() -> None:
    skipped = {path for form in TOOL["FORMS"] for path in form.skip}
    longer = {path for path in TOOL["RULES"]["longest"] if "." in path}
    assert not [path for path in skipped | longer if not (ROOT / path).exists()]


def test_every_place_has_files() -> None:
    for globs in TOOL["PLACES"].values():
        assert all([*ROOT.glob(glob)] for glob in globs)


def test_the_command_prints_file_line_and_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("It is right.\n", encoding="utf-8")
    assert TOOL["main"]([str(page)]) == 0
    page.write_text("It is right.\nIt tells more.\n", encoding="utf-8")
    assert TOOL["main"]([str(page)]) == 1
    assert f"{page}:2: tells: show, list" in capsys.readouterr().out


@pytest.mark.parametrize(
    "page",
    [
        page
        for glob in ("docs/*.md", "bench/*.md", "web/README.md", "CONTRIBUTING.md")
        for page in sorted(ROOT.glob(glob))
        if page.relative_to(ROOT).as_posix() not in INDEXES
    ],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_a_page_first_names_its_readers_and_what_they_can_do_after_it(page: Path) -> None:
    start = page.read_text(encoding="utf-8").splitlines()[2:10]
    assert re.search(r"\b[Ff]or [A-Za-z]", start[0])
    assert "After this page you" in " ".join(start)
