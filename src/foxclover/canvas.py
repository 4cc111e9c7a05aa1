"""A sheet of character cells to draw on, printed with colours or without."""

from __future__ import annotations

import os
import sys
from typing import TextIO

# Colour of the ground, and of ink on it, in the palette of 256 that practically every terminal has.
GROUNDS = {
    "yellow": (220, 16),
    "blue": (32, 231),
    "green": (35, 231),
    "orange": (208, 16),
    "purple": (97, 231),
    "white": (255, 16),
    "silver": (249, 16),
    "pink": (205, 16),
    "red": (160, 231),
    "black": (236, 231),
    "target": (231, 16),
}
INKS = {
    "yellow": 178,
    "blue": 32,
    "green": 35,
    "orange": 208,
    "purple": 134,
    "white": 245,
    "silver": 246,
    "pink": 205,
    "red": 160,
    "black": 244,
}
PLAIN = ""


def filled(colour: str) -> str:
    """Style: ink on a ground of that colour."""
    ground, ink = GROUNDS[colour]
    return f"48;5;{ground};38;5;{ink};1"


def inked(colour: str) -> str:
    """Style: letters of that colour."""
    return f"38;5;{INKS[colour]};1"


def struck(colour: str) -> str:
    """Style: a cross of that colour on a dark ground."""
    return f"48;5;{GROUNDS['black'][0]};38;5;{GROUNDS[colour][0]};1"


BOLD = "1"
FAINT = "2"
UNDERLINED = "4"
TARGET = f"{filled('target')};{UNDERLINED}"


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
    parts: list[str] = []
    current = PLAIN
    for character, style in line[:end]:
        if style != current:
            parts.append(("\x1b[0m" if current else "") + (f"\x1b[{style}m" if style else ""))
            current = style
        parts.append(character)
    return "".join(parts) + ("\x1b[0m" if current else "")


def wants_colour(stream: TextIO = sys.stdout) -> bool:
    """Colours are for terminals, unless the user says NO_COLOR, and for whoever says FORCE_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
