"""Which texts can be reviewed: transcripts of games that are over."""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from foxclover import notation
from foxclover.errors import MoveError
from foxclover.game import UnknownGame, games

LARGEST = 1 << 20  # characters: no game comes near
LINK = re.compile(
    r"https?://\S+#([\w-]+)", re.ASCII
)  # a transcript behind "#", deflated, in base64url


class NotReviewable(ValueError):
    """A text that is no finished game; ``reason`` is "large" or "unfinished"."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"this cannot be reviewed: {reason}")


class NotReplayable(ValueError):
    """A text from outside that is no game; ``reason`` is "large", "link", "foreign", "version", "game", or "damaged" with a ``line``."""

    def __init__(self, reason: str, line: int = 0) -> None:
        self.reason = reason
        self.line = line
        super().__init__(reason, line)


def read_finished(text: str) -> notation.Transcript:
    """Read and replay the transcript of a finished game; raises what ``notation.read`` raises, or ``NotReviewable``."""
    if len(text) > LARGEST:
        raise NotReviewable("large")
    transcript = notation.read(text)
    if not transcript.position.over:
        raise NotReviewable("unfinished")
    return transcript


def read_for_others(text: str) -> notation.Transcript:
    """Read and replay a transcript that somebody sent, of a game on the shelf; opens no file that it names. Raises ``NotReplayable``."""
    if len(text) > LARGEST:
        raise NotReplayable("large")
    text = text.removeprefix("\ufeff").strip()
    title = text.partition("\n")[0].strip()
    if not title.startswith(notation.ANY_TITLE):
        raise NotReplayable("foreign")
    if title != notation.TITLE:
        raise NotReplayable("version")
    try:
        return notation.read(text, shelf=games())
    except UnknownGame:
        raise NotReplayable("game") from None
    except (MoveError, notation.TranscriptError) as error:
        raise NotReplayable("damaged", error.line or 0) from None


def text_in_link(link: str) -> str:
    """The transcript that a link carries; raises ``NotReplayable``."""
    found = LINK.fullmatch(link.strip())
    if found is None or len(found[1]) > LARGEST:
        raise NotReplayable("link")
    code, unpacker = found[1], zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = unpacker.decompress(
            base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), LARGEST + 1
        ).decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise NotReplayable("link") from None
    if not unpacker.eof:
        raise NotReplayable("link")
    return text
