"""``foxclover sheet``: checks a sheet of a Clever game and says what is in it and what is wrong with it."""

from __future__ import annotations

from foxclover.cli.book_file import add_checker
from foxclover.cli.parser import Commands
from foxclover.locale import Say


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    add_checker(commands, say, "sheet")
