"""The user's data folder, and the saved games in it.

A saved game is a transcript, written after every move, so that an interrupted game loses nothing.
"""

from __future__ import annotations

import os
import time
from itertools import chain, count
from pathlib import Path

from foxclover.cli.arguments import file_errors
from foxclover.locale import Translator

SUFFIX = ".txt"


def data_folder() -> Path:
    """Return the user's folder for saved games and tables; it need not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("foxclover", appauthor=False)


def saves_folder() -> Path:
    """Return the folder of games saved without a file name."""
    return data_folder() / "games"


def new_file(game: str) -> Path:
    """Return an unused file name for a game that starts now."""
    stem = saves_folder() / f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    paths = (Path(f"{stem}{end}{SUFFIX}") for end in chain([""], (f"-{n}" for n in count(2))))
    return next(path for path in paths if not path.exists())


def newest_first() -> list[Path]:
    """Return all saved games, the last changed one first."""
    return sorted(
        saves_folder().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns, reverse=True
    )


def write(path: Path, text: str, translate: Translator) -> None:
    """Replace the content of a file atomically: a crash leaves the old or the new one."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with file_errors("write", path, translate):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
