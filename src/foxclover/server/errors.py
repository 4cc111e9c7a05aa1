"""The two ways to say no: to a message, and to starting at all. Both carry a sentence of the catalogue."""

from __future__ import annotations

from foxclover.locale import Say
from foxclover.review.transcripts import NotReplayable
from foxclover.server.reason import Reason

TRANSCRIPT: dict[str, Reason] = {
    "large": "too_long",
    "foreign": "foreign_transcript",
    "version": "other_transcript",
    "game": "unknown_transcript",
    "damaged": "damaged_transcript",
}
"""Why a text is refused, by what is wrong with it."""


class StartError(Exception):
    """The server cannot start; the catalogue's sentence ``key`` says why and what to do."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def words(self, say: Say) -> str:
        """Return the sentence."""
        return say(self.key, **self.values)


class RefusalError(Exception):
    """A message is refused and has changed nothing."""

    def __init__(self, reason: Reason, **values: object) -> None:
        super().__init__(reason, values)
        self.reason = reason
        self.values = values

    def words(self, say: Say) -> str:
        """Return the sentence for the person."""
        return say(f"server.refused.{self.reason}", **self.values)


def refused_text(error: NotReplayable) -> RefusalError:
    """What is said to somebody whose text is no game."""
    return RefusalError(TRANSCRIPT[error.reason], line=error.line)
