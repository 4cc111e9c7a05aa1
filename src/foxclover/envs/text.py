"""Text in, text out: an environment for language models, with the rules as prompt.

>>> env = TextEnv("ganz")
>>> prompt = env.reset(seed=1)
>>> reply = env.step("reroll")
>>> reply.illegal, reply.over
(False, False)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from foxclover.ai import agent
from foxclover.core.errors import MoveError
from foxclover.core.game import Game, game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.dice.sources import SEEDS, fresh_seed, seeded
from foxclover.locale import catalogue, sections

ANSWER = "Answer with the notation of one legal move on the last line, and nothing else there."


class Reply(NamedTuple):
    """What the environment answers to a move."""

    text: str
    reward: float  # points gained since the last decision
    over: bool
    illegal: bool  # the answer was no legal move, and nothing changed


def describe_rules(played: Game) -> str:
    """Return the rules of a game in English."""
    found = sections("en", f"rules.{played.key}", f"rules.{played.family}")
    return "\n\n".join([f"# {played.name}", *(f"## {title}\n{text}" for _, title, text in found)])


def describe_decision(position: Position, seat: int) -> str:
    """Return the position, what is expected of a seat, and its legal moves."""
    words = catalogue("en")
    moves = [f"{move.text}: {move.words(words)}" for move in position.legal_moves(seat)]
    who = f"You are player {seat + 1} of {position.players}."
    return "\n".join(
        [
            str(position),
            "",
            who,
            position.prompt(seat, words),
            "",
            "Legal moves:",
            *moves,
            "",
            ANSWER,
        ]
    )


def read_answer(answer: str, position: Position, seat: int) -> Move:
    """Return the move on the last line of an answer; raise ``MoveError``."""
    lines = [line.strip(" \t`*.\"'") for line in answer.splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    named = re.sub(r"^(answer|move)\s*:\s*", "", last, flags=re.IGNORECASE)
    return position.parse(named, seat)


class TextEnv:
    """One seat of a game as text; computer players have the other seats."""

    def __init__(self, played: str | Game, opponents: Sequence[str] = (), seat: int = 0) -> None:
        self.game = played if isinstance(played, Game) else game(played)
        if not 0 <= seat <= len(opponents):
            raise ValueError(f"seat {seat} does not exist with {len(opponents)} opponents")
        self.seat = seat
        names = [*opponents[:seat], "", *opponents[seat:]]
        self.names = dict(enumerate(names))
        self.reset()

    def reset(self, seed: int | None = None, number: int = 0) -> str:
        """Start a game of a seed; return the rules and the first decision."""
        seed = fresh_seed() if seed is None else seed
        self.position = self.game.start(len(self.names))
        self.dice = seeded(seed, number)
        self.players = {
            seat: agent(name, self.game, (seed + number) % SEEDS)
            for seat, name in self.names.items()
            if name
        }
        self.points = 0
        self._continue()
        return f"{describe_rules(self.game)}\n\n{self.describe()}"

    def step(self, answer: str) -> Reply:
        """Make a move; an illegal answer changes nothing and gets the reason."""
        if self.position.over:
            raise ValueError("the game is over: call reset")
        try:
            move = read_answer(answer, self.position, self.seat)
        except MoveError as error:
            return Reply(f"{error}\n\n{self.describe()}", 0.0, False, True)
        self.position.push(move)
        self._continue()
        before, self.points = self.points, self.position.score(self.seat)
        return Reply(self.describe(), float(self.points - before), bool(self.position.over), False)

    def _continue(self) -> None:
        """Roll, and make the moves of others, until this seat decides."""
        position = self.position
        while not position.over:
            if position.chance_due:
                position.roll(self.dice)
            elif position.acting[0] == self.seat:
                return
            else:
                seat = position.acting[0]
                position.push(self.players[seat].choose(position, seat))

    def describe(self) -> str:
        """Return the decision of this seat, or the final points."""
        if not self.position.over:
            return describe_decision(self.position, self.seat)
        scores = ", ".join(
            f"player {seat + 1}: {self.position.score(seat)}"
            for seat in range(self.position.players)
        )
        return f"{self.position}\n\nThe game is over. Points: {scores}."
