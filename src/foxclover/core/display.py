"""A sheet of character cells to draw on, printed with colours or without."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from foxclover.colours import ink_on, letters_of, nearest

RED, GREEN, DARK, LIGHT = (
    "#d70000",
    "#00af5f",
    "#303030",
    "#ffffff",
)  # of signs; sheets and decks bring the colours of their dice
PLAIN = ""
BOLD = "1"
FAINT = "2"
UNDERLINED = "4"


def filled(ground: str) -> str:
    """Style: ink that can be read on a ground of that colour."""
    return _style(ground, ink_on(ground))


def inked(colour: str) -> str:
    """Style: letters of that colour."""
    return f"38;5;{nearest(letters_of(colour))};1"


def struck(colour: str) -> str:
    """Style: a cross of that colour on a dark ground."""
    return _style(DARK, colour)


def _style(ground: str, ink: str) -> str:
    return f"48;5;{nearest(ground)};38;5;{nearest(ink)};1"


TARGET = f"{filled(LIGHT)};{UNDERLINED}"


class Canvas:
    """Grows as it is written on; every character has a style (an ANSI code, or nothing)."""

    def __init__(self) -> None:
        self.rows: list[list[tuple[str, str]]] = []

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """How long the longest row is."""
        return max(map(len, self.rows), default=0)

    def put(self, row: int, column: int, text: str, style: str = PLAIN) -> int:
        """Write ``text`` and return the column behind it."""
        while len(self.rows) <= row:
            self.rows.append([])
        line = self.rows[row]
        line.extend([(" ", PLAIN)] * (column + len(text) - len(line)))
        line[column : column + len(text)] = [(character, style) for character in text]
        return column + len(text)

    def add(self, text: str = "", style: str = PLAIN) -> None:
        """Write ``text`` on a row of its own below all others."""
        self.put(self.height, 0, text, style)

    def paste(self, other: Canvas, row: int, column: int) -> None:
        """Lay another canvas on this one."""
        for down, line in enumerate(other.rows):
            self.put(row + down, column, " " * len(line))
            self.rows[row + down][column : column + len(line)] = line

    def text(self, coloured: bool) -> str:
        """What to print."""
        return "\n".join(_line(line, coloured) for line in self.rows)


def _line(line: list[tuple[str, str]], coloured: bool) -> str:
    if not coloured:
        return "".join(character for character, _ in line).rstrip()
    end = len(line)
    while end and line[end - 1] == (" ", PLAIN):
        end -= 1
    pieces: list[str] = []
    current = PLAIN
    for character, style in line[:end]:
        if style != current:
            pieces.append(("\x1b[0m" if current else "") + (f"\x1b[{style}m" if style else ""))
            current = style
        pieces.append(character)
    return "".join(pieces) + ("\x1b[0m" if current else "")


def wants_colour(stream: TextIO | None = None) -> bool:
    """Colours are for terminals, unless the user says NO_COLOR, and for whoever says FORCE_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (
        (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"
    )
