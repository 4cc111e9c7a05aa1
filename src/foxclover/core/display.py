"""Colours (``#rrggbb``) and a grid of character cells to draw on.

``rich`` draws tables and progress bars of the command line. A grid stays plain Python: the library
and the browser draw sheets without a terminal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from itertools import groupby
from math import dist
from operator import itemgetter
from typing import TypedDict

WHITE = "#ffffff"
DARK_TONE = 0.2  # of a background, for dark text on it
CUBE = (0, 95, 135, 175, 215, 255)  # steps of the colours 16 to 231 of a terminal
GREYS = range(8, 239, 10)  # the colours 232 to 255 of a terminal
LIGHTEST_TEXT, DARKEST_TEXT = 0.5, 0.12  # luminance that is readable on light and dark screens
RED, GREEN, DARK = "#d70000", "#00af5f", "#303030"

PLAIN = ""
BOLD = "1"
FAINT = "2"
UNDERLINED = "4"

Channels = tuple[int, int, int]
Box = tuple[int, int, int]  # row, column and width of cells in a grid


class Swatch(TypedDict):
    """A colour of a game."""

    name: str
    colour: str
    ink: str  # foreground that is readable on it


def _channels(colour: str) -> Channels:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = _linear(_channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(colour: Channels) -> tuple[float, ...]:
    return tuple(((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in colour)


def _oklab(colour: Channels) -> tuple[float, ...]:
    """Return the OKLab coordinates of a colour, where similar colours are near each other."""
    red, green, blue = _linear(colour)
    long = (0.4122 * red + 0.5363 * green + 0.0514 * blue) ** (1 / 3)
    middle = (0.2119 * red + 0.6807 * green + 0.1074 * blue) ** (1 / 3)
    short = (0.0883 * red + 0.2817 * green + 0.6300 * blue) ** (1 / 3)
    return (
        0.2105 * long + 0.7936 * middle - 0.0041 * short,
        1.9780 * long - 2.4286 * middle + 0.4506 * short,
        0.0259 * long + 0.7828 * middle - 0.8087 * short,
    )


def _contrast(colour: str, other: str) -> float:
    dark, light = sorted((_luminance(colour), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def foreground_on(background: str) -> str:
    """Return a readable foreground: white, or a dark tone of the background."""
    dark = _scaled(background, DARK_TONE)
    return max((WHITE, dark), key=lambda colour: _contrast(colour, background))


@cache
def readable_colour(colour: str) -> str:
    """Return the colour for text on a screen that may be light or dark."""
    for _ in range(8):
        light = _luminance(colour)
        if light > LIGHTEST_TEXT:
            colour = _scaled(colour, 0.85)
        elif light < DARKEST_TEXT:
            colour = _hex(channel + (255 - channel) // 4 for channel in _channels(colour))
    return colour


def _scaled(colour: str, by: float) -> str:
    return _hex(round(channel * by) for channel in _channels(colour))


@cache
def nearest_terminal_colour(colour: str) -> int:
    """Return the nearest of a terminal's 256 colours, without the first 16 that users choose."""
    wanted = _oklab(_channels(colour))
    return min(_palette().items(), key=lambda item: dist(item[1], wanted))[0]


@cache
def _palette() -> Mapping[int, tuple[float, ...]]:
    cube = {
        16 + 36 * r + 6 * g + b: _oklab((CUBE[r], CUBE[g], CUBE[b]))
        for r in range(6)
        for g in range(6)
        for b in range(6)
    }
    return cube | {232 + index: _oklab((grey, grey, grey)) for index, grey in enumerate(GREYS)}


def swatches(colours: Mapping[str, str]) -> list[Swatch]:
    """Return colours by name, each with a readable foreground."""
    return [
        {"name": name, "colour": colour, "ink": foreground_on(colour)}
        for name, colour in colours.items()
    ]


def _hex(channels: Iterable[int]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def filled(background: str) -> str:
    """Return the style of a cell with a coloured background."""
    return _style(background, foreground_on(background))


def coloured(colour: str) -> str:
    """Return the style of text in a colour."""
    return f"38;5;{nearest_terminal_colour(readable_colour(colour))};1"


def struck(colour: str) -> str:
    """Return the style of a cross in a colour on a dark background."""
    return _style(DARK, colour)


def _style(background: str, foreground: str) -> str:
    colours = map(nearest_terminal_colour, (background, foreground))
    return "48;5;{};38;5;{};1".format(*colours)


TARGET = f"{filled(WHITE)};{UNDERLINED}"


class TextGrid:
    """A growing grid of characters, each with a style: an ANSI code, or nothing.

    ``boxes`` contains the places of things, by a name of the family. ``targets`` lists the boxes
    that a legal move touches, by the number of the move.
    """

    def __init__(self) -> None:
        self.rows: list[list[tuple[str, str]]] = []
        self.boxes: dict[Hashable, Box] = {}
        self.targets: dict[int, list[Box]] = {}

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The length of the longest row."""
        return max(map(len, self.rows), default=0)

    def put(self, row: int, column: int, text: str, style: str = PLAIN) -> int:
        """Write a text and return the column after it."""
        while len(self.rows) <= row:
            self.rows.append([])
        line = self.rows[row]
        line.extend([(" ", PLAIN)] * (column + len(text) - len(line)))
        line[column : column + len(text)] = [(character, style) for character in text]
        return column + len(text)

    def add(self, text: str = "", style: str = PLAIN) -> None:
        """Append a row with a text."""
        self.put(self.height, 0, text, style)

    def paste(self, other: TextGrid, row: int, column: int) -> None:
        """Copy another grid onto this one."""
        for down, line in enumerate(other.rows):
            self.put(row + down, column, " " * len(line))
            self.rows[row + down][column : column + len(line)] = line
        for name, (top, left, width) in other.boxes.items():
            self.boxes[name] = (row + top, column + left, width)

    def text(self, coloured: bool) -> str:
        """Return the text to print."""
        return "\n".join(_line(line, coloured) for line in self.rows)


def _line(line: list[tuple[str, str]], coloured: bool) -> str:
    runs = (
        (style, "".join(character for character, _ in cells))
        for style, cells in groupby(line, itemgetter(1))
    )
    return "".join(
        f"\x1b[{style}m{text}\x1b[0m" if style and coloured else text for style, text in runs
    ).rstrip()
