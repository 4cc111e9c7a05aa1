"""Colours as sheets and decks name them (``#rrggbb``): what ink can be read on them, and which of a terminal's come nearest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import dist
from typing import TypedDict

WHITE = "#ffffff"
DARK_INK = 0.2  # of the colour it stands on
CUBE = (0, 95, 135, 175, 215, 255)  # steps of the colours 16 to 231 of a terminal
GREYS = range(8, 239, 10)  # its colours 232 to 255
LIGHTEST_LETTERS, DARKEST_LETTERS = (
    0.5,
    0.12,
)  # letters that can be read on a light and on a dark screen

Channels = tuple[int, int, int]


class Paint(TypedDict):
    """A colour of a game."""

    name: str
    colour: str
    ink: str  # what can be read on it


def channels(colour: str) -> Channels:
    """Red, green and blue from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """How light a colour is to the eye, from 0 to 1."""
    red, green, blue = light_of(channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def light_of(colour: Channels) -> tuple[float, ...]:
    """How much light each channel gives, from 0 to 1."""
    return tuple(((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in colour)


def seen(colour: Channels) -> tuple[float, ...]:
    """Lightness and two hues (OKLab): colours that look alike lie near each other."""
    red, green, blue = light_of(colour)
    long = (0.4122 * red + 0.5363 * green + 0.0514 * blue) ** (1 / 3)
    middle = (0.2119 * red + 0.6807 * green + 0.1074 * blue) ** (1 / 3)
    short = (0.0883 * red + 0.2817 * green + 0.6300 * blue) ** (1 / 3)
    return (
        0.2105 * long + 0.7936 * middle - 0.0041 * short,
        1.9780 * long - 2.4286 * middle + 0.4506 * short,
        0.0259 * long + 0.7828 * middle - 0.8087 * short,
    )


def contrast(one: str, other: str) -> float:
    """How well one colour can be read on another, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def ink_on(ground: str) -> str:
    """What can be read on a colour: white, or a dark tone of it."""
    dark = scaled(ground, DARK_INK)
    return max((WHITE, dark), key=lambda ink: contrast(ink, ground))


@cache
def letters_of(colour: str) -> str:
    """The colour for letters on a screen that may be light or dark."""
    for _ in range(8):
        light = luminance(colour)
        if light > LIGHTEST_LETTERS:
            colour = scaled(colour, 0.85)
        elif light < DARKEST_LETTERS:
            colour = _written(channel + (255 - channel) // 4 for channel in channels(colour))
    return colour


def scaled(colour: str, by: float) -> str:
    """The same colour, darker."""
    return _written(round(channel * by) for channel in channels(colour))


@cache
def nearest(colour: str) -> int:
    """The nearest of the 256 colours that practically every terminal has, without the first 16, which users choose."""
    wanted = seen(channels(colour))
    return min(_palette().items(), key=lambda item: dist(item[1], wanted))[0]


@cache
def _palette() -> dict[int, tuple[float, ...]]:
    cube = {
        16 + 36 * r + 6 * g + b: seen((CUBE[r], CUBE[g], CUBE[b]))
        for r in range(6)
        for g in range(6)
        for b in range(6)
    }
    return cube | {232 + index: seen((grey, grey, grey)) for index, grey in enumerate(GREYS)}


def painted(colours: Mapping[str, str]) -> list[Paint]:
    """Colours by name, with what can be read on them."""
    return [
        {"name": name, "colour": colour, "ink": ink_on(colour)} for name, colour in colours.items()
    ]


def _written(channels: Iterable[int]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in channels)
