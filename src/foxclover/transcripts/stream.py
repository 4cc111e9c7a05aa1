"""Files of many games: one transcript behind another, read one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from foxclover.core.errors import MoveError, expect_type
from foxclover.transcripts.format import Transcript, TranscriptError
from foxclover.transcripts.reading import ANY_TITLE, BYTE_ORDER_MARK, read

Problem = MoveError | TranscriptError


class Part(NamedTuple):
    """The text of a game in a file of several, and the number of its first line."""

    first_line: int
    text: str


def split_games(lines: Iterable[str]) -> Iterator[Part]:
    """Split the lines of a file at the titles of its games; only one game is in memory.

    Blank lines and comments before the first title are skipped.
    """
    if isinstance(lines, str):
        expect_type(list, lines, "games are split from lines or an open file")
    part: list[str] = []
    first = 1
    for number, line in enumerate(lines, start=1):
        bare = line.removeprefix(BYTE_ORDER_MARK)
        if bare.startswith(ANY_TITLE):
            if "".join(part).strip():
                yield Part(first, "".join(part))
            part, first = [], number
        if part or (bare.strip() and not bare.startswith("#")):
            part.append(line if line.endswith("\n") else line + "\n")
        else:
            first = number + 1
    if part:
        yield Part(first, "".join(part))


def read_games(
    lines: Iterable[str], on_error: Callable[[Problem], None] | None = None
) -> Iterator[Transcript]:
    """Read and replay the games of a file, such as ``open(path)``, one at a time.

    A wrong game raises what ``read`` raises; with ``on_error`` it is reported and skipped.
    """
    for part in split_games(lines):
        try:
            yield read(part.text, first_line=part.first_line)
        except (MoveError, TranscriptError) as error:
            if on_error is None:
                raise
            on_error(error)
