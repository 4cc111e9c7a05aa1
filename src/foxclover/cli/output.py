"""Output in the terminal: progress, colour, and an ASCII form of what it cannot encode.

rich draws progress bars, but does not replace characters that an encoding lacks.
"""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from typing import Self

HANDLER = "foxclover.ascii"
UNKNOWN = "?"
SIGNS = {  # signs of drawings keep their width, so that columns stay aligned
    "─": "-",
    "│": "|",
    "█": "#",
    "░": ".",
    "·": ".",
    "●": "o",
    "○": ".",
    "■": "#",
    "✕": "x",
    "×": "x",
    "♦": "&",
    "♣": "%",
    "✦": "^",
    "↻": "@",
    "↩": "<",
    "→": ">",
    "↘": "\\",
    "›": "*",
    "»": ">",
    "≥": ">",
    "Σ": "=",
    "−": "-",
    "–": "-",
    "—": "-",
    "±": "+-",
    "✓": "+",
    "✗": "x",
    "…": "...",
    "„": '"',
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "ß": "ss",
}


def in_ascii(sign: str) -> str:
    """Return the ASCII form of a sign: from the table, without accents, or a question mark."""
    if sign in SIGNS:
        return SIGNS[sign]
    return (
        "".join(part for part in unicodedata.normalize("NFKD", sign) if part.isascii()) or UNKNOWN
    )


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(in_ascii, error.object[error.start : error.end])), error.end


codecs.register_error(HANDLER, _replace)


def print_anything() -> None:
    """Make standard output and error encode every text, and standard input decode any."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def can_be_printed(text: str) -> bool:
    """Return whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def wants_colour() -> bool:
    """Return whether standard output shows colours: NO_COLOR, FORCE_COLOR and TERM decide first."""
    from rich.console import Console

    console = Console()
    return console.color_system is not None and not console.no_color


class Progress:
    """A progress bar on standard error, only in a terminal.

    ``with Progress(games) as bar: bar.advance(100)``
    """

    def __init__(self, total: int, label: str = "") -> None:
        self.total = max(total, 1)
        self.done = 0.0
        self.bar = None
        if sys.stderr.isatty():
            from rich import progress
            from rich.console import Console

            self.bar = progress.Progress(
                progress.TextColumn("{task.description}", markup=False),
                progress.BarColumn(30),
                progress.TaskProgressColumn(),
                progress.TimeRemainingColumn(),
                progress.TextColumn("{task.fields[note]}", markup=False),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,  # results may go to a pipe meanwhile
                redirect_stderr=False,
            )
            self.task = self.bar.add_task(label, total=self.total, note="")

    def __enter__(self) -> Self:
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def advance(self, steps: float, note: str = "") -> None:
        """Count ``steps`` more of the total as done; a ``note`` is shown behind the bar."""
        self.done += steps
        if self.bar:
            self.bar.advance(self.task, steps)
            if note:
                self.bar.update(self.task, note=note)
