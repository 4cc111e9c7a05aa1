"""Games played by computer players from seeds.

Run by CPython and, in the test, by Python in WebAssembly.
"""

from __future__ import annotations

import json

from foxclover.ai import agent, agents
from foxclover.core.game import game, game_names
from foxclover.dice.sources import seeded

PLAYERS = (1, 2, 3, 4)
WHOLE = ("greedy", "net", "medium")
SOME = 6  # decisions of the strongest player, which takes its time
TICK = 0.05  # seconds that pass whenever somebody looks at the clock


class Clock:
    """Everybody's machine is equally fast."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += TICK
        return self.now


def play(key: str, players: int, level: str, most: int) -> list[str]:
    position, dice = game(key).start(players), seeded(11, players)
    player = agent(level, game(key), 5)
    decisions = 0
    while not position.over and decisions < most:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            decisions += 1
            position.push(player.choose(position, position.acting[0]))
    return [str(move) for _, move in position.history()]


def all_moves(whole: tuple[str, ...] = WHOLE, some: int = SOME) -> str:
    agents.time = Clock()  # type: ignore[assignment, attr-defined]
    played = {
        f"{key} {players} {level}": play(key, players, level, 10_000)
        for key in game_names()
        for players in PLAYERS
        for level in whole
    }
    for key in game_names():
        for players in PLAYERS:
            played[f"{key} {players} strong"] = play(key, players, "strong", some)
    return json.dumps(played)


def some_moves() -> str:
    """Fewer, for a browser."""
    return all_moves(("net",), 2)
