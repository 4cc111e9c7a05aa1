"""Output in every encoding: nothing raises, and what cannot be shown has an ASCII form."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import foxclover
from cli.conftest import Run
from foxclover.cli.output import HANDLER, SIGNS, in_ascii
from foxclover.locale import LANGUAGES, texts

ENCODINGS = ("ascii", "cp1252", "latin-1", "cp437", "utf-8")
SOURCES = Path(foxclover.__file__).parent


def narrow(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take an encoding for the standard streams.

    In the test itself, as pytest brings its own ones after each fixture.
    """
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(
            sys, name, io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
        )


def printed(stream: str = "stdout") -> str:
    wrapper = getattr(sys, stream)
    wrapper.flush()
    text: str = wrapper.buffer.getvalue().decode(wrapper.encoding)
    return text


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_and_complaints_are_printed_in_every_encoding(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str, encoding: str
) -> None:
    narrow(encoding, monkeypatch)
    with pytest.raises(SystemExit):
        run("--help", "--lang", language)
    assert "foxclover" in printed()
    assert run("replay", "M\udcffhle\u2603.txt", "--lang", language) == 2
    assert "hle" in printed("stderr")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("key", ["ganz", "doppelt", "geht"])
def test_a_game_is_drawn_in_every_encoding(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str, encoding: str
) -> None:
    assert (
        run(
            "simulate",
            key,
            "--seats",
            "random,greedy",
            "--games",
            1,
            "--seed",
            1,
            "--workers",
            1,
            "--transcripts",
            tmp_path,
        )
        == 0
    )
    file = min(tmp_path.glob("*.txt"))
    file.write_text(
        file.read_text(encoding="utf-8").replace("players: random, greedy", "players: Jörg, Łucja"),
        encoding="utf-8",
    )
    narrow(encoding, monkeypatch)
    assert run("replay", file, "--lang", "de") == 0
    shown = printed()
    assert ("Jörg" if encoding != "ascii" else "Joerg") in shown
    assert run("replay", file, "--json") == 0
    assert {score["player"] for score in json.loads(printed().removeprefix(shown))["scores"]} == {
        "Jörg",
        "Łucja",
    }


def test_every_sign_of_our_texts_and_drawings_has_an_ascii_form() -> None:
    used = {sign for language in LANGUAGES for text in texts(language).values() for sign in text}
    for file in (
        *SOURCES.glob("cli/*.py"),
        *SOURCES.glob("*/drawing.py"),
        *SOURCES.glob("*/words.py"),
    ):
        used |= set(file.read_text(encoding="utf-8"))
    assert {sign for sign in used - {"?"} if in_ascii(sign) == "?"} == set()
    assert all(form.isascii() for form in SIGNS.values())
    assert "7 × 3 ± 1 ●".encode("ascii", HANDLER) == b"7 x 3 +- 1 o"


def test_the_command_itself_prints_where_python_would_raise(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(
        "Fox & Clover transcript 1\ngame: ganz\nplayers: Jörg\ndice: typed\n", encoding="utf-8"
    )
    for encoding in ("ascii", "cp1252"):
        done = subprocess.run(
            [sys.executable, "-m", "foxclover", "replay", str(file)],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert "Joerg" in done.stdout.decode(encoding).replace("ö", "oe")
