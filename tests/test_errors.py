"""Every exception of the package survives pickling.

One that cannot be unpickled breaks the pool of processes it comes from.
"""

from __future__ import annotations

import inspect
import pickle
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import foxclover
from foxclover.cli.reading import NoSuchNumber
from foxclover.core.data_file import DataError, Finding
from foxclover.core.errors import (
    AmbiguousMove,
    ConditionError,
    IllegalMove,
    MoveError,
    UnreadableMove,
)
from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.position_text import PositionError
from foxclover.core.registry import UnknownGame
from foxclover.core.rules import CHANCE
from foxclover.dice.daily import NotOfTheDay
from foxclover.dice.fair import SealError
from foxclover.dice.sources import DrawError
from foxclover.kernel.program import UnsupportedSyntax
from foxclover.locale import LANGUAGES, catalogue, lazy_message
from foxclover.review.transcripts import NotReplayable
from foxclover.server.errors import RefusalError, StartError
from foxclover.simulation.batch import Interrupted, Stopped, Unfinished
from foxclover.transcripts import TranscriptError

# a command, and a module that only a browser can import
ELSEWHERE = {"foxclover.__main__", "foxclover.kernel.javascript"}
FINDING = Finding(3, 1, lazy_message("data.too_deep"), error=True)
EXAMPLES: list[BaseException] = [
    MoveError("y9", ["y>y3a"], lazy_message("expected.nothing")),
    UnreadableMove(
        "?", wanted=lazy_message("expected.card", colour=lazy_message("common.colour.green"))
    ),
    IllegalMove("pass", ["y>y3a", "reroll"]),
    AmbiguousMove("y", ["y>y3a", "y>y3b"]),
    ConditionError(4, lazy_message("expected.die")),
    PositionError(lazy_message("position.no_move"), 1, "stage"),
    UnknownGame("g", ["ganz-schoen-clever", "geht-noch-was"]),
    DataError("sheet.toml", [FINDING, FINDING]),
    TranscriptError(
        7, "bad_definition", file="deck.toml", why=DataError("deck.toml", [FINDING]).words
    ),
    NotReplayable("damaged", 12),
    DrawError("roll", 3, 5, "y1b2"),
    NotOfTheDay("key"),
    SealError("missing", 2, 4, "y1b2"),
    UnsupportedSyntax(Path("rules.py"), 12, "no lambdas"),
    StartError("cli.serve.port", port=8000),
    RefusalError("too_long"),
    Stopped("an agent has failed", None),
    Interrupted(None),
    NoSuchNumber("9", ["y1"]),
    Unfinished("a node was lost", None),
]


def exceptions() -> list[type[BaseException]]:
    """All exception classes of the package."""
    names = [
        name
        for _, name, _ in pkgutil.walk_packages(foxclover.__path__, "foxclover.")
        if name not in ELSEWHERE
    ]
    classes = {
        value
        for name in names
        for value in vars(import_module(name)).values()
        if inspect.isclass(value)
    }
    own = [
        kind
        for kind in classes
        if issubclass(kind, BaseException) and kind.__module__.startswith("foxclover")
    ]
    return sorted(own, key=lambda kind: (kind.__module__, kind.__qualname__))


def described(error: BaseException) -> tuple[object, ...]:
    """What an exception says and holds."""
    return (
        type(error),
        str(error),
        error.args,
        vars(error).keys(),
        [str(value) for value in vars(error).values()],
    )


def again(error: BaseException) -> BaseException:
    """The same exception after a journey to another process."""
    copy: BaseException = pickle.loads(pickle.dumps(error))
    return copy


@pytest.mark.parametrize("kind", exceptions(), ids=lambda kind: kind.__qualname__)
def test_every_exception_survives_pickling(kind: type[BaseException]) -> None:
    examples = [error for error in EXAMPLES if type(error) is kind]
    if kind.__init__ in (base.__init__ for base in kind.__mro__ if base.__module__ == "builtins"):
        examples.append(kind("a sentence"))
    assert examples, f"EXAMPLES has none of {kind.__qualname__}"
    for error in examples:
        error.__dict__["line"] = 5  # as a reader of files adds it
        assert described(again(error)) == described(error)


def test_a_reason_survives_pickling_in_every_language() -> None:
    for error in EXAMPLES:
        copy = again(error)
        for language in LANGUAGES:
            if isinstance(error, MoveError) and isinstance(copy, MoveError):
                assert copy.expected_in(catalogue(language)) == error.expected_in(
                    catalogue(language)
                )
            if isinstance(error, TranscriptError) and isinstance(copy, TranscriptError):
                assert copy.words(catalogue(language)) == error.words(catalogue(language))


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("text", ["?", "begins 1", "7777777", "card 999"])
def test_what_a_position_says_of_a_wrong_roll_survives_pickling(key: str, text: str) -> None:
    position: Position = game(key).start(2)
    with pytest.raises(MoveError) as caught:
        position.parse(text, CHANCE if position.chance_due else 0)
    assert described(again(caught.value)) == described(caught.value)
