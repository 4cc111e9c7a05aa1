"""Errors of moves, conditions and calls of the library."""

from __future__ import annotations

from collections.abc import Sequence

from foxclover.locale import FALLBACK, LazyMessage, Translator, catalogue

LONGEST_QUOTE = 60


def quote(text: str) -> str:
    """Shorten a text and replace its control characters, so that a terminal can show it."""
    shown = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:LONGEST_QUOTE]
    )
    return shown if len(text) <= LONGEST_QUOTE else shown + "…"


class Picklable:
    """A mixin for exceptions whose constructor takes more than a message.

    Unpickling calls the constructor with the message. If that fails in a result of a process pool,
    the pool breaks.
    """

    args: tuple[object, ...]

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(
    kind: type[BaseException], args: tuple[object, ...], attributes: dict[str, object]
) -> BaseException:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


def expect_type(kind: type, value: object, usage: str) -> None:
    """Raise ``TypeError`` with the right usage for a value of another type."""
    if not isinstance(value, kind):
        raise TypeError(f"{usage}, not {value!r}")


class MoveError(Picklable, ValueError):
    """A text that is no move here.

    ``legal`` lists the possible texts; ``line`` is set for a move in a file.
    """

    reason = "is no move"

    def __init__(
        self, text: str, legal: Sequence[str] = (), wanted: LazyMessage | None = None
    ) -> None:
        self.text = text
        self.legal = tuple(legal)
        self.wanted = wanted  # what was expected, if no moves can be listed
        self.line: int | None = None
        super().__init__(text)

    @property
    def expected(self) -> str:
        """The expected moves, in English."""
        return self.expected_in(catalogue(FALLBACK))

    def expected_in(self, translate: Translator) -> str:
        """Describe the expected moves in a language."""
        return self.wanted.words(translate) if self.wanted else ", ".join(self.legal)

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
    """There is no move to undo."""


class UnknownSeat(ValueError):
    """A seat that the table does not have."""


class ConditionError(Picklable, ValueError):
    """An unreadable condition, with its column from 1 on and what was ``wanted`` there."""

    def __init__(self, column: int, wanted: LazyMessage) -> None:
        super().__init__(f"column {column}: expected {wanted}")
        self.column = column
        self.wanted = wanted

    @property
    def expected(self) -> str:
        """The expected text, in English."""
        return str(self.wanted)
