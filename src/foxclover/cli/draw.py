"""``foxclover draw``: a picture of a position."""

from __future__ import annotations

from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from foxclover.cli.arguments import file_errors, number, read_situation
from foxclover.cli.parser import Parser, UserError
from foxclover.locale import Translator

KINDS = (".svg", ".png")
SCALE = 2  # pixels of a unit, in PNG


def add_draw(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("file", metavar="FILE|POSITION", help=translate("cli.draw.file"))
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=translate("cli.draw.out")
    )
    parser.add_argument(
        "--seat", type=number(translate, 1), metavar="N", help=translate("cli.draw.seat")
    )


def run_draw(args: Namespace, translate: Translator) -> int:
    """Write a picture of a position, or of the end of a transcript."""
    kind = args.out.suffix.lower()
    if kind not in KINDS:
        raise UserError(translate("cli.draw.kind", file=args.out))
    position, _ = read_situation(args.file, translate)
    if args.seat is not None and args.seat > position.players:
        raise UserError(translate("cli.draw.no_seat", seat=args.seat, count=position.players))
    svg = position.svg(None if args.seat is None else args.seat - 1, translate)
    with file_errors("write", args.out, translate):
        args.out.write_bytes(svg.encode() if kind == ".svg" else to_png(svg))
    print(translate("cli.draw.written", file=args.out))
    return 0


def to_png(svg: str) -> bytes:
    """Return a picture as PNG; needs the extra ``pictures``.

    matplotlib's fonts make it the same on every machine, also where there are no fonts.
    """
    import resvg_py

    found = find_spec("matplotlib")
    if found is None:
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    folders = [Path(folder) for folder in found.submodule_search_locations or ()]
    fonts = [str(folder / "mpl-data" / "fonts" / "ttf") for folder in folders]
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, zoom=SCALE, skip_system_fonts=True, font_dirs=fonts)
    )
