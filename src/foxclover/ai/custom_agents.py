"""Custom agents, ``module:Class``, at a table and in many games at once.

``docs/research.md`` explains how to write one. An agent is created with its game, ``Class(game)``.
It has one of these methods:

- ``choose(position, seat)``: a ``Move``, its number or its text.
- ``rate(position, seat)``: a number for each legal move.
- ``rank(position, seat)``: the moves, the best first.
- ``choose_many(positions, seats)``: choices for several positions at once.

An optional ``reset(seed)`` is called before each game and makes random choices repeatable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Any, cast

from foxclover.ai import Ranked
from foxclover.core.errors import MoveError
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position

AgentFactory = Callable[[Game], Any]
"""Creates an agent for a game: usually its class."""


class CustomAgentError(RuntimeError):
    """A custom agent is missing, fails or returns an invalid answer."""


def label(agent: str | AgentFactory) -> str:
    """Return the name of an agent."""
    return (
        agent if isinstance(agent, str) else str(getattr(agent, "__name__", type(agent).__name__))
    )


def find(name: str) -> AgentFactory:
    """Import ``module:Class``, from the current folder too."""
    module_name, _, class_name = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        raise CustomAgentError(
            f"the module {module_name!r} cannot be imported: {_describe(error)}"
        ) from error
    maker = getattr(module, class_name, None)
    if maker is None:
        raise CustomAgentError(f"the module {module_name} has no {class_name!r}")
    if not callable(maker):
        raise CustomAgentError(f"{name} is no class: an agent is made by calling it with a game")
    return cast(AgentFactory, maker)


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


class CustomAgent:
    """A custom agent whose answers are checked."""

    def __init__(self, agent: str | AgentFactory, game: Game) -> None:
        self.name = label(agent)
        self.inner = self._ask(
            "cannot be made", find(agent) if isinstance(agent, str) else agent, game
        )
        kinds = ("choose_many", "choose", "rate", "rank")
        self.kind = next((kind for kind in kinds if callable(getattr(self.inner, kind, None))), "")
        if not self.kind:
            raise CustomAgentError(f"{self.name} is no agent: it has none of {', '.join(kinds)}")

    def _ask(self, failing: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except CustomAgentError:  # of an agent in another process
            raise
        except (Exception, SystemExit) as error:
            raise CustomAgentError(f"{self.name} {failing}: {_describe(error)}") from error

    def reset(self, seed: int) -> None:
        """Start a new game."""
        if hasattr(self.inner, "reset"):
            self._ask("fails in reset", self.inner.reset, seed)

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        return self.choose_many([position], [seat])[0]

    def choose_many(self, positions: Sequence[Position], seats: Sequence[int]) -> list[Move]:
        """Choose a legal move in each position; the agent gets copies to experiment with."""
        shown = [position.copy() for position in positions]
        if self.kind == "choose_many":
            answers = self._ask("fails in choose_many", self.inner.choose_many, shown, seats)
            if not hasattr(answers, "__len__") or len(answers) != len(positions):
                raise CustomAgentError(
                    f"{self.name} chose {answers!r} for {len(positions)} positions"
                )
        else:
            choose = {"rate": self._best, "rank": self._first}.get(self.kind) or self.inner.choose
            answers = [
                self._choose(choose, *asked) for asked in zip(shown, seats, positions, strict=True)
            ]
        return [self._legal(*answer) for answer in zip(answers, positions, seats, strict=True)]

    def _choose(
        self, choose: Callable[..., Any], shown: Position, seat: int, position: Position
    ) -> Any:
        """Ask for a choice; an error gets the position as a note, to set it up again."""
        try:
            return self._ask(f"fails in {self.kind}", choose, shown, seat)
        except CustomAgentError as error:
            if error.__cause__:
                error.__cause__.add_note(f"seat {seat} of the position: {position.text}")
            raise

    def _best(self, position: Position, seat: int) -> Move:
        moves = position.legal_moves(seat)
        ratings = [float(rating) for rating in self.inner.rate(position, seat)]
        if len(ratings) != len(moves):
            raise ValueError(f"{len(ratings)} ratings for {len(moves)} legal moves")
        if any(isnan(rating) for rating in ratings):
            raise ValueError("a rating is no number")
        return moves[ratings.index(max(ratings))]

    def _first(self, position: Position, seat: int) -> Any:
        best = self.inner.rank(position, seat)[0]
        return best.move if isinstance(best, Ranked) else best

    def _legal(self, answer: Any, position: Position, seat: int) -> Move:
        numbers = position.legal_numbers(seat)
        number = answer.number if isinstance(answer, Move) else answer
        if isinstance(answer, str):
            try:
                return position.parse(answer, seat)
            except MoveError as error:
                raise CustomAgentError(f"{self.name} chose {answer!r}: {error}") from None
        if (
            isinstance(number, bool)
            or not hasattr(number, "__index__")
            or int(number) not in numbers
        ):
            texts = ", ".join(move.text for move in position.legal_moves(seat))
            raise CustomAgentError(
                f"{self.name} chose {answer!r}, which is no legal move; "
                f"player {seat + 1} may choose {texts}"
            )
        return position.move(seat, int(number))
