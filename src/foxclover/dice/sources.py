"""Where rolls come from: a seed, the operating system, typed in by hand, or scripted."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from foxclover.errors import MoveError
from foxclover.game import CHANCE, Move, Position
from foxclover.rng import seed_rng

__all__ = [
    "CHANCE",
    "Dice",
    "fresh_seed",
    "record",
    "recorded",
    "rolled_again",
    "scripted",
    "seeded",
    "system",
    "typed",
]


class Dice(Protocol):
    """Makes the moves of chance."""

    def draw(self, position: Position) -> Move:
        """The chance move for a position that waits for one."""


class seeded:  # noqa: N801 - read as a phrase: dice = seeded(7)
    """The same seed gives the same game; ``stream`` tells apart the games of one batch, as in batches."""

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.seed = seed
        self.rng = [0, 0, 0, 0]
        seed_rng(self.rng, seed, stream)

    def draw(self, position: Position) -> Move:
        """Draw with the generator all reproducible games share."""
        return position.draw(self.rng)


class system:  # noqa: N801
    """Fresh randomness of the operating system for every move: nobody can know it before."""

    def draw(self, position: Position) -> Move:
        """Draw with a generator seeded for this one move."""
        rng = [secrets.randbits(32) for _ in range(4)]
        return position.draw(rng)


class typed:  # noqa: N801
    """Dice rolled by hand on a real table and typed in: ``ask`` is called until its answer fits, ``tell`` with what was wrong before."""

    def __init__(
        self, ask: Callable[[Position], str], tell: Callable[[MoveError], None] | None = None
    ) -> None:
        self.ask = ask
        self.tell = tell

    def draw(self, position: Position) -> Move:
        """Ask for the roll; raises ``IllegalMove`` when none is due."""
        while True:
            try:
                return position.parse(self.ask(position), CHANCE)
            except MoveError as error:
                if not position.chance_due:
                    raise
                if self.tell:
                    self.tell(error)


class scripted:  # noqa: N801
    """A list of rolls, for tests and worked examples."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts: Iterator[str] = iter(texts)

    def draw(self, position: Position) -> Move:
        """The next text of the script; raises ``ValueError`` behind the last one."""
        text = next(self.texts, None)
        if text is None:
            raise ValueError("the script has no more rolls")
        return position.parse(text, CHANCE)


class recorded:  # noqa: N801
    """The rolls of another game, each in its round at its place in the order, where they fit; else others."""

    def __init__(self, script: str, otherwise: Dice) -> None:
        self.texts = dict(line.split(" ", 1) for line in script.splitlines())
        self.otherwise = otherwise
        self.round = self.drawn = 0  # in this round, so far

    def draw(self, position: Position) -> Move:
        """The roll of this round and place, if there is one that may fall here."""
        if position.state.round != self.round:
            self.round, self.drawn = position.state.round, 0
        self.drawn += 1
        text = self.texts.get(f"{self.round}.{self.drawn}")
        if text is not None:
            try:
                return position.parse(text, CHANCE)
            except MoveError:
                pass
        return self.otherwise.draw(position)


def record(position: Position) -> str:
    """The rolls of a game, with the round and the place in it of each."""
    lines, shown, drawn = [], 0, 0
    for before, move in position.history():
        if move.seat == CHANCE:
            shown, drawn = before.round, (drawn if before.round == shown else 0) + 1
            lines.append(f"{shown}.{drawn} {move.text}")
    return "\n".join(lines)


def rolled_again(whole: Position, so_far: Position) -> recorded:
    """The rolls of a whole game for one that has come so far; fresh ones where they do not fit."""
    dice = recorded(record(whole), seeded(fresh_seed()))
    replay = so_far.game.start(so_far.players, so_far.variant)
    for move in so_far.moves_made:
        if move.seat == CHANCE:
            dice.draw(replay)
        replay.push_unchecked(move)
    return dice


def fresh_seed() -> int:
    """A seed nobody chose."""
    return secrets.randbits(32)
