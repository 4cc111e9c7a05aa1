"""What can be wrong with a move (its text is unreadable, illegal or ambiguous), with a condition, and with what is asked of a position."""

from __future__ import annotations

from collections.abc import Sequence

from foxclover.locale import FALLBACK, Phrase, Say, catalogue

LONGEST_QUOTE = 60


def quote(text: str) -> str:
    """A text as it may be shown: not too long, and without signs that a terminal obeys."""
    shown = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:LONGEST_QUOTE]
    )
    return shown if len(text) <= LONGEST_QUOTE else shown + "…"


class MoveError(ValueError):
    """A text that is no move here. ``legal`` are the texts that would have been; ``line`` is set when it stands in a file."""

    reason = "is no move"

    def __init__(self, text: str, legal: Sequence[str] = (), wanted: Phrase | None = None) -> None:
        self.text = text
        self.legal = tuple(legal)
        self.wanted = wanted  # what was expected, if no moves can be listed
        self.line: int | None = None
        super().__init__(text)

    @property
    def expected(self) -> str:
        """What would have been a move here, in English."""
        return self.expected_in(catalogue(FALLBACK))

    def expected_in(self, say: Say) -> str:
        """The same in a language."""
        return self.wanted.words(say) if self.wanted else ", ".join(self.legal)

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        hint = f"; expected {self.expected}" if self.expected else ""
        return f"{where}{quote(self.text)!r} {self.reason}{hint}"


class UnreadableMove(MoveError):
    """The text is not in the notation at all."""

    reason = "cannot be read"


class IllegalMove(MoveError):
    """The text is in the notation, but no legal move."""

    reason = "is not legal here"


class AmbiguousMove(MoveError):
    """The text is the beginning of more than one legal move, named in ``legal``."""

    reason = "could be more than one move"


class NothingToTakeBack(IndexError):
    """No move was made that could be taken back."""


class UnknownSeat(ValueError):
    """Nobody sits there."""


class ConditionError(ValueError):
    """A condition that cannot be read: where (``column`` counts from 1) and what was ``wanted`` there."""

    def __init__(self, column: int, wanted: Phrase) -> None:
        super().__init__(f"column {column}: expected {wanted}")
        self.column = column
        self.wanted = wanted

    @property
    def expected(self) -> str:
        """What was wanted, in English."""
        return str(self.wanted)
