"""Editing, history and completion of typed lines by readline, where standard input is a terminal.

Pipes, and systems without readline, read plain lines.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from foxclover import Position
from foxclover.cli.reading import shown_text, uniform
from foxclover.cli.saves import data_folder
from foxclover.locale import Translator

MOST_LINES = 500  # of the history
SETTINGS = (
    "tab: complete",
    "set show-all-if-ambiguous on",
    "set enable-bracketed-paste off",  # its codes would be read aloud by screen readers
    "set bell-style none",
)
LIBEDIT_SETTINGS = ("bind ^I rl_complete",)


def _load() -> ModuleType | None:
    """Return readline where lines are typed at a terminal, else None."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        return import_module("readline")  # Windows has none
    except ImportError:
        return None


class LineEditor:
    """Read lines; Tab completes one of the texts that ``offer`` returns."""

    def __init__(self, offer: Callable[[], Iterable[str]]) -> None:
        self.offer = offer
        self.found: list[str] = []
        self.readline = _load()
        if self.readline:
            self._set_up(self.readline)

    def _set_up(self, readline: ModuleType) -> None:
        is_libedit = "libedit" in (readline.__doc__ or "")  # as on macOS
        for setting in LIBEDIT_SETTINGS if is_libedit else SETTINGS:
            readline.parse_and_bind(setting)
        readline.set_completer_delims("")  # a move may contain blanks
        readline.set_completer(self.complete)
        readline.set_auto_history(False)
        readline.set_history_length(MOST_LINES)
        readline.clear_history()
        with suppress(OSError):
            readline.read_history_file(_history_file())

    def complete(self, text: str, number: int) -> str | None:
        """Return the offered text with a number that starts with what was typed."""
        if number == 0:
            typed = uniform(text)
            self.found = [whole for whole in self.offer() if uniform(whole).startswith(typed)]
        return self.found[number] if number < len(self.found) else None

    def read(self, prompt: str) -> str:
        """Read a line and keep it in the history."""
        text = input(prompt).strip()
        if self.readline and text:
            self.readline.add_history(text)
            with suppress(OSError):  # the history is only a convenience
                _history_file().parent.mkdir(parents=True, exist_ok=True)
                self.readline.write_history_file(_history_file())
        return text


def move_editor(
    position: Position, seat: int, words: Iterable[str], translate: Translator
) -> LineEditor:
    """Return an editor that completes the legal moves of a seat, and words."""
    moves = [shown_text(move, position, translate) for move in position.legal_moves(seat)]
    offered = [*dict.fromkeys(moves), *words]
    return LineEditor(lambda: offered)


def _history_file() -> Path:
    return data_folder() / "history"
