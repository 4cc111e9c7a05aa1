"""Pictures as SVG: a small canvas, dice and icons.

The shapes of pips and icons are those of the page, so that nobody needs to distinguish colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WHITE, INK, FAINT, PAPER, CREAM = "#ffffff", "#2a2118", "#8a7d6c", "#fbf3e4", "#fffdf8"
CLOTH, SILVER, CROSS, LINE = "#2f6b45", "#c9ced6", "#1f2f66", "#e2d6c0"
FONTS = "DejaVu Sans, Verdana, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
HEADING = 24  # height of the line above a picture
LETTER = 0.62  # width of a letter, as a share of its size
# Python in the browser has no html.escape.
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})

_LEFT, _MIDDLE, _RIGHT = 27, 50, 73
_CORNERS = [(_LEFT, _LEFT), (_RIGHT, _RIGHT), (_RIGHT, _LEFT), (_LEFT, _RIGHT)]
PIPS: tuple[Sequence[tuple[int, int]], ...] = (
    (),
    [(_MIDDLE, _MIDDLE)],
    _CORNERS[:2],
    [*_CORNERS[:2], (_MIDDLE, _MIDDLE)],
    _CORNERS,
    [*_CORNERS, (_MIDDLE, _MIDDLE)],
    [*_CORNERS, (_LEFT, _MIDDLE), (_RIGHT, _MIDDLE)],
)
SHAPES: Mapping[str, str] = {  # of pips, by colour; round for other colours
    "yellow": '<circle r="9.5"/>',
    "blue": '<rect x="-8.5" y="-8.5" width="17" height="17" rx="3"/>',
    "green": "".join(f'<circle cx="{x}" cy="{y}" r="5.6"/>' for x in (-5, 5) for y in (-5, 5)),
    "orange": '<path d="M0-10.5 10.5 8h-21Z"/>',
    "purple": '<path d="M0-12.5 10.5 0 0 12.5-10.5 0Z"/>',
    "white": '<circle r="7.2" fill="none" stroke="currentColor" stroke-width="5"/>',
    "silver": '<path d="M-5.5-9.6h11L11 0 5.5 9.6h-11L-11 0Z"/>',
    "pink": '<path d="M0 11C-9 4-12-1-10.5-5.5-8.5-10.5-2.5-10.5 0-5 2.5-10.5 8.5-10.5 10.5-5.5 '
    '12-1 9 4 0 11Z"/>',
    "red": '<path d="M0-12 3.2-4.2 11.5-3.6 5.2 1.8 7.2 10 0 5.6-7.2 10-5.2 1.8-11.5-3.6-3.2-4.2Z'
    '"/>',
}


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


class Svg:
    """A picture that grows element by element."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.height = 0.0
        self.elements: list[str] = []

    def add(self, element: str) -> None:
        """Append an element."""
        self.elements.append(element)

    def rect(
        self,
        box: tuple[float, float, float, float],
        fill: str,
        stroke: str = "none",
        radius: float = 6,
        width: float = 1.5,
    ) -> None:
        """Draw a box with round corners: x, y, width and height."""
        x, y, wide, high = box
        self.add(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{radius}" '
            f'fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'
        )

    def circle(self, x: float, y: float, r: float, fill: str, stroke: str = "none") -> None:
        """Draw a disc."""
        self.add(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" stroke="{stroke}" '
            'stroke-width="1.5"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: object,
        size: float = 14,
        fill: str = INK,
        anchor: str = "middle",
    ) -> None:
        """Write a text around a point, or from or up to it."""
        self.add(
            f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" font-size="{size:.1f}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="bold">{str(text).translate(ESCAPES)}</text>'
        )

    def cross(self, x: float, y: float, r: float, stroke: str = CROSS, width: float = 3) -> None:
        """Draw a cross around a point."""
        self.add(
            f'<path d="M{x - r:.1f} {y - r:.1f}L{x + r:.1f} {y + r:.1f}M{x + r:.1f} {y - r:.1f}'
            f'L{x - r:.1f} {y + r:.1f}" stroke="{stroke}" stroke-width="{width}" '
            'stroke-linecap="round" fill="none"/>'
        )

    def icon(self, shape: str, x: float, y: float, size: float, colour: str = INK) -> None:
        """Draw an icon of 24 x 24 around a point, with strokes."""
        scale = size / 24
        self.add(
            f'<g transform="translate({x - size / 2:.1f} {y - size / 2:.1f}) scale({scale:.3f})" '
            f'color="{colour}" stroke="{colour}" fill="none" stroke-width="2" '
            f'stroke-linecap="round" stroke-linejoin="round">{shape}</g>'
        )

    def sign(self, colour: str, x: float, y: float, size: float, fill: str) -> None:
        """Draw the shape of a colour around a point."""
        self.add(
            f'<g transform="translate({x:.1f} {y:.1f}) scale({size / 28:.3f})" color="{fill}" '
            f'fill="{fill}">{SHAPES.get(colour, SHAPES["yellow"])}</g>'
        )

    def die(
        self,
        corner: tuple[float, float],
        size: float,
        paint: tuple[str, str],
        face: int,
        shape: str = "yellow",
    ) -> None:
        """Draw a die from its corner on, in a colour and ink; face 0 shows the sign alone."""
        x, y = corner
        colour, ink = paint
        self.rect((x, y, size, size), colour, mix(colour, INK, 0.35), size * 0.2)
        drawn = SHAPES.get(shape, SHAPES["yellow"])
        pips = (f'<g transform="translate({left} {top})">{drawn}</g>' for left, top in PIPS[face])
        content = (
            "".join(pips) or f'<g transform="translate(50 50) scale(2)" opacity="0.4">{drawn}</g>'
        )
        self.add(
            f'<g transform="translate({x:.1f} {y:.1f}) scale({size / 100:.3f})" fill="{ink}" '
            f'color="{ink}">{content}</g>'
        )

    def pill(self, right: float, y: float, text: object, fill: str, ink: str = WHITE) -> None:
        """Write a text in a rounded box that ends at a point."""
        wide = len(str(text)) * 13 * LETTER + 18
        self.rect((right - wide, y - 11, wide, 22), fill, radius=11)
        self.text(right - wide / 2, y, text, 13, ink)

    def finish(self, title: str, description: str) -> str:
        """Return the picture with its title above it, which screen readers read."""
        height = self.height
        self.text(14, 18, title, 14, FAINT, "start")
        label = title.translate(ESCAPES)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height:.0f}" '
            f'width="{self.width}" height="{height:.0f}" role="img" aria-label="{label}" '
            f'font-family="{FONTS}"><title>{label}</title>'
            f"<desc>{description.translate(ESCAPES)}</desc>"
            f'<rect width="{self.width}" height="{height:.0f}" fill="{PAPER}"/>'
            f"{''.join(self.elements)}</svg>\n"
        )
