"""The game in the whole terminal, by Textual (the extra ``terminal``).

``session`` runs the game of the line mode in a thread, ``scene`` is what it shows, ``app`` and
``widgets`` draw that and take keys and mouse, ``curve`` draws the review.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec

LEAST_COLUMNS, LEAST_LINES = 100, 30


def is_possible() -> bool:
    """Return whether standard input and output are a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def is_large_enough() -> bool:
    """Return whether everything fits."""
    columns, lines = shutil.get_terminal_size()
    return columns >= LEAST_COLUMNS and lines >= LEAST_LINES


def is_installed() -> bool:
    """Return whether Textual is installed."""
    return find_spec("textual") is not None
