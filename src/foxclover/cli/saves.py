"""Saved games: a transcript, written anew after every move, so that an interrupted game loses nothing."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from foxclover.cli.errors import UserError
from foxclover.cli.folders import data_folder
from foxclover.locale import Say

SUFFIX = ".txt"


def saves_folder() -> Path:
    """Where games are saved when the user names no file."""
    return data_folder() / "games"


def new_file(game: str) -> Path:
    """Return a name nobody has used for a game that begins now."""
    stem = f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    number, path = 1, saves_folder() / f"{stem}{SUFFIX}"
    while path.exists():
        number += 1
        path = saves_folder() / f"{stem}-{number}{SUFFIX}"
    return path


def newest_first() -> list[Path]:
    """All saved games, the one touched last first."""
    return sorted(
        saves_folder().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns, reverse=True
    )


def write(path: Path, text: str, say: Say) -> None:
    """Replace the file by ``text`` in one step: whatever ends the program leaves the old one or the new one."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise UserError(say("cli.error.write", file=path, why=error.strerror)) from None
