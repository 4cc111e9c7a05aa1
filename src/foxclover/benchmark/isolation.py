"""Custom agents in a process of their own, so that a time limit can end them."""

from __future__ import annotations

import sys
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from foxclover.ai.custom_agents import CustomAgent, CustomAgentError
from foxclover.core.game import Game
from foxclover.core.position import Position

START_SECONDS = 600  # for imports and nets
SECONDS = 60.0  # for a decision


def isolated(name: str, seconds: float = SECONDS) -> type[IsolatedAgent]:
    """Return the class of a custom agent, ``module:Class``, that runs in a process of its own."""
    return type(name, (IsolatedAgent,), {"agent": name, "seconds": seconds})


class IsolatedAgent:
    """Pass questions on to an agent in another process; end it when an answer takes too long."""

    agent = ""
    seconds = SECONDS

    def __init__(self, game: Game) -> None:
        context = get_context("spawn")
        self.connection, far = context.Pipe()
        self.process = context.Process(target=_answer, args=(far, self.agent, game), daemon=True)
        self.process.start()
        far.close()
        self._receive(START_SECONDS)

    def reset(self, seed: int) -> None:
        """Start a new game."""
        self._ask("reset", seed)

    def choose(self, position: Position, seat: int) -> int:
        """Return the number of the chosen move."""
        number: int = self._ask("choose", position, seat)
        return number

    def __del__(self) -> None:
        if process := getattr(self, "process", None):
            process.kill()

    def _ask(self, *question: Any) -> Any:
        self.connection.send(question)
        return self._receive(self.seconds)

    def _receive(self, seconds: float) -> Any:
        if not self.connection.poll(seconds):
            self.process.kill()
            raise CustomAgentError(f"{self.agent} took longer than {seconds:g} seconds")
        try:
            answer, problem = self.connection.recv()
        except EOFError:
            self.process.join()
            raise CustomAgentError(
                f"the process of {self.agent} ended with code {self.process.exitcode}"
            ) from None
        if problem:
            raise CustomAgentError(problem)
        return answer


def _answer(connection: Connection, name: str, game: Game) -> None:
    """Answer the questions of ``IsolatedAgent`` until it closes the connection."""
    sys.stdout = sys.stderr  # the results go to standard output
    try:
        player = CustomAgent(name, game)
        connection.send((None, ""))
        while True:
            method, *arguments = connection.recv()
            if method == "reset":
                player.reset(*arguments)
                connection.send((None, ""))
            else:
                connection.send((player.choose(*arguments).number, ""))
    except CustomAgentError as error:
        connection.send((None, str(error)))
    except (EOFError, KeyboardInterrupt):
        pass
