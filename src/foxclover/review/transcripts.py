"""Which texts can be reviewed: transcripts of games that are over."""

from __future__ import annotations

from foxclover import notation

LARGEST = 1 << 20  # characters: no game comes near


class NotReviewable(ValueError):
    """A text that is no finished game; ``reason`` is "large" or "unfinished"."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"this cannot be reviewed: {reason}")


def read_finished(text: str) -> notation.Transcript:
    """Read and replay the transcript of a finished game; raises what ``notation.read`` raises, or ``NotReviewable``."""
    if len(text) > LARGEST:
        raise NotReviewable("large")
    transcript = notation.read(text)
    if not transcript.position.over:
        raise NotReviewable("unfinished")
    return transcript
