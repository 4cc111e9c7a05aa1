"""Agents of one's own, ``module:Class``, at a table and in many games at once: docs/research.md tells how to write one.

An agent is made with the game it is to play, ``Class(game)``, and has ``choose(position, seat)``, or ``rate(position, seat)`` with a number
for each legal move, or ``choose_many(positions, seats)`` for several positions at once. What it chooses is a ``Move``, its number or its
text. ``reset(seed)``, if there is one, is called before each game, so that what it draws at random can be repeated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from foxclover.accounts import Result
from foxclover.chance import seeded
from foxclover.game import Game, Move, MoveError, Position
from foxclover.kernel.link import link

Maker = Callable[[Game], Any]
"""Makes an agent for a game: usually its class."""

TOGETHER = 64  # games played side by side where an agent chooses for many positions at once


class OwnAgentError(RuntimeError):
    """An agent of one's own that cannot be found, fails or answers nonsense."""


def label(agent: str | Maker) -> str:
    """What an agent is called."""
    return agent if isinstance(agent, str) else str(getattr(agent, "__name__", type(agent).__name__))


def find(name: str) -> Maker:
    """Import ``module:Class``; modules are also looked for in the current folder."""
    module_name, _, class_name = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        maker = getattr(import_module(module_name), class_name)
    except AttributeError:
        raise OwnAgentError(f"the module {module_name} has no {class_name!r}") from None
    except Exception as error:
        raise OwnAgentError(f"the module {module_name!r} cannot be imported: {_told(error)}") from error
    if not callable(maker):
        raise OwnAgentError(f"{name} is no class: an agent is made by calling it with a game")
    found: Maker = maker
    return found


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


class OwnAgent:
    """An agent of one's own, held to the rules."""

    def __init__(self, agent: str | Maker, game: Game) -> None:
        self.name = label(agent)
        self.inner = self._ask("cannot be made", find(agent) if isinstance(agent, str) else agent, game)
        kinds = ("choose", "rate", "choose_many")
        self.kind = next((kind for kind in kinds if callable(getattr(self.inner, kind, None))), "")
        if callable(getattr(self.inner, "choose_many", None)):
            self.kind = "choose_many"
        if not self.kind:
            raise OwnAgentError(f"{self.name} is no agent: it has none of {', '.join(kinds)}")

    def _ask(self, failing: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:
            raise OwnAgentError(f"{self.name} {failing}: {_told(error)}") from error

    def reset(self, seed: int) -> None:
        """Begin a new game."""
        if hasattr(self.inner, "reset"):
            self._ask("fails in reset", self.inner.reset, seed)

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        return self.choose_many([position], [seat])[0]

    def choose_many(self, positions: Sequence[Position], seats: Sequence[int]) -> list[Move]:
        """Choose a legal move in each position."""
        if self.kind == "choose_many":
            answers = self._ask("fails in choose_many", self.inner.choose_many, positions, seats)
            if not hasattr(answers, "__len__") or len(answers) != len(positions):
                raise OwnAgentError(f"{self.name} chose {answers!r} for {len(positions)} positions")
        else:
            choose = self._best if self.kind == "rate" else self.inner.choose
            answers = [self._ask(f"fails in {self.kind}", choose, *asked) for asked in zip(positions, seats, strict=True)]
        return [self._legal(*answer) for answer in zip(answers, positions, seats, strict=True)]

    def _best(self, position: Position, seat: int) -> Move:
        moves, ratings = position.legal_moves(seat), [float(rating) for rating in self.inner.rate(position, seat)]
        if len(ratings) != len(moves):
            raise ValueError(f"{len(ratings)} ratings for {len(moves)} legal moves")
        return moves[ratings.index(max(ratings))]

    def _legal(self, answer: Any, position: Position, seat: int) -> Move:
        numbers = position.legal_numbers(seat)
        number = answer.number if isinstance(answer, Move) else answer
        if isinstance(answer, str):
            try:
                return position.parse(answer, seat)
            except MoveError as error:
                raise OwnAgentError(f"{self.name} chose {answer!r}: {error}") from None
        if isinstance(number, bool) or not hasattr(number, "__index__") or int(number) not in numbers:
            texts = ", ".join(move.text for move in position.legal_moves(seat))
            raise OwnAgentError(f"{self.name} chose {answer!r}, which is no legal move; seat {seat + 1} may choose {texts}")
        return position.move(seat, int(number))


class OwnRoom:
    """A place to play games in CPython, move by move, with agents of one's own on some seats."""

    def __init__(self, game: Game, seats: Sequence[str | Maker], variant: int) -> None:
        from foxclover.ai import agent

        self.game, self.players, self.variant = game, len(seats), variant
        made = {name: OwnAgent(name, game) if not isinstance(name, str) or ":" in name else agent(name, game, 0) for name in set(seats)}
        self.agents: list[Any] = [made[name] for name in seats]
        self.together = TOGETHER if any(getattr(player, "kind", "") == "choose_many" for player in self.agents) else 1
        self.functions = link(game.family)
        self.stopped = False
        self.done: list[Result] = []
        self.last = game.start(self.players, variant)

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""
        self.done = []
        for start in range(first, first + count, self.together):
            games = range(start, min(start + self.together, first + count))
            for player in {id(player): player for player in self.agents}.values():
                player.reset((seed << 32) + start)
            positions = [self.game.start(self.players, self.variant) for _ in games]
            if not self._play_together(positions, [seeded(seed, number) for number in games]):
                return
            for position in positions:
                result = Result()
                self.functions.write_result(self.game.book.tables, position.state, result)
                self.done.append(result)
            self.last = positions[-1]

    def _play_together(self, positions: list[Position], dice: list[seeded]) -> bool:
        """Play to the end, all games side by side; tell whether it was reached."""
        while not self.stopped:
            waiting: dict[int, list[Position]] = {}
            for position, rolls in zip(positions, dice, strict=True):
                while position.chance_due:
                    position.roll(rolls)
                if position.acting:
                    waiting.setdefault(position.acting[0], []).append(position)
            if not waiting:
                return True
            for seat, asked in waiting.items():
                for position, move in zip(asked, self._choose(asked, seat), strict=True):
                    position.push_unchecked(move)
        return False

    def _choose(self, positions: list[Position], seat: int) -> list[Move]:
        player = self.agents[seat]
        if isinstance(player, OwnAgent):
            return player.choose_many(positions, [seat] * len(positions))
        return [player.choose(position, seat) for position in positions]

    @property
    def played(self) -> int:
        """How many games were played to their end."""
        return len(self.done)

    def results(self) -> Any:
        """What came of them, as an array of ``Result``."""
        from foxclover.kernel.arrays import to_array

        return to_array(Result, *self.done)

    def set_stop(self, stop: bool) -> None:
        """End soon, or not; may be called from any thread."""
        self.stopped = stop

    def replay(self) -> Position:
        """The last game, move by move."""
        return self.last
