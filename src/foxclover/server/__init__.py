"""The game in the browser: an authority over tables, their log on disk, and the page."""

from __future__ import annotations

from pathlib import Path

from foxclover.locale import Say
from foxclover.server.errors import StartError

__all__ = ["StartError", "run"]


def run(host: str, port: int, data: Path, open_browser: bool, say: Say) -> None:
    """Serve until stopped by a signal (port 0: any free one); raises ``StartError`` if that cannot begin."""
    from foxclover.server.serving import serve

    serve(host, port, data, open_browser, say)
