"""The benchmark: tasks with frozen seeds, whose results others can check (docs/benchmark.md)."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from foxclover.core.game import Game, game, game_names

PROTOCOL = 1
SEEDS = {"report": 331_001, "holdout": 331_002}
"""Frozen: publish results of ``report``, tune on neither."""
DECISIONS = "decisions"  # the name of a decision set where results name a set of games
GAMES = 1000  # of a result, with each opponent
OPPONENTS = ("greedy", "medium", "net")
PLAYERS = (1, 2, 4)
VERSION = "v1"
BUDGETS = {"1M": 1_000_000, "100M": 100_000_000}
"""Training budgets in environment steps; more is ``unlimited``."""
FINGERPRINTS = {  # of the rules, actions and observations of version 1
    "doppelt-so-clever": "6ab3e16dcb0c5ba7",
    "ganz-schoen-clever": "f609aa2c9660457c",
    "geht-noch-was": "8218509955d42b17",
}


class UnknownTask(ValueError):
    """No task has this name."""


class Task(NamedTuple):
    """A game and a number of players, under a name with a version."""

    key: str  # of the game
    players: int

    @property
    def name(self) -> str:
        """Return its name: ``ganz-v1`` is solo, ``ganz-2p-v1`` has one opponent."""
        table = f"-{self.players}p" if self.players > 1 else ""
        return f"{self.key.partition('-')[0]}{table}-{VERSION}"

    @property
    def game(self) -> Game:
        """Return its game."""
        return game(self.key)

    @property
    def opponents(self) -> tuple[str, ...]:
        """Return the computer players that fill the other seats, one kind after the other."""
        return OPPONENTS if self.players > 1 else ("",)


def tasks() -> list[Task]:
    """Return all tasks."""
    return [
        Task(key, players) for players in PLAYERS for key in game_names() if key in FINGERPRINTS
    ]


def find_task(name: str) -> Task:
    """Return the task of a name."""
    for task in tasks():
        if task.name == name:
            return task
    raise UnknownTask(f"{name!r} is no task; there are {', '.join(task.name for task in tasks())}")


def budget(steps: int | None) -> str:
    """Return the budget that a number of training steps belongs to."""
    return next(
        (name for name, most in BUDGETS.items() if steps is not None and steps <= most), "unlimited"
    )


def fingerprint(key: str) -> str:
    """Return a digest of what a version freezes: rules, dice, actions, observations.

    It changes if a random game is played differently, or if an action or observed number changes.
    """
    from foxclover import transcripts
    from foxclover.simulation import batch
    from foxclover.simulation.vector_game import actions, features

    chosen, digest = game(key), hashlib.sha256()
    for players in PLAYERS:
        for kind in ("features", "inputs"):
            seen = features(chosen, players, kind)
            digest.update(
                json.dumps([seen.names, seen.least.tolist(), seen.most.tolist()]).encode()
            )
        digest.update(json.dumps([action.text for action in actions(chosen, players)]).encode())
        seats = ["random"] * players
        header = transcripts.Header(chosen, seats)

        def add(_: int, position: object, header: transcripts.Header = header) -> None:
            digest.update(transcripts.write(header, position).encode())  # type: ignore[arg-type]

        batch.play(chosen, seats, 20, 1, callbacks=batch.Callbacks(each=add))
    return digest.hexdigest()[:16]
