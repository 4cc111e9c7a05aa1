"""The game in a real terminal of 80x24.

A program behind a pseudo terminal, and what a person sees of it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

from foxclover.cli.reading import shown_text
from foxclover.core.game import game, game_names
from foxclover.dice.sources import seeded
from foxclover.locale import catalogue, texts

COLUMNS, LINES = 80, 24
PATIENCE = 60.0  # seconds until an answer must be there


class Terminal:
    """A program at a terminal."""

    def __init__(self, *words: str, home: Path) -> None:
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "XDG_DATA_HOME": str(home),
            "LC_ALL": "C.UTF-8",
        }
        environment.pop("COLUMNS", None)
        environment.pop("LINES", None)
        command = [sys.executable, "-m", "foxclover", *words]
        self.program = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, text: str, end: str = "\n") -> None:
        """Type a line."""
        os.write(self.ours, (text + end).encode())

    def lines(self, until: str) -> list[str]:
        """What can be seen when the line of the cursor has come to look so."""
        started = time.monotonic()
        while not re.search(until, self.screen.display[self.screen.cursor.y].rstrip() + "¶"):
            assert time.monotonic() - started < PATIENCE, "\n".join(self.screen.display)
            if select.select([self.ours], [], [], 0.1)[0]:
                try:
                    self.stream.feed(os.read(self.ours, 65536))
                except OSError:  # the program has gone
                    break
        return [line.rstrip() for line in self.screen.display]

    def close(self) -> None:
        """End the program, if it has not ended by itself."""
        self.program.kill()
        self.program.wait()
        os.close(self.ours)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


@pytest.mark.parametrize("key", game_names())
def test_dice_sheet_question_and_moves_are_on_the_screen_together(
    terminals: list[Terminal], tmp_path: Path, key: str
) -> None:
    words = ("play", key, "--players", "Ada,Bo:greedy,Cy:greedy", "--seed", "5", "--lang", "de")
    terminal = Terminal(*words, home=tmp_path)
    terminals.append(terminal)
    for step in range(12):
        lines = terminal.lines(r"^Ada >¶|rückgängig >¶")
        heads = [number for number, line in enumerate(lines) if line.startswith("── Ada · Runde ")]
        assert heads, f"after {step} steps:\n" + "\n".join(lines)
        below = lines[heads[-1] :]
        # the sheet or the lowest level is visible
        assert any(line.startswith((" Grün", " 1 ×1 │")) for line in below)
        if lines[terminal.screen.cursor.y] == "Ada >":
            assert re.search(r"\d", below[1])  # the dice
            prompts = [text for key, text in texts("de").items() if ".prompt." in key]
            (asked,) = [
                number
                for number, line in enumerate(below)
                if any(line.startswith(text.partition("{")[0]) for text in prompts)
            ]
            assert any(re.search(r"(^| )1 \S", line) for line in below[asked + 1 :])  # the moves
            terminal.type("1")
        else:
            terminal.type("")
        terminal.screen.reset()


def test_control_d_leaves_a_saved_game_without_an_error(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    terminal = Terminal(
        "play", "ganz", "--seed", "5", "--players", "Ada", "--lang", "en", home=tmp_path
    )
    terminals.append(terminal)
    terminal.lines(r"^Ada >¶")
    terminal.type("\x04", end="")
    seen = terminal.lines("never")
    assert any("The game is saved" in line for line in seen)
    assert terminal.program.wait() == 0


def test_long_texts_stop_page_by_page(terminals: list[Terminal], tmp_path: Path) -> None:
    terminal = Terminal(
        "play", "ganz", "--seed", "5", "--players", "Ada", "--lang", "en", home=tmp_path
    )
    terminals.append(terminal)
    terminal.lines(r"^Ada >¶")
    terminal.type("rules")
    assert terminal.lines("q: quit")[0].startswith("── ")
    terminal.type("q")
    terminal.lines(r"Ada >¶")


def test_what_is_typed_between_two_pages_is_done_and_long_lines_break_between_words(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    terminal = Terminal(
        "play", "ganz", "--seed", "5", "--players", "Ada", "--lang", "de", home=tmp_path
    )
    terminals.append(terminal)
    terminal.lines(r"^Ada >¶")
    terminal.type("regeln")
    terminal.lines("q: beenden")
    terminal.type("hilfe")
    seen = terminal.lines(r"^Ada >¶")
    assert "Ada > hilfe" in seen
    shown = " ".join(word for line in seen for word in line.split())
    assert texts("de")["cli.play.does.why"] in shown
    terminal.type("unsinn")
    seen = terminal.lines(r"^Ada >¶")
    assert "\n  " in "\n".join(seen).rpartition("„unsinn“")[2], "a sentence longer than a line"


def completed(seed: int) -> tuple[str, str]:
    """A move of the first roll of a seed, and a shorter text that only it starts with."""
    position, translate = game("ganz-schoen-clever").start(1), catalogue("en")
    position.roll(seeded(seed))
    texts = [shown_text(move, position, translate) for move in position.legal_moves(0)]
    return next(
        (whole, whole[:-1])
        for whole in texts
        if sum(text.startswith(whole[:-1]) for text in texts) == 1
    )


def test_tab_completes_commands_and_moves_and_arrow_up_brings_lines_back(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    words = ("play", "ganz", "--seed", "5", "--players", "Ada", "--lang", "en")
    terminal = Terminal(*words, home=tmp_path)
    terminals.append(terminal)
    terminal.lines(r"^Ada >¶")
    terminal.type("hist\t", end="")
    terminal.lines(r"^Ada > history¶")
    terminal.type("")
    terminal.lines(r"^Ada >¶")
    whole, start = completed(5)
    terminal.type(f"{start}\t", end="")
    terminal.lines(rf"^Ada > {re.escape(whole)}¶")
    terminal.type("\x15\x1b[A", end="")  # deletes the line, then arrow up
    terminal.lines(r"^Ada > history¶")
    terminal.type("\x04", end="\x15\x04")
    terminal.lines("never")

    again = Terminal(*words, home=tmp_path)
    terminals.append(again)
    again.lines(r"^Ada >¶")
    again.type("\x1b[A", end="")
    again.lines(r"^Ada > history¶")
