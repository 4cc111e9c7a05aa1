"""How many random games a second ``Position`` plays.

Legal moves listed, every move checked, the history kept. python bench/positions.py [GAME ...]
[--players 1] [--games 50] [--goes 8] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import time

from foxclover.core.game import Game, game
from foxclover.dice.sources import seeded

# listed here: older versions, measured too, name them differently
GAMES = ("ganz", "doppelt", "geht")


def play(chosen: Game, players: int, seed: int) -> None:
    """A whole random game."""
    position, dice, choice = chosen.start(players), seeded(seed), random.Random(seed)
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            position.push(choice.choice(position.legal_moves(position.acting[0])))


def speed(chosen: Game, players: int, count: int, goes: int, seed: int) -> float:
    """Games per second of processor time in the fastest run of the same games."""
    fastest = float("inf")
    for _ in range(goes):
        started = time.process_time()
        for number in range(count):
            play(chosen, players, seed + number)
        fastest = min(fastest, time.process_time() - started)
    return count / fastest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="*", default=GAMES)
    parser.add_argument("--players", type=int, choices=(1, 2, 3, 4), default=1)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--goes", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for key in args.game:
        print(
            f"{key}: {speed(game(key), args.players, args.games, args.goes, args.seed):,.0f} "
            "games a second",
            flush=True,
        )


if __name__ == "__main__":
    main()
