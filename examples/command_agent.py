"""Ask any command for moves: it reads a prompt on standard input and prints a move.

    export AGENT_COMMAND="llm -m some-model"
    foxclover benchmark command_agent:CommandAgent --games 5 --observation text --seconds 300

An illegal answer is sent back with the reason, twice. Then the run ends with a sentence.
"""

from __future__ import annotations

import os
import shlex
import subprocess

from foxclover import Game, MoveError, Position
from foxclover.envs.text import describe_decision, describe_rules, read_answer

ATTEMPTS = 3


class CommandAgent:
    """Ask the command in the variable AGENT_COMMAND for every move."""

    def __init__(self, game: Game) -> None:
        self.command = shlex.split(os.environ.get("AGENT_COMMAND", ""))
        if not self.command:
            raise ValueError("name a command in the variable AGENT_COMMAND")
        self.rules = describe_rules(game)

    def choose(self, position: Position, seat: int) -> object:
        """Return the move that the command prints."""
        prompt, problem = f"{self.rules}\n\n{describe_decision(position, seat)}", ""
        for _ in range(ATTEMPTS):
            answer = subprocess.run(
                self.command, input=prompt + problem, capture_output=True, text=True, check=True
            ).stdout
            try:
                return read_answer(answer, position, seat)
            except MoveError as error:
                problem = f"\n\nYou answered: {answer.strip()}\n{error}"
        raise ValueError(f"no legal move in {ATTEMPTS} answers, the last one was {answer!r}")
