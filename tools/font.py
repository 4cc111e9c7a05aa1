"""Makes the font of the page from the whole one.

``npm pack @expo-google-fonts/nunito@0.4.2``, unpack that, ``pip install "fonttools[woff]"``, then
``python tools/font.py package``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[1] / "web" / "src" / "fonts"
WEIGHTS = {400: "400Regular", 700: "700Bold"}
# ASCII, the letters of Western Europe, and the signs in our texts
CHARACTERS = [
    *range(0x20, 0x7F),
    *range(0xC0, 0x100),
    *map(ord, "\xa0«±·»–—‘’‚“”„…›−≥Σ"),
]
# The font leaves more room than its letters need: lines would be cut where rows are low.
ASCENT, DESCENT = 930, 230  # of 1000
NAMES = [0, 1, 2, 13, 14]  # copyright, names and licence


def make(source: Path, target: Path) -> None:
    """Write the part of a font that the page needs."""
    options = subset.Options(
        flavor="woff2", hinting=False, layout_features=["kern"], name_IDs=NAMES
    )
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    header, system = font["hhea"], font["OS/2"]
    header.ascent = system.sTypoAscender = system.usWinAscent = ASCENT
    header.descent = system.sTypoDescender = -DESCENT
    system.usWinDescent = DESCENT
    header.lineGap = system.sTypoLineGap = 0
    subset.save_font(font, target, options)


if __name__ == "__main__":
    for weight, name in WEIGHTS.items():
        file = FONTS / f"nunito-{weight}.woff2"
        make(Path(sys.argv[1]) / name / f"Nunito_{name}.ttf", file)
        print(f"{file.name}: {file.stat().st_size:,} bytes")
